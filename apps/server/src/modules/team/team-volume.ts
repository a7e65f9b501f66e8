import type { Units } from '@tizara/money'
import { sql } from 'kysely'
import type { Tx } from '../../platform/database.ts'

/** What a member has added to the volume of everyone above. */
export interface TeamVolume {
  memberId: bigint
  at: Date
  /** Coin units staked. */
  stake?: Units
  /** USD units of NFTs bought. */
  nft?: Units
}

/**
 * Notes a stake or an NFT purchase for the teams above (API-85, API-88). It is a row of its own, so that nobody waits for
 * a leader's totals; reads see it at once.
 */
export async function noteTeamVolume(tx: Tx, volume: TeamVolume): Promise<void> {
  await sql`insert into team_delta (member_id, month, stake, nft)
    values (${volume.memberId}, date_trunc('month', ${volume.at}::timestamptz at time zone 'UTC')::date, ${volume.stake ?? 0n}, ${volume.nft ?? 0n})`.execute(
    tx,
  )
}

/** A member whose team total has grown to the level that was asked for. */
export interface GrownTeam {
  memberId: bigint
  /** Coin units staked by the whole downline. */
  stake: Units
}

/**
 * Folds noted volume into the totals of everyone above. One worker at a time.
 * @param tx a transaction of its own
 * @param batch most notes to fold
 * @param reportFrom totals from this amount on are reported when they have grown
 * @returns how many notes were folded, and the reported teams
 */
export async function foldTeamVolume(tx: Tx, batch: number, reportFrom: Units): Promise<{ folded: number; grown: GrownTeam[] }> {
  const found = await sql<{ folded: number; leader: bigint | null; stake: bigint | null }>`
    select folded, leader, stake from team_fold(${batch}::int, ${reportFrom}::bigint)`.execute(tx)
  const grown = found.rows.flatMap(({ leader, stake }) => (leader === null || stake === null ? [] : [{ memberId: leader, stake }]))
  return { folded: found.rows[0]?.folded ?? 0, grown }
}
