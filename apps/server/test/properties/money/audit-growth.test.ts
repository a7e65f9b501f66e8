import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { completeStory } from '../../audited-instance.ts'
import { testDatabase } from '../../database.ts'
import { lengthenHistory, rowsRead } from '../../longer-history.ts'
import { closeMonths } from '../../close-months.ts'
import { runChecks } from '../../../src/ledger/audit.ts'
import { openWindow } from '../../../src/ledger/index.ts'
import { DAY_MS, testClock } from '../../../src/platform/runtime/clock.ts'
import { readConfig } from '../../../src/platform/config/config.ts'
import { randomIds } from '../../../src/platform/runtime/ids.ts'
import { createLog } from '../../../src/platform/runtime/log.ts'
import { allChecks } from '../../../src/main/all-checks.ts'
import { seedDemo } from '../../../src/sandbox/demo/seed-demo.ts'
import { createPorts } from '../../../src/main/ports.ts'

const { db, pool } = await testDatabase(4)
const config = readConfig({ NODE_ENV: 'test' })
const clock = testClock('2026-03-02T09:00:00Z')
const deps = { config, clock, ids: randomIds, log: createLog('silent') }
await seedDemo(db, deps, createPorts(config, 'http://127.0.0.1:9'))
await completeStory(db, deps)

/** Consecutive stories, 90 days each. */
const STORY_DAYS = 90
const begin = clock.now().getTime()

/** Allowance in rows for another query plan. Each table grows by at least twice as many rows. */
const OTHER_PLAN = 40

/** Returns the rows read by each check, nightly and in full, after some stories with all months closed. */
async function readingAfter(stories: number) {
  clock.set(new Date(begin + (stories + 1) * STORY_DAYS * DAY_MS))
  await closeMonths(db, deps)
  // Uses ranges as short as the small tables, summarized like autovacuum does.
  await sql`alter index reward_accrual_by_run set (pages_per_range = 2)`.execute(db)
  await sql`reindex index reward_accrual_by_run`.execute(db)
  await pool.query('vacuum analyze')
  const reading = new Map<string, { nightly: number; full: number }>()
  for (const check of allChecks)
    await db.transaction().execute(async (tx) => {
      await sql`select set_config('enable_seqscan', 'off', true), set_config('max_parallel_workers_per_gather', '0', true)`.execute(tx)
      const window = await openWindow(tx)
      const nightly = await rowsRead(tx, () => runChecks(tx, [check], window))
      reading.set(check.title, { nightly, full: await rowsRead(tx, () => runChecks(tx, [check])) })
    })
  return reading
}

