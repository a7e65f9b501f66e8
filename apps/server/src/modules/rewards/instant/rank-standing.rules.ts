import type { Units } from '@tizara/money'

/** A pending rank bonus that needs staked coin. */
export interface RankClaim {
  id: bigint
  leaderId: bigint
  /** Coin units that the leader's team must have staked at the same time. */
  teamStake: Units
  /** True if its hold has been running. */
  stands: boolean
}

/**
 * Selects the rank bonuses that have their own staked coin (RW-05, RW-14): each coin counts for one leader at a time.
 * A running bonus keeps its coin while the coin is staked. The others follow, oldest first. Among leaders who reached a rank at once, the
 * one nearest to the stakes comes first. One leader's bonuses share coin: the highest threshold counts.
 * Teams are nested, so coin can be assigned if and only if no branch assigns more than it has (Hall's condition for nested sets). Checking
 * the leader and all uplines is enough.
 * @param claims in their order of precedence
 * @param above each leader with all uplines
 * @param running coin that each member's downline has staked now, in units
 * @returns the selected bonuses' ids
 */
export function standingClaims(
  claims: readonly RankClaim[],
  above: ReadonlyMap<bigint, readonly bigint[]>,
  running: ReadonlyMap<bigint, Units>,
): Set<bigint> {
  const free = new Map(running)
  const taken = new Map<bigint, Units>()
  const standing = new Set<bigint>()
  for (const claim of [...claims.filter((one) => one.stands), ...claims.filter((one) => !one.stands)]) {
    const held = taken.get(claim.leaderId) ?? 0n
    const more = claim.teamStake > held ? claim.teamStake - held : 0n
    const line = above.get(claim.leaderId) ?? []
    if (line.length === 0 || line.some((id) => (free.get(id) ?? 0n) < more)) continue
    for (const id of line) free.set(id, (free.get(id) ?? 0n) - more)
    taken.set(claim.leaderId, held + more)
    standing.add(claim.id)
  }
  return standing
}
