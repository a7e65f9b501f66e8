import { mulDiv, ONE, type Units } from '@tizara/money'
import type { Asset } from '../../../ledger/index.ts'

const COIN_DAILY = { wallet: 'nativeWallet', asset: 'COIN', step: 'day', level: 'level', volume: 'stake' } as const

/** Where daily and monthly rewards come from: stakes, stake logs (Omega), NFTs. The numbers are stored and never change. */
export type Stream = 0 | 1 | 2

/**
 * Where a stream is paid to, under which kind of transfer, how its rewards are called on the wire, and which volume of the
 * teams above its principal adds to.
 */
export const STREAM_FACTS = {
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

/** The kinds of reward that an event makes at once, and where they are paid to. */
export const INSTANT_FACTS = {
  referral: { wallet: 'nativeWallet', asset: 'COIN', transferKind: 'referralReward' },
  level: { wallet: 'nativeWallet', asset: 'COIN', transferKind: 'levelReward' },
  'nft-level': { wallet: 'nftWallet', asset: 'USD', transferKind: 'nftLevelBonus' },
  rank: { wallet: 'nativeWallet', asset: 'COIN', transferKind: 'rankBonus' },
} as const
export type InstantKind = keyof typeof INSTANT_FACTS

/** Levels of the upline that earn (RW-02, RW-04, RW-07, RW-08). */
export const LEVELS = 5

/** The finest percentage of a programme: 4 decimals, so that a share is exact in 64-bit integers. */
const PERCENT_STEP = ONE / 10_000n

/**
 * Whether a percentage may stand in a programme: 0 to 100 with at most 4 decimals.
 * @param percent units of percent
 */
const isShare = (percent: Units) => percent >= 0n && percent <= 100n * ONE && percent % PERCENT_STEP === 0n

/**
 * A share of an amount, rounded down to the unit (invariant I19). The database has the same as `reward_share`.
 * @param amount units
 * @param percent units of percent
 */
export const shareOf = (amount: Units, percent: Units): Units => mulDiv(amount, percent, 100n * ONE, 'down')

/**
 * The level reward of a stake: the share of its amount, times duration / full days where the plan is shorter (RW-02), rounded
 * down.
 * @param stake coin units, and days
 * @param percent units of percent
 * @param fullDays days from which on the share is whole
 */
export function levelReward(stake: { amount: Units; durationDays: number }, percent: Units, fullDays: number): Units {
  return mulDiv(stake.amount, percent * BigInt(Math.min(stake.durationDays, fullDays)), 100n * ONE * BigInt(fullDays), 'down')
}

/**
 * How much of the whole level share a plan brings, in units of percent, rounded down.
 * @param durationDays days of the plan
 * @param fullDays days from which on the share is whole
 */
export const levelSharePercent = (durationDays: number, fullDays: number): Units =>
  levelReward({ amount: 100n * ONE, durationDays }, 100n * ONE, fullDays)

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
  const lists = LISTS.map((list) => rules[list])
  const rising = rules.ranks.every((one, index) => one.bonus >= 0n && one.teamStake > (rules.ranks[index - 1]?.teamStake ?? 0n))
  const named = new Set(rules.ranks.map((one) => one.rank)).size === rules.ranks.length
  const days = rules.fullLevelShareDays
  const timed = Number.isInteger(days) && days >= 1 && days <= 36_500
  return isShare(rules.referralPercent) && timed && rising && named && lists.every((list) => list.length === LEVELS && list.every(isShare))
}

/** A programme as one text: two say the same when their texts are. */
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

const rises = (before: readonly Units[], after: readonly Units[]) => after.some((share, level) => share > (before[level] ?? 0n))

/** Whether one programme may cost more than another: a share rises, or a rank is new, pays more or is reached earlier. */
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
