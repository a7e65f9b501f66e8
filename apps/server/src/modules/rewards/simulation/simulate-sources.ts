import { sql } from 'kysely'
import type { Tx } from '../../../platform/db/database.ts'
import { levelAmount, levelTerms, lineAbove } from '../instant/level-shares.ts'
import {
  addFigures,
  bounds,
  draftOf,
  idBefore,
  type SimulatedChange,
  runsOf,
  SKEW_MS,
  type Simulation,
  type BatchResult,
} from './simulation.ts'

/** SQL: a stream's bounty shares under a programme, by level. */
const bountiesOf = (rules: string, stream: string) => {
  const of = (column: string) => sql.ref(`${rules}.${column}`)
  return sql`case ${sql.ref(stream)} when 0 then ${of('bounty_percents')} when 1 then ${of('stake_log_bounty_percents')} else ${of('nft_bounty_percents')} end`
}

/**
 * Simulates the days' sales under the draft: the uplines' level rewards, and bounties on each counted step.
 * - Level rewards go to members who have one. Where the version paid none, they go to members who earn now.
 * - Bounties go to members who earned one in the step's run. Earlier sales do not change.
 * - Open rank budgets change what is promised. Who collects them is decided when the stakes mature.
 * - Reversed rewards, and those for reversed sales, stay reversed.
 * @param after id after which the batch begins; undefined for the first
 */
export async function simulateSources(
  tx: Tx,
  simulation: Simulation,
  at: Date,
  after: bigint | undefined,
  size: number,
): Promise<BatchResult> {
  const { from, to } = bounds(simulation.days)
  const start = after ?? (await idBefore(tx, 'reward_source', 'starts_at', from))
  const page = await sql<{ id: bigint; at: Date }>`
    select id, starts_at as at from reward_source where id > ${start} order by id limit ${size}`.execute(tx)
  const last = page.rows.at(-1)
  if (last === undefined) return { next: undefined }
  const { ranks } = simulation.rules
  const found = await sql<SimulatedChange>`
    with recursive draft as materialized (select * from ${draftOf(simulation)} d),
    sold as materialized (
      select * from reward_source where id > ${start} and id <= ${last.id} and starts_at >= ${from} and starts_at < ${to}
    ), ${lineAbove}, levels as materialized (
      select line.upline_id, s.stream, i.status, coalesce(i.amount - i.reversed, 0) as before,
        case when i.status = 'reversed' then 0 when i.id is not null then amounts.becomes
          when amounts.was > 0 or s.reversed_at is not null or not earns.ok then 0 else amounts.becomes end as after
      from sold s join line on line.below = s.member_id and line.level > 0
      join reward_programme p on p.version = s.programme_version cross join draft d
      cross join lateral (select ${levelTerms('p')}) o cross join lateral (select ${levelTerms('d')}) n
      cross join lateral (select ${levelAmount('o')} as was, ${levelAmount('n')} as becomes) amounts
      cross join lateral (select is_verified and is_active as ok from member where id = line.upline_id limit 1) earns
      left join reward_instant i on i.cause_id = s.id and i.kind = case s.stream when 2 then 'nft-level' else 'level' end
        and i.beneficiary_id = line.upline_id and i.level = line.level
    ), counted as (
      -- The accruals of each buyer once, however many of them were bought.
      select s.member_id, s.stream, s.programme_version, f.run_id, f.amount, count(*) as times
      from (select distinct member_id, stream from sold) o cross join ${runsOf(simulation.days)} r
      cross join lateral (
        select run_id, source_id, amount from reward_accrual where member_id = o.member_id and stream = o.stream
          and due_at > ${from} and due_at < ${to} and run_id between r.first and r.last) f
      join sold s on s.id = f.source_id
      group by 1, 2, 3, 4, 5
    ), bounties as materialized (
      select line.upline_id, c.stream, sum(c.times * (reward_share(c.amount, b.becomes[line.level]) - reward_share(c.amount, b.was[line.level]))) as more
      from counted c join reward_programme p on p.version = c.programme_version cross join draft d
      cross join lateral (select ${bountiesOf('p', 'c.stream')} as was, ${bountiesOf('d', 'c.stream')} as becomes) b
      join line on line.below = c.member_id and line.level > 0 and b.becomes[line.level] <> b.was[line.level]
      join reward_credit e on e.member_id = line.upline_id and e.stream = c.stream and e.run_id = c.run_id and e.eligible
      group by 1, 2
    ), to_come as (
      select s.stream, sum((s.steps - s.processed)::numeric * (largest.bounty - s.bounty)) as more from sold s cross join draft d
      cross join lateral (select coalesce(sum(reward_share(s.amount, share)), 0) as bounty from unnest(${bountiesOf('d', 's.stream')}) share) largest
      where s.reversed_at is null group by 1
    ), budgets as (
      select sum(n.budget - s.rank_budget) as more from sold s cross join lateral (
        select coalesce(max(div(s.principal::numeric * bonus * least(s.steps, 365), team_stake::numeric * 365)), 0) as budget
        from unnest(${ranks.map((one) => one.bonus)}::bigint[], ${ranks.map((one) => one.teamStake)}::bigint[]) l (bonus, team_stake)) n
      where s.stream < 2 and s.reversed_at is null and s.rank_settled_at is null
    ), written as (${addFigures(
      simulation,
      at,
      sql`(
      select upline_id as member_id, case stream when 2 then 'nft-level' else 'level' end as kind, before, after from levels
      union all select upline_id, (array['profit-bounty', 'stake-log-bounty', 'nft-profit-bounty'])[stream + 1], 0, more from bounties)`,
    )}), change as (
      select stream = 2 as usd, coalesce(status, 'held') in ('paid', 'owed') as settled, after - before as more from levels
      union all select stream = 2, true, more from bounties
      union all select stream = 2, false, more from to_come
      union all select false, false, more from budgets
    )
    select coalesce(sum(more) filter (where not usd and not settled), 0)::bigint as "liabilityCoin",
      coalesce(sum(more) filter (where usd and not settled), 0)::bigint as "liabilityUsd",
      coalesce(sum(more) filter (where not usd and settled), 0)::bigint as "settledCoin",
      coalesce(sum(more) filter (where usd and settled), 0)::bigint as "settledUsd" from change`.execute(tx)
  const ends = page.rows.length < size || last.at.getTime() > to.getTime() + SKEW_MS
  return { next: ends ? undefined : last.id, ...(found.rows[0] === undefined ? {} : { change: found.rows[0] }) }
}
