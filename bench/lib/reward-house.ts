import { sql } from 'kysely'
import { runSweep, type Sweep } from '../../apps/server/src/jobs/sweep.ts'
import { rewardSweeps } from '../../apps/server/src/modules/rewards/index.ts'
import { testClock } from '../../apps/server/src/platform/clock.ts'
import { readConfig } from '../../apps/server/src/platform/config.ts'
import type { Database, Db } from '../../apps/server/src/platform/database.ts'
import type { Deps } from '../../apps/server/src/platform/deps.ts'
import { randomIds } from '../../apps/server/src/platform/ids.ts'
import { createLog } from '../../apps/server/src/platform/log.ts'

const FAN_OUT = 16

/** Seconds that some work takes. */
export async function seconds(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return (performance.now() - start) / 1000
}

/** Fills an empty database with members in one forest of five levels, each with a running stake, and fills the pool. */
export async function build({ db, pool }: Database, members: number): Promise<void> {
  await sql`alter table member disable trigger user`.execute(db)
  await sql`insert into member (id, public_id, name, email, phone, password_hash, is_verified, referral_code, sponsor_id, created_at, updated_at)
    overriding system value
    select n, 'member-' || n, 'Member ' || n, 'member' || n || '@example.com', '+12025550143', 'x', true, 'CODE' || n,
      case when n = 1 then null else (n - 2) / ${FAN_OUT}::int + 1 end, '2026-01-01', '2026-01-01'
    from generate_series(1, ${members}::int) n`.execute(db)
  await sql`alter table member enable trigger user`.execute(db)
  await sql`insert into member_referrals select sponsor_id, count(*) from member where sponsor_id is not null group by 1`.execute(db)
  await sql`insert into team_member values (1, null, 0, 1, 0)`.execute(db)
  await sql`do $$ begin for level in 1 .. 30 loop
    insert into team_member select m.id, s.member_id, s.depth + 1,
      case when s.depth - s.jump_depth = s.jump_depth - j.jump_depth then j.jump_id else s.member_id end,
      case when s.depth - s.jump_depth = s.jump_depth - j.jump_depth then j.jump_depth else s.depth end
    from member m join team_member s on s.member_id = m.sponsor_id and s.depth = level - 1 join team_member j on j.member_id = s.jump_id;
    exit when not found; end loop; end $$`.execute(db)
  await sql`insert into ledger_account (id, owner_id, kind, asset) select n * 16 + 2, n, 'nativeWallet', 'COIN' from generate_series(1::bigint, ${members}::bigint) n`.execute(
    db,
  )
  await sql`insert into reward_source (public_id, member_id, label, stream, principal, percent, times, amount, bounty, programme_version, starts_at)
    select 'stake-' || n, n, 'Year', (n % 10 = 0)::int, a.amount, 7300000000, 365, a.amount / 500, a.amount / 2500, 1,
      timestamptz '2026-03-01 00:00:00+00' + (n::bigint * 7919 % 86400) * interval '1 second'
    from (select n, 1000000000::bigint + (n * 1000003::bigint) % 90000000000 as n_amount from generate_series(1, ${members}::int) n) s
    cross join lateral (select s.n_amount as amount) a`.execute(db)
  await sql`select ledger_post_one(-11200, -9200, 1000000000000000000, 'fundRewardPool', 'bench', '1', null, '2026-03-01')`.execute(db)
  await sql`insert into team_total
    with recursive up as (
      select t.sponsor_id as id from team_member t where t.sponsor_id is not null
      union all select t.sponsor_id from up join team_member t on t.member_id = up.id where t.sponsor_id is not null
    ) select id, count(*), 0 from up group by 1`.execute(db)
  await settle(pool)
}

/** Leaves nothing to clean up and to write. Past the query builder: the server takes no other statement beside one that cleans up. */
export async function settle(pool: Database['pool']): Promise<void> {
  await pool.query('vacuum analyze')
  await pool.query('checkpoint')
}

/**
 * Pays one day as the worker does.
 * @param round which day, counted from 1
 * @returns seconds
 */
export async function runDay(db: Db, round: number): Promise<number> {
  const deps: Deps = {
    config: readConfig({ NODE_ENV: 'test' }),
    clock: testClock(`2026-03-0${round + 1}T23:59:59.999Z`),
    ids: randomIds,
    log: createLog('silent'),
  }
  const run = rewardSweeps.find((sweep): sweep is Sweep => sweep.name === 'reward-run')
  if (run === undefined) throw new Error('no reward run')
  return seconds(() => runSweep(db, deps, run, 'bench'))
}
