import { sql } from 'kysely'
import { listBounties } from '../../apps/server/src/modules/rewards/lists/list-bounties.ts'
import { activity } from '../../apps/server/src/main/activity.ts'
import { lastReferrals } from '../../apps/server/src/modules/team/last-referrals.ts'
import { readTeamTree } from '../../apps/server/src/modules/team/read-team-tree.ts'
import { creditedDeposits } from '../../apps/server/src/modules/deposits/index.ts'
import { newestStakes } from '../../apps/server/src/modules/staking/index.ts'
import { downlineStake, monthTotals } from '../../apps/server/src/modules/team/index.ts'
import type { Database, Db } from '../../apps/server/src/platform/db/database.ts'

const ROUNDS = 200

/** Returns the 95th percentile of each function's time in ms. The functions take turns, so that other load affects all equally. */
async function p95(works: readonly (() => Promise<unknown>)[]): Promise<number[]> {
  const times = works.map((): number[] => [])
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [index, work] of works.entries()) {
      const start = performance.now()
      await work()
      times[index]?.push(performance.now() - start)
    }
  }
  return times.map((own) => own.toSorted((a, b) => a - b)[Math.ceil(ROUNDS * 0.95) - 1] ?? 0)
}

/** Adds a member with direct referrals, each with two credited deposits. */
async function addLeader(db: Db, directs: number): Promise<bigint> {
  const insert = (names: string, sponsor: bigint, count: number) =>
    sql<{ id: bigint }>`
    insert into member (public_id, name, email, phone, password_hash, is_verified, referral_code, sponsor_id, created_at, updated_at)
    select ${names} || '-' || n, ${names}, ${names} || n || '@example.org', '+12025550143', 'x', true, upper(${names}) || n, ${sponsor}, '2026-02-01', '2026-02-01'
    from generate_series(1, ${count}::int) n returning id`.execute(db)
  await sql`select setval(pg_get_serial_sequence('member', 'id'), (select max(id) from member))`.execute(db)
  const leader = (await insert(`leader${directs}`, 17n, 1)).rows[0]?.id
  if (leader === undefined) throw new Error('nobody was added')
  await insert(`below${directs}`, leader, directs)
  await sql`insert into deposit (public_id, member_id, method, description, amount, credited, usd_amount, status, created_at)
    select 'deposit-' || id || '-' || k, id, 'hosted', 'USDT', 500000000, 500000000, 500000000, 'APPROVE', '2026-02-03'
    from member, generate_series(1, 2) k where sponsor_id = ${leader}`.execute(db)
  return leader
}

type Pages = readonly [name: string, leaders: { big: bigint; small: bigint | undefined }, read: (id: bigint) => Promise<unknown>][]

async function print(pages: Pages): Promise<void> {
  for (const [name, leaders, read] of pages) {
    const who = leaders.small === undefined ? [leaders.big] : [leaders.big, leaders.small]
    const [big = 0, few] = await p95(who.map((id) => () => read(id)))
    console.log(
      `${name}: ${big.toFixed(1)} ms${few === undefined ? '' : `, above a hundred: ${few.toFixed(1)} ms, ${(big / few).toFixed(2)} times`}`,
    )
  }
}

/**
 * Prints 95th percentiles of a leader's pages in milliseconds, for the top leader and for one above about 100 members. The pages are read
 * with all changes added to the totals, as after each worker run (five seconds), and with 200 pending changes. Direct referrals of a
 * special member are timed with 20,000 and with 100.
 */
export async function timePages({ db, pool }: Database, reader: Db): Promise<void> {
  const now = new Date('2026-03-02T23:59:59Z')
  const small = (
    await sql<{
      id: bigint
    }>`select member_id as id from team_total where people between 60 and 400 order by abs(people - 100), member_id limit 1`.execute(db)
  ).rows[0]?.id
  const wide = { big: await addLeader(db, 20_000), small: await addLeader(db, 100) }
  await sql`select count(*) from team_fold(1000000, 1)`.execute(db)
  await pool.query('vacuum analyze')
  const whole = { big: 1n, small }
  const special = (memberId: bigint) => ({ memberId, isSpecialRcm: true })
  const team: Pages = [
    ['team tree', whole, (id) => readTeamTree(reader, { newestStakes, ...activity }, id, now, {})],
    ['team totals', whole, (id) => downlineStake(reader, id)],
    ['month totals', whole, (id) => monthTotals(reader, id, now)],
  ]
  await print([
    ...team,
    ['profit bounty page 1', whole, (id) => listBounties(reader, id, 0, { page: 1, limit: 25 })],
    ['profit bounty page 1000', whole, (id) => listBounties(reader, id, 0, { page: 1000, limit: 25 })],
    ['last referrals page 1', wide, (id) => lastReferrals(reader, { creditedDeposits }, special(id), { page: 1, limit: 25 })],
    ['last referrals, a thousand at once', wide, (id) => lastReferrals(reader, { creditedDeposits }, special(id), {})],
  ])
  await sql`insert into team_pending_delta (member_id, month, stake)
    select member_id, '2026-03-01', 100 from team_member where member_id % 97 = 0 order by member_id desc limit 200`.execute(db)
  await pool.query('vacuum analyze')
  await print(team.map(([name, ...rest]) => [`${name}, 200 changes not folded`, ...rest]))
}
