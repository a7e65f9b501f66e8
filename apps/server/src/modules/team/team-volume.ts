import type { Units } from '@tizara/money'
import { sql } from 'kysely'
import { utcDay } from '../../platform/runtime/clock.ts'
import type { Tx } from '../../platform/db/database.ts'
import { insertRows } from '../../platform/db/insert-rows.ts'

/** A member's contribution to all uplines' volume. */
export interface TeamVolume {
  memberId: bigint
  at: Date
  /** Coin units staked, running or ended. */
  stake?: Units
  /** Coin units newly staked, or ended (negative). */
  running?: Units
  /** NFTs bought, in USD units. */
  nft?: Units
}

/**
 * Records stakes or NFT purchases for the teams above (API-85, API-88) as separate rows, so that no call waits for a leader's totals. Reads
 * include these rows at once.
 */
export async function recordTeamVolume(tx: Tx, volumes: readonly TeamVolume[]): Promise<void> {
  const rows = volumes.map(({ memberId, at, stake = 0n, running = 0n, nft = 0n }) => ({
    member_id: memberId,
    month: `${utcDay(at).slice(0, 7)}-01`,
    stake,
    nft,
    running,
  }))
  await insertRows(tx, 'team_pending_delta', rows)
}

/**
 * Records ended stakes for the upline teams.
 * @param at when they ended
 */
export async function recordStakesEnded(tx: Tx, at: Date, ended: readonly { memberId: bigint; amount: Units }[]): Promise<void> {
  await sql`insert into team_pending_delta (member_id, month, running)
    select member_id, date_trunc('month', ${at}::timestamptz at time zone 'UTC')::date, -sum(amount)
    from unnest(${ended.map((one) => one.memberId)}::bigint[], ${ended.map((one) => one.amount)}::bigint[]) e (member_id, amount)
    group by 1`.execute(tx)
}

/** A member whose team total changed at or above the requested amount. */
export interface ChangedTeam {
  memberId: bigint
  /** Coin units that the whole downline has staked now. */
  running: Units
}

/**
 * Adds pending volume to the totals of all uplines. A second transaction waits until the end of the first.
 * @param reportFrom coin units; changed teams at or above it, before or after, are reported
 * @returns the number of applied rows, and the reported teams
 */
export async function applyPendingTeamVolume(
  tx: Tx,
  batch: number,
  reportFrom: Units,
): Promise<{ folded: number; changed: ChangedTeam[] }> {
  // Serializes the writers, because the end of stakes also adds pending volume.
  await sql`select pg_advisory_xact_lock(hashtextextended('team totals', 0))`.execute(tx)
  const found = await sql<{ folded: number; leader: bigint | null; running: bigint | null }>`
    select folded, leader, running from team_fold(${batch}::int, ${reportFrom}::bigint)`.execute(tx)
  const changed = found.rows.flatMap(({ leader, running }) => (leader === null || running === null ? [] : [{ memberId: leader, running }]))
  return { folded: found.rows[0]?.folded ?? 0, changed }
}
