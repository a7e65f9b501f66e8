import type { Units } from '@tizara/money'

/** A held rank bonus that wants coin to stand on. */
export interface RankClaim {
  id: bigint
  leaderId: bigint
  /** Coin units that the leader's team has to have staked at the same time. */
  teamStake: Units
  /** Whether its clock ran until now. */
  stands: boolean
}

/**
 * Which rank bonuses stand on staked coin of their own (RW-05, RW-14): a coin stands for one leader at a time. Who stands
 * keeps the place as long as the coin is there; then come the others, the oldest first, and of those who
 * reached a rank at once the nearest to the stakes (who came later stands lower). The bonuses of one leader stand on
 * the same coin: the highest threshold counts.
 *
 * Teams lie inside each other, so coin can be handed out if and only if no branch hands out more than it has (Hall's
 * condition for nested sets): it is enough to look at the leader and everyone above.
 * @param claims in the order in which they come
 * @param above leader and everyone above, by leader
 * @param running coin that each one's whole downline has staked now
 * @returns ids of those that stand
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
