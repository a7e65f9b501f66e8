import { mulDiv, ONE, type Units } from '@tizara/money'

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

/** Days of arrears that the runs make up by themselves (invariant I18). */
export const CATCH_UP_DAYS = 3

/** The finest percentage of a programme: 4 decimals, so that a share is exact in 64-bit integers. */
const PERCENT_STEP = ONE / 10_000n

/**
 * Whether a percentage may stand in a programme: 0 to 100 with at most 4 decimals.
 * @param percent units of percent
 */
export const isShare = (percent: Units) => percent >= 0n && percent <= 100n * ONE && percent % PERCENT_STEP === 0n

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

/**
 * By how much a purchase of coin lifts what its buyer keeps above the highest mark that was ever rewarded (RW-01).
 * @param kept coin units bought less given back before it; below 0 when more was given back
 * @param bought coin units of the purchase
 * @param mark coin units
 */
export function newlyKept(kept: Units, bought: Units, mark: Units): Units {
  const from = kept > mark ? kept : mark
  const to = kept + bought
  return to > from ? to - from : 0n
}

/**
 * The start of a UTC business day.
 * @param day `YYYY-MM-DD`
 */
export const startOfDay = (day: string): Date => new Date(`${day}T00:00:00.000Z`)

/**
 * The last moment of a UTC business day.
 * @param day `YYYY-MM-DD`
 */
export const endOfDay = (day: string): Date => new Date(`${day}T23:59:59.999Z`)

/**
 * A UTC day some days later.
 * @param day `YYYY-MM-DD`
 * @param days how many, below 0 for earlier
 */
export const addDays = (day: string, days: number): string =>
  new Date(startOfDay(day).getTime() + days * 86_400_000).toISOString().slice(0, 10)

/**
 * Days from one UTC day to another.
 * @param from `YYYY-MM-DD`
 * @param to `YYYY-MM-DD`
 */
export const daysBetween = (from: string, to: string): number =>
  Math.round((startOfDay(to).getTime() - startOfDay(from).getTime()) / 86_400_000)
