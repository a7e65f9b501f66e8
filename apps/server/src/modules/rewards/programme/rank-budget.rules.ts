import { mulDiv, type Units } from '@tizara/money'
import type { Rank } from './rewards.rules.ts'

/** A leader's bonus for one rank, with the part that is filled; all in units. */
export interface RankBonus extends Rank {
  /** The programme version of these terms. */
  version: number
  filled: Units
}

/** A leader above a matured stake who may collect from its rank budget. */
export interface Leader {
  id: bigint
  /** Coin units that count for a rank: at most half of a threshold from one direct referral. */
  counted: Units
  /** Bonuses that were begun, by rank. */
  bonuses: Map<string, RankBonus>
}

/** A part of a rank budget for one bonus, in units. */
export interface RankShare {
  leaderId: bigint
  bonus: RankBonus
  amount: Units
  /** The leader's counted coin. */
  counted: Units
  /** True if the part completes the bonus. */
  completes: boolean
}

/** Stakes from this many days carry the full rank budget. */
const FULL_BUDGET_DAYS = 365

/**
 * Returns the coin for rank bonuses that a stake carries (RW-05), rounded down.
 * It is the largest bonus / threshold of the ladder × amount × days / 365, at most once.
 * @param amount coin units
 */
export function rankBudget(amount: Units, days: number, ranks: readonly Rank[]): Units {
  const counted = BigInt(Math.min(days, FULL_BUDGET_DAYS))
  return ranks
    .map(({ bonus, teamStake }) => mulDiv(amount, bonus * counted, teamStake * BigInt(FULL_BUDGET_DAYS), 'down'))
    .reduce((most, one) => (one > most ? one : most), 0n)
}

/**
 * Shares a matured stake's rank budget among the leaders above, nearest first (RW-05).
 * Each leader fills the incomplete bonuses whose thresholds the team holds, lowest first. The rest stays with the caller.
 * A bonus keeps the terms of the stake that began it.
 * @param leaders nearest first; their bonuses are updated
 * @param ladder the ranks of the programme under which the stake was sold
 */
export function shareRankBudget(
  budget: Units,
  leaders: readonly Leader[],
  { version, ranks }: { version: number; ranks: readonly Rank[] },
): RankShare[] {
  const shares: RankShare[] = []
  let left = budget
  for (const leader of leaders) {
    const begun = [...leader.bonuses.values()]
    const fresh = ranks.filter(({ rank, bonus }) => bonus > 0n && !leader.bonuses.has(rank)).map((one) => ({ ...one, version, filled: 0n }))
    for (const bonus of [...begun, ...fresh].toSorted((a, b) => (a.teamStake < b.teamStake ? -1 : 1))) {
      const open = bonus.bonus - bonus.filled
      const amount = open < left ? open : left
      if (amount === 0n || leader.counted < bonus.teamStake) continue
      left -= amount
      bonus.filled += amount
      leader.bonuses.set(bonus.rank, bonus)
      shares.push({ leaderId: leader.id, bonus, amount, counted: leader.counted, completes: bonus.filled === bonus.bonus })
    }
  }
  return shares
}
