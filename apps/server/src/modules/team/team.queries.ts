import type { Units } from '@tizara/money'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'

/** A member's upline; level 1 is the sponsor. */
export interface Upline {
  memberId: bigint
  level: number
  /** Verified and active: earns from the team (RW-12). */
  earns: boolean
}

/**
 * Returns each member's uplines, nearest first. An upline without the right to earn still counts as a level. This level then pays no
 * reward.
 */
export async function uplinesOf(db: Db, memberIds: readonly bigint[], levels: number): Promise<(memberId: bigint) => Upline[]> {
  const found = await sql<Upline & { below: bigint }>`
    with recursive line as (
      select id as below, id as upline_id, 0 as level from unnest(${memberIds}::bigint[]) id
      union
      select line.below, t.sponsor_id, line.level + 1 from line
      -- Reads members one by one, because a join of some hundred members would read the whole table.
      cross join lateral (select sponsor_id from team_member where member_id = line.upline_id limit 1) t
      where t.sponsor_id is not null and line.level < ${levels}
    )
    select line.below, line.upline_id as "memberId", line.level, m.earns from line
    cross join lateral (select is_verified and is_active as earns from member where id = line.upline_id limit 1) m
    where line.level > 0 order by line.level`.execute(db)
  const lines = Map.groupBy(found.rows, (row) => row.below)
  return (memberId) => lines.get(memberId) ?? []
}

/** Totals for the branch below a member, without the member. */
export interface BranchTotal {
  memberId: bigint
  people: number
  /** Coin units staked, running or ended. */
  stake: Units
  /** Coin units staked now. */
  running: Units
}

/** Returns totals for the branches below some members, with pending changes. */
export async function branchTotals(db: Db, memberIds: readonly bigint[]): Promise<Map<bigint, BranchTotal>> {
  const found = await sql<{ memberId: bigint; people: bigint; stake: bigint; running: bigint }>`
    with wanted as (select member_id, depth from team_member where member_id = any (${memberIds}::bigint[])),
    fresh as (select member_id, sum(people) as people, sum(stake) as stake, sum(running) as running from team_pending((select min(depth) from wanted)) group by 1)
    select w.member_id as "memberId", (coalesce(t.people, 0) + coalesce(f.people, 0))::bigint as people,
      (coalesce(t.stake, 0) + coalesce(f.stake, 0))::bigint as stake, (coalesce(t.running, 0) + coalesce(f.running, 0))::bigint as running
    from wanted w left join fresh f on f.member_id = w.member_id
    -- Reads totals one by one, because a join of some hundred members would read the whole table.
    left join lateral (select people, stake, running from team_total where member_id = w.member_id limit 1) t on true`.execute(db)
  return new Map(found.rows.map((row) => [row.memberId, { ...row, people: Number(row.people) }]))
}

/** Counts all members below a member (UI-DASH-27). */
export async function downlineCount(db: Db, memberId: bigint): Promise<number> {
  return (await branchTotals(db, [memberId])).get(memberId)?.people ?? 0
}

/** Returns coin units staked by all members below a member: running or ended (API-85), and now (RW-05). */
export async function downlineStake(db: Db, memberId: bigint): Promise<{ totalStake: Units; runningStake: Units }> {
  const branch = (await branchTotals(db, [memberId])).get(memberId)
  return { totalStake: branch?.stake ?? 0n, runningStake: branch?.running ?? 0n }
}

/** Returns true if a member is the leader or below. */
export async function isWithinTeam(db: Db, leaderId: bigint, memberId: bigint): Promise<boolean> {
  const found = await sql<{ within: boolean }>`select team_is_within(${leaderId}::bigint, ${memberId}::bigint) as within`.execute(db)
  return found.rows[0]?.within ?? false
}

/** A team's stakes and NFT purchases in two UTC months (EN-50). */
export interface MonthTotals {
  lastMonthStakeSumTotal: Units
  currentMonthStakeSumTotal: Units
  /** USD units. */
  lastMonthNFTSum: Units
  currentMonthNFTSum: Units
}

/** Sums a team's stakes and NFT purchases in the current and the previous UTC month (API-88, UI-RCM-08). */
export async function monthTotals(db: Db, memberId: bigint, now: Date): Promise<MonthTotals> {
  const found = await sql<MonthTotals>`
    with this as (select date_trunc('month', ${now}::timestamptz at time zone 'UTC')::date as month),
    last as (select (month - interval '1 month')::date as month from this),
    sums as (
      select month, stake, nft from team_month where member_id = ${memberId}
      union all
      select month, stake, nft from team_pending((select depth from team_member where member_id = ${memberId})) where member_id = ${memberId}
    )
    select coalesce(sum(stake) filter (where month = (select month from last)), 0)::bigint as "lastMonthStakeSumTotal",
      coalesce(sum(stake) filter (where month = (select month from this)), 0)::bigint as "currentMonthStakeSumTotal",
      coalesce(sum(nft) filter (where month = (select month from last)), 0)::bigint as "lastMonthNFTSum",
      coalesce(sum(nft) filter (where month = (select month from this)), 0)::bigint as "currentMonthNFTSum"
    from sums where month in ((select month from this), (select month from last))`.execute(db)
  const row = found.rows[0]
  if (row === undefined) throw new Error('a sum without a group has one row')
  return row
}
