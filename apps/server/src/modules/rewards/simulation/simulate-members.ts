import { sql } from 'kysely'
import type { Tx } from '../../../platform/db/database.ts'
import { addFigures, bounds, runsOf, type Simulation, type BatchResult } from './simulation.ts'

/**
 * Adds the next members' rewards that no draft changes: rewards of the days' runs and rank bonuses (`simulateSources` adds the others). The
 * ranks of a draft apply to the rank budgets of later sales, which are distributed at the maturity of those stakes.
 * @param after id after which the batch begins
 */
export async function simulateMembers(tx: Tx, simulation: Simulation, at: Date, after: bigint, size: number): Promise<BatchResult> {
  const { from, to } = bounds(simulation.days)
  const page = await sql<{ id: bigint }>`select id from member where id > ${after} order by id limit ${size}`.execute(tx)
  const last = page.rows.at(-1)?.id
  if (last === undefined) return { next: undefined }
  await sql`
    with slice as materialized (select id from member where id > ${after} and id <= ${last}),
    paid as (
      select s.id as member_id, g.stream, sum(c.daily)::bigint as own, sum(c.b1 + c.b2 + c.b3 + c.b4 + c.b5)::bigint as bounty
      from slice s cross join generate_series(0, 2) g (stream) cross join ${runsOf(simulation.days)} r
      cross join lateral (
        select daily, b1, b2, b3, b4, b5 from reward_credit
        where member_id = s.id and reward_credit.stream = g.stream::smallint and run_id between r.first and r.last) c
      group by 1, 2
    ), ranked as (
      select i.beneficiary_id as member_id, sum(i.amount - i.reversed)::bigint as amount from slice s
      join reward_instant i on i.beneficiary_id = s.id and i.kind = 'rank' and i.created_at >= ${from} and i.created_at < ${to} group by 1
    ), written as (${addFigures(
      simulation,
      at,
      sql`(
      select member_id, 'rank' as kind, amount as before, amount as after from ranked
      union all select member_id, (array['daily', 'stake-log', 'nft-monthly'])[stream + 1], own, own from paid
      union all select member_id, (array['profit-bounty', 'stake-log-bounty', 'nft-profit-bounty'])[stream + 1], bounty, bounty from paid)`,
    )})
    select 1`.execute(tx)
  return { next: page.rows.length < size ? undefined : last }
}
