import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { runJob, type Job } from '../../apps/server/src/jobs/job.ts'
import { assistantJobs, rewardJobs } from '../../apps/server/src/modules/rewards/index.ts'
import { testClock } from '../../apps/server/src/platform/runtime/clock.ts'
import { readConfig } from '../../apps/server/src/platform/config/config.ts'
import type { Database, Db } from '../../apps/server/src/platform/db/database.ts'
import type { Deps } from '../../apps/server/src/platform/runtime/deps.ts'
import { randomIds } from '../../apps/server/src/platform/runtime/ids.ts'
import { createLog } from '../../apps/server/src/platform/runtime/log.ts'

const FAN_OUT = 16

/** Returns the duration of work in seconds. */
export async function seconds(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return (performance.now() - start) / 1000
}

/** Returns the first and last member id of each depth of the forest. The top member has id 1. */
function depths(members: number): { depth: number; first: number; last: number }[] {
  const found = [{ depth: 0, first: 1, last: 1 }]
  for (let first = 2, size = FAN_OUT; first <= members; first += size, size *= FAN_OUT)
    found.push({ depth: found.length, first, last: Math.min(members, first + size - 1) })
  return found
}

/**
 * Fills an empty database with members in one forest, each with a running stake, and fills the pool. Each table needs at most one statement
 * per depth. Foreign keys are not checked, because the rows are valid.
 */
export async function build({ db, pool }: Database, members: number): Promise<void> {
  await db.connection().execute(async (own) => {
    await sql`set session_replication_role = replica`.execute(own)
    await sql`set work_mem = '512MB'`.execute(own)
    await sql`set maintenance_work_mem = '1GB'`.execute(own)
    await sql`set synchronous_commit = off`.execute(own)
    await addMembers(own, members)
    await addForest(own, depths(members))
    await sql`insert into ledger_account (id, owner_id, kind, asset)
      select n * 16 + 2, n, 'nativeWallet', 'COIN' from generate_series(1::bigint, ${members}::bigint) n`.execute(own)
    await addStakes(own, members)
    await sql`reset all`.execute(own)
  })
  await sql`select ledger_post_one(-11200, -9200, 1000000000000000000, 'fundRewardPool', 'bench', '1', null, '2026-03-01')`.execute(db)
  await settle(pool)
}

const addMembers = (db: Db, members: number) =>
  sql`insert into member (id, public_id, name, email, phone, password_hash, is_verified, referral_code, sponsor_id, created_at, updated_at)
    overriding system value
    select n, 'member-' || n, 'Member ' || n, 'member' || n || '@example.com', '+12025550143', 'x', true, 'CODE' || n,
      case when n = 1 then null else (n - 2) / ${FAN_OUT}::int + 1 end, '2026-01-01', '2026-01-01'
    from generate_series(1, ${members}::int) n`.execute(db)

/** Inserts the members' positions from the top down, each with a jump to an ancestor, and the team sizes from the bottom up. */
async function addForest(db: Db, levels: ReturnType<typeof depths>): Promise<void> {
  await sql`insert into member_referrals select sponsor_id, count(*) from member where sponsor_id is not null group by 1`.execute(db)
  await sql`insert into team_member values (1, null, 0, 1, 0)`.execute(db)
  for (const { depth, first, last } of levels.slice(1))
    await sql`insert into team_member select n, s.member_id, ${depth}::int,
      case when s.depth - s.jump_depth = s.jump_depth - j.jump_depth then j.jump_id else s.member_id end,
      case when s.depth - s.jump_depth = s.jump_depth - j.jump_depth then j.jump_depth else s.depth end
    from generate_series(${first}::int, ${last}::int) n join team_member s on s.member_id = (n - 2) / ${FAN_OUT}::int + 1
    join team_member j on j.member_id = s.jump_id`.execute(db)
  for (const { first, last } of levels.slice(1).toReversed())
    await sql`insert into team_total select (n - 2) / ${FAN_OUT}::int + 1, count(*) + coalesce(sum(t.people), 0)::bigint, 0
    from generate_series(${first}::int, ${last}::int) n left join team_total t on t.member_id = n group by 1`.execute(db)
}

/** Gives each member a running stake with its liabilities. */
export const addStakes = (db: Db, members: number) =>
  sql`insert into reward_source (public_id, member_id, label, stream, principal, percent, steps, amount, bounty, programme_version, starts_at)
    select 'stake-' || n, n, 'Year', (n % 10 = 0)::int, a.amount, 7300000000, 365, a.amount / 500, a.amount / 2500, 1,
      timestamptz '2026-03-01 00:00:00+00' + (n::bigint * 7919 % 86400) * interval '1 second'
    from (select n, 1000000000::bigint + (n * 1000003::bigint) % 90000000000 as n_amount from generate_series(1, ${members}::int) n) s
    cross join lateral (select s.n_amount as amount) a`.execute(db)

/**
 * Runs vacuum and checkpoint, so that pending work does not disturb the measurement. Does not use the query builder, because vacuum must be
 * the only statement.
 */
export async function settle(pool: Database['pool']): Promise<void> {
  await pool.query('vacuum analyze')
  await pool.query('checkpoint')
}

/**
 * Pays one day as the worker does.
 * @param round number of the day, starting at 1
 * @returns seconds
 */
export async function runDay(db: Db, round: number, workers = 1): Promise<number> {
  const deps: Deps = {
    config: { ...readConfig({ NODE_ENV: 'test' }), rewardWorkers: workers },
    clock: testClock(new Date(Date.UTC(2026, 2, round + 1, 23, 59, 59, 999)).toISOString()),
    ids: randomIds,
    log: createLog('silent'),
  }
  const run = rewardJobs.find((job): job is Job => job.name === 'reward-run')
  if (run === undefined) throw new Error('no reward run')
  let ended = false
  const worker = async (job: Job) => {
    while (!ended) {
      await runJob(db, deps, job, 'bench')
      await pause(job.everySeconds * 1000)
    }
  }
  let took = 0
  const lead = async () => {
    took = await seconds(() => runJob(db, deps, run, 'bench'))
    ended = true
  }
  await Promise.all([lead(), ...assistantJobs(workers).map(worker)])
  return took
}
