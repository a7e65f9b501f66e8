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
  await sql`alter index reward_fact_by_run set (pages_per_range = 2)`.execute(db)
  await sql`reindex index reward_fact_by_run`.execute(db)
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
  'each published statement follows the one before it, and is in the audit log': 'a row per day',
  'the members of the newest published tree add up to its published numbers': 'a row per member',
  'the newest published trees have all their nodes, and each leaf has a place of its own': 'the newest trees only',
  'the audit log has each period close unchanged': 'a row a month',
  'period closes follow each other, and the newest one matches every balance': 'a row a month, and one an account',
  'all balances of an asset add up to 0': 'accounts',
  'no account is below its floor, and the floors are those of the chart: 0 for every member': 'accounts',
  'the append-only guards are there and always on': 'the schema',
  'the constraints are there and valid': 'the schema',
  'a sponsor is older than the member: the referral graph is a forest': 'members',
  'the count of direct referrals matches the members': 'members',
  'everyone has the place below the sponsor of the registration, and the graph is a forest': 'members',
  'each stakeWallet holds the principal of the running stakes': 'accounts, and stakes that run',
  'the running volume of each team is the coin of the stakes that run below its leader': 'members, and stakes that run',
  'what lies in a slot of the reward pool are credits that were taken to be paid out of it': 'accounts of the house',
  'no more NFTs of a kind are sold than exist, and as many as there are purchases that stand': 'NFTs: 200,000 at most',
  'each NFT cost its price, in coin at a price that held before it, rounded up, and pays price x percent / 100 / months a month':
    'NFTs: 200,000 at most',
  'the figures kept of every list are those of its rows': 'rows of lists: one a move that a member asks for, none a reward',
  'the figures kept of instant rewards are those of the rewards': 'five rows a sale: rows of any age change their bucket',
  'what is promised is what is sold and not counted yet, and what is held: nothing is forgotten, however late it is':
    'a row a sale: what is forgotten may be of any age',
  'a deposit counts for less by what two of staff took back of it, each credit once': 'a row a deposit, as any may be taken back',
  'a deposit of USD is new money, but for debts: what reversed deposits could not take, less what later deposits paid':
    'a row a deposit, as any may be reversed',
  'money is new again only where the referral reward of its coin was reversed, or an undone purchase earned none':
    'sales within a hold period and undone purchases, and the referral rewards of their buyers',
  'what a bridge reversed of referral rewards is a part of what was reversed of them': 'bridges within a hold period',
  'what two of staff moved is the change that one proposed and the other approved, each change once': 'moves of staff',
  'nobody of staff moved alone more in 24 hours than the settings of that time allow, nor money from outside': 'moves of staff',
  'nobody is the second to a word that was taken back, used up or never given, as the trail has it': 'what waits for a second person',
  'what two of staff decided about price, settings, limits and programme holds, or is planned, from its start on': 'changes of staff',
  'each booked cost of the network is that of a final transaction, at its price, rounded up, and none of the time before is missing':
    'transactions that the house sends itself: none before a booking may be missing',
  'each signed transaction says the payment of its payout and the fee of its row, and the nonces of a wallet have no gap':
    'payouts that the house sends itself: nonces are counted from the first',
}

it('[I3] reads only rows after the newest close at night, whatever the length of the history', async () => {
  await lengthenHistory(db, [1, 2, 3], STORY_DAYS)
  const few = await readingAfter(3)
  await lengthenHistory(
    db,
    Array.from({ length: 27 }, (_, place) => place + 4),
    STORY_DAYS,
  )
  const many = await readingAfter(30)
  const total = (read: typeof few, how: 'nightly' | 'full', titles: Iterable<string>) =>
    [...titles].reduce((sum, title) => sum + (read.get(title)?.[how] ?? 0), 0)
  const whole = allChecks.filter((check) => check.later === undefined).map((check) => check.title)
  const later = allChecks.filter((check) => check.later !== undefined).map((check) => check.title)
  expect(whole.toSorted()).toEqual(Object.keys(WHOLE).toSorted())
  // The full audit reads the whole history, which grew as expected.
  expect(total(many, 'full', later)).toBeGreaterThan(6 * total(few, 'full', later))
  const grown = later.filter((title) => (many.get(title)?.nightly ?? 0) > (few.get(title)?.nightly ?? 0) + OTHER_PLAN)
  expect(grown).toEqual([])
  expect(total(many, 'nightly', later) * 100).toBeLessThan(total(many, 'full', later))
}, 300_000)
