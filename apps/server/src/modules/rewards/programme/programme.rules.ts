import type { Units } from '@tizara/money'
import type { Asset } from '../../../ledger/index.ts'
import { isShare, LEVELS, type Stream } from './rewards.rules.ts'

/** A rank: reached by the coin that the whole downline has staked, with a bonus once (RW-05). */
export interface Rank {
  rank: string
  teamStake: Units
  bonus: Units
}

/** What a programme says; percentages in units of percent. */
export interface ProgrammeRules {
  /** Of bought coin, to the sponsor (RW-01). */
  referralPercent: Units
  /** Of a new stake, by level of the upline (RW-02). */
  levelPercents: readonly Units[]
  /** Of each daily reward, by level (RW-04). */
  bountyPercents: readonly Units[]
  /** The same for Omega stakes (RW-09). */
  stakeLogLevelPercents: readonly Units[]
  stakeLogBountyPercents: readonly Units[]
  /** Of an NFT's price and of its monthly reward, by level (RW-07, RW-08). */
  nftLevelPercents: readonly Units[]
  nftBountyPercents: readonly Units[]
  /** Days of a stake from which on its level rewards are whole; shorter ones bring their part (RW-02). */
  fullLevelShareDays: number
  /** Lowest first. */
  ranks: readonly Rank[]
}

/** The shares of the upline, by level: of what was sold, and of each reward that it pays. */
export function sharesOf(rules: ProgrammeRules, stream: Stream): { levels: readonly Units[]; bounties: readonly Units[] } {
  if (stream === 0) return { levels: rules.levelPercents, bounties: rules.bountyPercents }
  if (stream === 1) return { levels: rules.stakeLogLevelPercents, bounties: rules.stakeLogBountyPercents }
  return { levels: rules.nftLevelPercents, bounties: rules.nftBountyPercents }
}

/** Whether figures may stand in a programme: shares with at most 4 decimals, five levels, rising ranks of different names. */
export function areValid(rules: ProgrammeRules): boolean {
  const lists = [
    rules.levelPercents,
    rules.bountyPercents,
    rules.stakeLogLevelPercents,
    rules.stakeLogBountyPercents,
    rules.nftLevelPercents,
    rules.nftBountyPercents,
  ]
  const rising = rules.ranks.every((one, index) => one.bonus >= 0n && one.teamStake > (rules.ranks[index - 1]?.teamStake ?? 0n))
  const named = new Set(rules.ranks.map((one) => one.rank)).size === rules.ranks.length
  const days = rules.fullLevelShareDays
  const timed = Number.isInteger(days) && days >= 1 && days <= 36_500
  return isShare(rules.referralPercent) && timed && rising && named && lists.every((list) => list.length === LEVELS && list.every(isShare))
}

const rises = (before: readonly Units[], after: readonly Units[]) => after.some((share, level) => share > (before[level] ?? 0n))

/**
 * Whether one programme may cost more than another: a share rises, or a rank is new, pays more or is reached earlier.
 * @param before the programme that holds
 */
export function isDearer(before: ProgrammeRules, after: ProgrammeRules, asset: Asset): boolean {
  if (asset === 'USD')
    return rises(before.nftLevelPercents, after.nftLevelPercents) || rises(before.nftBountyPercents, after.nftBountyPercents)
  const ranks = new Map(before.ranks.map((one) => [one.rank, one]))
  return (
    after.referralPercent > before.referralPercent ||
    rises(before.levelPercents, after.levelPercents) ||
    rises(before.bountyPercents, after.bountyPercents) ||
    rises(before.stakeLogLevelPercents, after.stakeLogLevelPercents) ||
    rises(before.stakeLogBountyPercents, after.stakeLogBountyPercents) ||
    after.fullLevelShareDays < before.fullLevelShareDays ||
    after.ranks.some((one) => {
      const known = ranks.get(one.rank)
      return known === undefined || one.bonus > known.bonus || one.teamStake < known.teamStake
    })
  )
}
