import { mulDiv, type Units } from '@tizara/money'
import type { Rank } from './rewards.rules.ts'

/** A leader's bonus for one rank and its filled part, in units. */
export interface RankBonus extends Rank {
  /** The programme version of these terms. */
  version: number
  filled: Units
}

/** A leader above a matured stake who may collect from its rank budget. */
export interface Leader {
  id: bigint
  /** Coin units that count for a rank. One direct referral contributes at most half of a threshold. */
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
 * Returns the rank budget of a stake (RW-05) in coin units, rounded down: the highest ratio of bonus to threshold in the ranks × amount ×
 * days / 365, at most one year.
 * @param amount coin units
 */
export function rankBudget(amount: Units, days: number, ranks: readonly Rank[]): Units {
  const counted = BigInt(Math.min(days, FULL_BUDGET_DAYS))
  return ranks
    .map(({ bonus, teamStake }) => mulDiv(amount, bonus * counted, teamStake * BigInt(FULL_BUDGET_DAYS), 'down'))
    .reduce((most, one) => (one > most ? one : most), 0n)
}

/**
 * Shares a matured stake's rank budget among the leaders above, nearest first (RW-05). Each leader fills the incomplete bonuses of the
 * reached thresholds, lowest first. The remaining budget is not distributed. A bonus keeps the terms of its first stake.
 * @param leaders nearest first; their bonuses are updated
 * @param ladder the ranks of the programme version under which the stake was sold
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
