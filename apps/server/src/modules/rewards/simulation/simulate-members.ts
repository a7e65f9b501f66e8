import { sql } from 'kysely'
import type { Tx } from '../../../platform/db/database.ts'
import { addFigures, bounds, type Moved, runsOf, type Simulation, type Tried } from './simulation.ts'

/**
 * Adds the next members' rewards from the days' runs, which no draft changes (`simulateSources` adds the rest), and their rank bonuses under
 * the draft.
 * Ranks follow the coin that the team has staked now, or had when it reached a rank in the days. Each bonus is paid once by name, so a
 * member with an earlier one gets none.
 * @param after id after which the batch begins
 */
export async function simulateMembers(tx: Tx, simulation: Simulation, at: Date, after: bigint, size: number): Promise<Tried> {
  const { from, to } = bounds(simulation.days)
  const page = await sql<{ id: bigint }>`select id from member where id > ${after} order by id limit ${size}`.execute(tx)
  const last = page.rows.at(-1)?.id
  if (last === undefined) return { next: undefined }
  const { ranks } = simulation.rules
  const found = await sql<{ more: bigint }>`
    with slice as materialized (select id, is_verified and is_active as earns from member where id > ${after} and id <= ${last}),
    paid as (
      select s.id as member_id, g.stream, sum(c.daily)::bigint as own, sum(c.b1 + c.b2 + c.b3 + c.b4 + c.b5)::bigint as bounty
      from slice s cross join generate_series(0, 2) g (stream) cross join ${runsOf(simulation.days)} r
      cross join lateral (
        select daily, b1, b2, b3, b4, b5 from reward_credit
        where member_id = s.id and reward_credit.stream = g.stream::smallint and run_id between r.first and r.last) c
      group by 1, 2
    ), had as materialized (
      select i.beneficiary_id as member_id, i.rank, i.base, i.amount - i.reversed as left_of_it, i.status,
        i.created_at < ${from} as earlier, i.created_at >= ${to} as later,
        (select (r ->> 'teamStake')::bigint from reward_programme p cross join jsonb_array_elements(p.ranks) r
          where p.version = i.programme_version and r ->> 'rank' = i.rank) as team_stake
      from slice s join reward_instant i on i.beneficiary_id = s.id and i.kind = 'rank'
    ), reached as materialized (
      select s.id as member_id, s.earns, coalesce(t.running, 0) as now, coalesce(max(h.base) filter (where not h.earlier and not h.later), 0) as before
      from slice s left join team_total t on t.member_id = s.id left join had h on h.member_id = s.id
      group by s.id, s.earns, t.running
    ), ladder as (
      select * from unnest(${ranks.map((one) => one.rank)}::text[], ${ranks.map((one) => one.teamStake)}::bigint[],
        ${ranks.map((one) => one.bonus)}::bigint[]) l (rank, team_stake, bonus)
    ), ranked as materialized (
      select r.member_id, 0::bigint as before, case when h.status = 'reversed' then 0 else l.bonus end as after
      from reached r join ladder l on l.team_stake <= greatest(r.before, case when r.earns then r.now end)
      left join had h on h.member_id = r.member_id and h.rank = l.rank
      where h.rank is null or not h.earlier and (not h.later or l.team_stake < h.team_stake)
      union all select member_id, left_of_it, 0 from had where not earlier and not later
    ), written as (${addFigures(
      simulation,
      at,
      sql`(
      select member_id, 'rank' as kind, before, after from ranked
      union all select member_id, (array['daily', 'stake-log', 'nft-monthly'])[stream + 1], own, own from paid
      union all select member_id, (array['profit-bounty', 'stake-log-bounty', 'nft-profit-bounty'])[stream + 1], bounty, bounty from paid)`,
    )})
    select coalesce(sum(after - before), 0)::bigint as more from ranked`.execute(tx)
  const moved: Moved = { promisedCoin: found.rows[0]?.more ?? 0n, promisedUsd: 0n, settledCoin: 0n, settledUsd: 0n }
  return { next: page.rows.length < size ? undefined : last, moved }
}
