import { mulDiv, ONE, type Units } from '@tizara/money'
import type { Asset } from '../../../ledger/index.ts'

const COIN_DAILY = { wallet: 'nativeWallet', asset: 'COIN', step: 'day', level: 'level', volume: 'stake' } as const

/** Source kinds: stakes, stake logs (Omega) and NFTs. The numbers are stored and never change. */
export type Stream = 0 | 1 | 2

/** Accruals per stream: wallet, transfer kind, wire names for its rewards, and the team volume that its principal adds to. */
export const STREAM_PROPERTIES = {
  0: { ...COIN_DAILY, transferKind: 'stakeRewards', own: 'daily', bounty: 'profit-bounty' },
  1: { ...COIN_DAILY, transferKind: 'stakeLogRewards', own: 'stake-log', bounty: 'stake-log-bounty' },
  2: {
    wallet: 'nftWallet',
    asset: 'USD',
    step: 'month',
    transferKind: 'nftRewards',
    own: 'nft-monthly',
    bounty: 'nft-profit-bounty',
    level: 'nft-level',
    volume: 'nft',
  },
} as const satisfies Record<Stream, object>

/** The instant reward kinds, with wallet and transfer kind. */
export const INSTANT_PROPERTIES = {
  referral: { wallet: 'nativeWallet', asset: 'COIN', transferKind: 'referralReward' },
  level: { wallet: 'nativeWallet', asset: 'COIN', transferKind: 'levelReward' },
  'nft-level': { wallet: 'nftWallet', asset: 'USD', transferKind: 'nftLevelBonus' },
  rank: { wallet: 'nativeWallet', asset: 'COIN', transferKind: 'rankBonus' },
} as const
export type InstantKind = keyof typeof INSTANT_PROPERTIES

/** Upline levels that earn (RW-02, RW-04, RW-07, RW-08). */
export const LEVELS = 5

/** The finest programme percentage: 4 decimals, so that a share is exact in 64-bit integers. */
const PERCENT_STEP = ONE / 10_000n

/**
 * Returns true for a valid programme percentage: 0 to 100 with at most 4 decimals.
 * @param percent percent units
 */
const isShare = (percent: Units) => percent >= 0n && percent <= 100n * ONE && percent % PERCENT_STEP === 0n

/**
 * Returns a share of an amount, rounded down to the unit (invariant I19), like `reward_share` in the database.
 * @param amount units
 * @param percent percent units
 */
export const shareOf = (amount: Units, percent: Units): Units => mulDiv(amount, percent, 100n * ONE, 'down')

/**
 * Returns a stake's level reward: its share, times duration / full days for a shorter plan (RW-02), rounded down.
 * @param stake coin units, and days
 * @param percent percent units
 * @param fullDays days from which the share is full
 */
export function levelReward(stake: { amount: Units; durationDays: number }, percent: Units, fullDays: number): Units {
  return mulDiv(stake.amount, percent * BigInt(Math.min(stake.durationDays, fullDays)), 100n * ONE * BigInt(fullDays), 'down')
}

/**
 * Returns a plan's part in the full level share, in percent units, rounded down.
 * @param durationDays the plan's days
 * @param fullDays days from which the share is full
 */
export const levelSharePercent = (durationDays: number, fullDays: number): Units =>
  levelReward({ amount: 100n * ONE, durationDays }, 100n * ONE, fullDays)

/** A rank: the threshold of coin in the downline's running stakes, and a one-time bonus (RW-05). */
export interface Rank {
  rank: string
  teamStake: Units
  bonus: Units
}

/** Programme rules; percentages in percent units. */
export interface ProgrammeRules {
  /** Share of bought coin for the sponsor (RW-01). */
  referralPercent: Units
  /** Shares of a new stake by upline level (RW-02). */
  levelPercents: readonly Units[]
  /** Shares of each daily reward by upline level (RW-04). */
  bountyPercents: readonly Units[]
  /** The same for Omega stakes (RW-09). */
  stakeLogLevelPercents: readonly Units[]
  stakeLogBountyPercents: readonly Units[]
  /** Shares of an NFT's price and of its monthly reward by upline level (RW-07, RW-08). */
  nftLevelPercents: readonly Units[]
  nftBountyPercents: readonly Units[]
  /** Minimum days of a stake for full level rewards. A shorter stake earns a proportional part (RW-02). */
  fullLevelShareDays: number
  /** Lowest first. */
  ranks: readonly Rank[]
}

/** Returns the upline's shares by level: in the sold principal, and in each reward. */
export function sharesOf(rules: ProgrammeRules, stream: Stream): { levels: readonly Units[]; bounties: readonly Units[] } {
  if (stream === 0) return { levels: rules.levelPercents, bounties: rules.bountyPercents }
  if (stream === 1) return { levels: rules.stakeLogLevelPercents, bounties: rules.stakeLogBountyPercents }
  return { levels: rules.nftLevelPercents, bounties: rules.nftBountyPercents }
}

/** Returns true for valid rules: shares with at most 4 decimals, five levels, rising ranks with distinct names. */
export function areValid(rules: ProgrammeRules): boolean {
  const lists = LISTS.map((list) => rules[list])
  const rising = rules.ranks.every((one, index) => one.bonus >= 0n && one.teamStake > (rules.ranks[index - 1]?.teamStake ?? 0n))
  const named = new Set(rules.ranks.map((one) => one.rank)).size === rules.ranks.length
  const days = rules.fullLevelShareDays
  const timed = Number.isInteger(days) && days >= 1 && days <= 36_500
  return isShare(rules.referralPercent) && timed && rising && named && lists.every((list) => list.length === LEVELS && list.every(isShare))
}

/** Serializes a programme, so that equal programmes have equal texts. */
export const rulesText = ({ ranks, fullLevelShareDays, referralPercent, ...lists }: ProgrammeRules): string =>
  [
    referralPercent,
    fullLevelShareDays,
    ...LISTS.map((list) => lists[list].join()),
    ...ranks.map(({ rank, teamStake, bonus }) => `${rank} ${teamStake} ${bonus}`),
  ].join('|')

const LISTS = [
  'levelPercents',
  'bountyPercents',
  'stakeLogLevelPercents',
  'stakeLogBountyPercents',
  'nftLevelPercents',
  'nftBountyPercents',
] as const

const hasHigherShare = (before: readonly Units[], after: readonly Units[]) => after.some((share, level) => share > (before[level] ?? 0n))

/** Returns true if a programme may cost more: a share rises, or a rank is new, pays more or is reached earlier. */
export function isDearer(before: ProgrammeRules, after: ProgrammeRules, asset: Asset): boolean {
  if (asset === 'USD')
    return (
      hasHigherShare(before.nftLevelPercents, after.nftLevelPercents) || hasHigherShare(before.nftBountyPercents, after.nftBountyPercents)
    )
  const ranks = new Map(before.ranks.map((one) => [one.rank, one]))
  return (
    after.referralPercent > before.referralPercent ||
    hasHigherShare(before.levelPercents, after.levelPercents) ||
    hasHigherShare(before.bountyPercents, after.bountyPercents) ||
    hasHigherShare(before.stakeLogLevelPercents, after.stakeLogLevelPercents) ||
    hasHigherShare(before.stakeLogBountyPercents, after.stakeLogBountyPercents) ||
    after.fullLevelShareDays < before.fullLevelShareDays ||
    after.ranks.some((one) => {
      const known = ranks.get(one.rank)
      return known === undefined || one.bonus > known.bonus || one.teamStake < known.teamStake
    })
  )
}