/** Checks that read everything at each audit, with the reason and their growth. */
const WHOLE: Readonly<Record<string, string>> = {
  'a wallet that has not moved since the newest published tree has the amount in it': 'the wallets of all members',
  'each member is in the newest published tree': 'a row per member',
  'the present amounts of all members add up to the amounts owed and promised on the page': 'accounts, open holds, and stakes that run',
  'each published statement follows the one before it, and is in the audit log': 'a row per day',
  'the members of the newest published tree add up to its published numbers': 'a row per member',
  'the newest published trees have all their nodes, and each leaf has its own position': 'the newest trees only',
  'the audit log has each period close unchanged': 'a row a month',
  'period closes follow each other, and the newest one matches every balance': 'a row a month, and one an account',
  'each set of payout rules was proposed by one staff member and approved by another': 'a row for each decision of two people',
  'all balances of an asset add up to 0': 'accounts',
  'no account is below its floor, and the floors are those of the chart: 0 for every member': 'accounts',
  'the append-only guards exist and are always enabled': 'the schema',
  'the constraints exist and are valid': 'the schema',
  'a sponsor is older than the member: the referral graph is a forest': 'members',
  'the count of direct referrals matches the members': 'members',
  'each member is below the sponsor of the registration, and the graph is a forest': 'members',
  'each stakeWallet holds the principal of the running stakes': 'accounts, and stakes that run',
  'the running volume of each team is the coin of the stakes that run below its leader, beside the running stakes of the member':
    'members, and stakes that run',
  'each shard of the reward pool holds the credits that are to be paid out of it': 'system accounts',
  'the sold NFTs of a kind are at most its supply, and as many as its purchases that were not reversed': 'NFTs: 200,000 at most',
  'each NFT cost its price, in coin at a price that held before it, rounded up, and pays price x percent / 100 / months a month':
    'NFTs: 200,000 at most',
  'each sell request was sold by its sales: its coin, its USD, no price below its lowest, and only while it was open':
    'one row per request of a member, at most one open',
  'the counters of every list match its rows': 'rows of lists: one per request of a member, none per reward',
  'the counters of instant rewards match the rewards': 'five rows a sale: rows of any age change their bucket',
  'the promised rewards are the future rewards of running sources, open rank budgets, incomplete bonuses and the rewards on hold':
    'one row per sale: a missing one may be of any age',
  'a deposit counts less the amounts that two staff members reversed, each credit once': 'one row per deposit, because any may be reversed',
  'a deposit of USD is new money, but for debts: what reversed deposits could not take, less what later deposits paid':
    'one row per deposit, because any may be reversed',
  'money becomes new money again only after its referral reward, or its purchase without one, was reversed':
    'sales within a hold period and reversed purchases, and the referral rewards of their buyers',
  'the referral rewards reversed by a bridge are part of all reversed ones': 'bridges within a hold period',
  'each movement by two staff members matches the proposal of one and the approval of the other, each proposal once': 'moves of staff',
  'no staff member alone moved more in 24 hours than the settings then allowed, or any external money': 'moves of staff',
  'each second approval has a valid first approval in the audit log: not revoked, used or missing': 'pending second approvals',
  'each approved price, setting, limit and programme is in force, or planned, from its start on': 'changes of staff',
  'each cold move was queued once, with its receiver and amount': 'moves of staff',
  'each payout of proceeds was queued once, with its receiver and amount': 'moves of staff',
  'each payment return was queued once, with its receiver, its amount and the fee of its settings': 'moves of staff',
  'each payment return that can arrive has the amount of the payments that it returned': 'moves of staff',
  'every final transaction has one booked network fee: gas × price, rounded up':
    'transactions of the platform: none before a booking may be missing',
  'each signed transaction has the payment of its payout and the fee of its row, and the nonces of a wallet have no gap':
    'payouts that the platform sends: nonces are counted from the first',
  'each transaction that publishes a digest has the digest of its statement as data': 'one transaction a day',
  'each erased value of the audit log is by or about an account whose personal data is erased': 'erased rows, found by an index',
  'the worker erased each erased account, and the account has no contact data': 'erased accounts, found by an index',
  'each address of a book is as in the audit log: proven by its member, not removed, confirmed after the last stop of payouts':
    'addresses of the books',
}

it('[I3] reads only rows after the newest close at night, whatever the length of the history', async () => {
  await lengthenHistory(db, [1, 2, 3], STORY_DAYS)
  const few = await readingAfter(3)
  await lengthenHistory(
    db,
    Array.from({ length: 27 }, (_, index) => index + 4),
    STORY_DAYS,
  )
  const many = await readingAfter(30)
  const total = (read: typeof few, how: 'nightly' | 'full', titles: Iterable<string>) =>
    [...titles].reduce((sum, title) => sum + (read.get(title)?.[how] ?? 0), 0)
  const whole = allChecks.filter((check) => check.afterClose === undefined).map((check) => check.title)
  const later = allChecks.filter((check) => check.afterClose !== undefined).map((check) => check.title)
  expect(whole.toSorted()).toEqual(Object.keys(WHOLE).toSorted())
  // The full audit reads the whole history, which grew as expected.
  expect(total(many, 'full', later)).toBeGreaterThan(6 * total(few, 'full', later))
  const grown = later.filter((title) => (many.get(title)?.nightly ?? 0) > (few.get(title)?.nightly ?? 0) + OTHER_PLAN)
  expect(grown).toEqual([])
  expect(total(many, 'nightly', later) * 100).toBeLessThan(total(many, 'full', later))
})
