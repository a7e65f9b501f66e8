import { sql } from 'kysely'
import { DAY_MS } from '../../../platform/runtime/clock.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { currentSettings } from '../../settings/index.ts'
import { noteHeld, takeHeldBack } from '../pool/promises.ts'
import { type RankClaim, standingClaims } from './rank-standing.rules.ts'

interface HeldBonus extends RankClaim {
  amount: bigint
  releaseAt: Date
  promised: boolean
  earns: boolean
  /** When its hold stopped; null while it runs. */
  stoodSince: Date | null
}

/**
 * Runs a pending rank bonus's hold while staked team coin counts for it alone, and stops it otherwise (RW-05, RW-14).
 * So each bonus has its threshold to itself for the whole hold. A bonus occupies no coin after its hold, or while the member is blocked or
 * unverified.
 * A hold stopped for a full hold period ends the liability until it runs again. Otherwise the ranks above one large stake would tie up the
 * pool for good.
 * @returns how many bonuses it started, stopped or removed from the liabilities
 */
export async function standRanks(tx: Tx, now: Date): Promise<number> {
  const found = await sql<HeldBonus>`
    select i.id, i.beneficiary_id as "leaderId", i.waits_ms is null as stands, i.amount - i.reversed as amount, i.release_at as "releaseAt", i.promised,
      i.release_at - i.waits_ms * interval '1 millisecond' as "stoodSince",
      m.is_verified and m.is_active as earns,
      (select (r ->> 'teamStake')::bigint from reward_programme p cross join jsonb_array_elements(p.ranks) r
        where p.version = i.programme_version and r ->> 'rank' = i.rank) as "teamStake"
    from reward_instant i join member m on m.id = i.beneficiary_id
    where i.kind = 'rank' and i.status = 'held' and (i.waits_ms is not null or i.release_at > ${now})
    order by i.created_at, i.beneficiary_id desc, i.id`.execute(tx)
  if (found.rows.length === 0) return 0
  const claims = found.rows.filter((row) => row.earns)
  const { above, running } = await teamsOf(tx, [...new Set(claims.map((claim) => claim.leaderId))])
  const standing = standingClaims(claims, above, running)
  const { rewardHoldDays } = await currentSettings(tx, now)
  const latest = new Date(now.getTime() - rewardHoldDays * DAY_MS)
  const moves = (row: HeldBonus) => row.stands !== standing.has(row.id)
  const lapses = (row: HeldBonus) => !row.stands && row.promised && row.stoodSince !== null && row.stoodSince <= latest
  const held = await holdAsRead(
    tx,
    found.rows.filter((row) => moves(row) || lapses(row)),
  )
  await letLapse(
    tx,
    held.filter((row) => !moves(row)),
  )
  await startOrStop(tx, now, held.filter(moves))
  return held.length
}

/** Locks only the bonuses that will change. One changed by another transaction since waits for the next run. */
async function holdAsRead(tx: Tx, rows: readonly HeldBonus[]): Promise<HeldBonus[]> {
  if (rows.length === 0) return []
  const same = await sql<{ id: bigint }>`
    select i.id from reward_instant i
    join unnest(${rows.map((row) => row.id)}::bigint[], ${rows.map((row) => row.amount)}::bigint[], ${rows.map((row) => row.promised)}::boolean[],
      ${rows.map((row) => row.stands)}::boolean[]) r (id, amount, promised, stands) on r.id = i.id
    where i.status = 'held' and i.amount - i.reversed = r.amount and i.promised = r.promised and (i.waits_ms is null) = r.stands
    order by i.id for update of i`.execute(tx)
  const ids = new Set(same.rows.map(({ id }) => id))
  return rows.filter((row) => ids.has(row.id))
}

/** Ends the liabilities for bonuses whose hold was stopped too long. */
async function letLapse(tx: Tx, lapsed: readonly HeldBonus[]): Promise<void> {
  if (lapsed.length === 0) return
  await sql`update reward_instant set promised = false where id = any (${lapsed.map((row) => row.id)}::bigint[])`.execute(tx)
  await takeHeldBack(
    tx,
    lapsed.map(({ amount, releaseAt }) => ({ kind: 'rank', amount, releaseAt })),
  )
}

/** Starts stopped holds, which restores their liabilities, and stops running ones. */
async function startOrStop(tx: Tx, now: Date, changed: readonly HeldBonus[]): Promise<void> {
  if (changed.length === 0) return
  const ids = changed.map((row) => row.id)
  const moved = await sql<{ id: bigint; releaseAt: Date }>`
    update reward_instant set promised = promised or waits_ms is not null,
      release_at = case when waits_ms is null then release_at else ${now}::timestamptz + waits_ms * interval '1 millisecond' end,
      waits_ms = case when waits_ms is null then greatest(0, extract(epoch from release_at - ${now}::timestamptz) * 1000)::bigint end
    where id = any (${ids}::bigint[]) returning id, release_at as "releaseAt"`.execute(tx)
  const releases = new Map(moved.rows.map((row) => [row.id, row.releaseAt]))
  const asPromise = ({ id, amount, releaseAt }: HeldBonus) => ({ id, kind: 'rank', amount, releaseAt })
  await takeHeldBack(tx, changed.filter((row) => row.promised).map(asPromise))
  await noteHeld(
    tx,
    changed
      .filter((row) => row.promised || !row.stands)
      .map(asPromise)
      .map((one) => ({ ...one, releaseAt: releases.get(one.id) ?? one.releaseAt })),
  )
}

/** Returns the leaders with all uplines, and the coin that each one's team has staked now. */
async function teamsOf(tx: Tx, leaders: readonly bigint[]) {
  const found = await sql<{ leaderId: bigint; id: bigint; running: bigint }>`
    with recursive line as (
      select id as leader, id from unnest(${leaders}::bigint[]) id
      union all
      select line.leader, t.sponsor_id from line join team_member t on t.member_id = line.id where t.sponsor_id is not null
    )
    select line.leader as "leaderId", line.id, coalesce((select running from team_total where member_id = line.id), 0) as running from line`.execute(
    tx,
  )
  const above = new Map<bigint, bigint[]>()
  for (const { leaderId, id } of found.rows) above.set(leaderId, [...(above.get(leaderId) ?? []), id])
  return { above, running: new Map(found.rows.map((row) => [row.id, row.running])) }
}
