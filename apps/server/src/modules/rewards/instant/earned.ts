import type { Units } from '@tizara/money'
import { sql } from 'kysely'
import type { Db, Tx } from '../../../platform/db/database.ts'

/** SQL condition: credit `c` comes after the cursor `p`. */
const isBehind = sql`(c.run_id, c.stream, c.sponsor_id, c.member_id) > (p.run_id, p.stream, p.sponsor_id, p.member_id)`

/**
 * Adds summed runs' credits to their members' totals, so that a total costs the same for any history. Runs on one worker at a time.
 * @returns how many credits it added
 */
export async function aggregateEarnings(tx: Tx, batch: number): Promise<number> {
  // Passes values, so that PostgreSQL reads in index order.
  const place = await tx
    .selectFrom('reward_earned_progress')
    .select(['run_id', 'stream', 'sponsor_id', 'member_id'])
    .executeTakeFirstOrThrow()
  const done = await sql<{ counted: number }>`
    with next as (
      select run_id, stream, sponsor_id, member_id, amount from reward_credit c
      where (run_id, stream, sponsor_id, member_id)
          > (${place.run_id}::bigint, ${place.stream}::smallint, ${place.sponsor_id}::bigint, ${place.member_id}::bigint) and c.run_id < coalesce((select id from reward_run where status = 'RECORDING'), 9223372036854775807)
      order by run_id, stream, sponsor_id, member_id limit ${batch}
    ), added as (
      insert into reward_earned as held (member_id, stream, amount)
      select member_id, stream, sum(amount)::bigint from next group by 1, 2 order by 1, 2
      on conflict (member_id, stream) do update set amount = held.amount + excluded.amount
    ), moved as (
      update reward_earned_progress p set run_id = l.run_id, stream = l.stream, sponsor_id = l.sponsor_id, member_id = l.member_id
      from (select * from next order by run_id desc, stream desc, sponsor_id desc, member_id desc limit 1) l
    )
    select count(*)::int as counted from next`.execute(tx)
  return done.rows[0]?.counted ?? 0
}

/** Returns all that a member earned since the start, paid or not, without reversed rewards. */
export async function earnedOf(db: Db, memberId: bigint): Promise<{ coin: Units; usd: Units }> {
  const { rows } = await sql<{ usd: boolean; amount: Units }>`
    select usd, coalesce(sum(amount), 0)::bigint as amount from (
      select stream = 2 as usd, amount from reward_earned where member_id = ${memberId}
      union all
      select c.stream = 2, c.amount from reward_earned_progress p, unnest(array[0, 1, 2]::smallint[]) s (stream)
      join reward_credit c on c.member_id = ${memberId} and c.stream = s.stream
      where c.run_id >= p.run_id and ${isBehind} and c.run_id is distinct from (select id from reward_run where status = 'RECORDING')
      union all
      select kind = 'nft-level', amount from reward_counter where member_id = ${memberId} and status <> 'reversed'
      union all
      select kind = 'nft-level', amount from reward_instant where beneficiary_id = ${memberId} and not tallied and status <> 'reversed'
    ) earned group by usd`.execute(db)
  const sum = (usd: boolean) => rows.find((row) => row.usd === usd)?.amount ?? 0n
  return { coin: sum(false), usd: sum(true) }
}
