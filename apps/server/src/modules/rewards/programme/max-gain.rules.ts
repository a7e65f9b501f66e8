import { formatUnits, ONE, type Units } from '@tizara/money'
import { rankBudget } from './rank-budget.rules.ts'
import type { ProgrammeRules } from './rewards.rules.ts'

/** A stake plan on sale; `apy` is the total percent for its whole duration, in units. */
export interface PlanOnSale {
  name: string
  durationDays: number
  apy: Units
  isOmega: boolean
}

/** An NFT on sale; its months return `totalPercent` on its price, in units. */
export interface NftOnSale {
  name: string
  durationMonths: number
  totalPercent: Units
}

/**
 * All settings that limit the gain from coin (docs/decisions/0009-maximum-group-gain.md). Prices are in USD units for one coin, percentages
 * in units.
 */
export interface Offer {
  rules: ProgrammeRules
  plans: readonly PlanOnSale[]
  nfts: readonly NftOnSale[]
  holdDays: number
  coinPrice: Units
  convertRate: Units
  /** Sum of all fees on a USD withdrawal. */
  withdrawalFeePercent: Units
  /** Fee on a coin payout over the bridge. */
  bridgeFeePercent: Units
  /** Maximum gain of a member group in 30 days above which staff are warned, in percent units. */
  boundWarningPercent: Units
}

/** A round trip: money on the platform is spent and comes back. Gain in 30 days in percent units; null if the round trip takes no time. */
interface Move {
  what: string
  percent: Units | null
}

/** The most that a group of members can extract at an unchanged price (RW-14), in percent units on its capital. */
export interface MaxGain {
  /** Once, on money from outside. */
  once: Units
  /** Largest internal rate of return in 30 days, with all earnings reinvested; null if unbounded. */
  perMonth: Units | null
  /** Each offer and each round trip alone, the largest first. */
  moves: Move[]
  warnings: string[]
}

/** Money that comes back per spent unit, after `after` days. */
interface Payment {
  after: number
  share: number
}

/** A use of one unit of money, with the payments that can be spent again. `daily` pays `share` on each of the days 1 to `days`. */
interface Use {
  what: string
  daily: { days: number; share: number }
  payments: readonly Payment[]
  /** Days until the coin itself is free again without loss; undefined if the coin is spent. */
  lockDays?: number
}

/** Present value of one unit of money. The factor is the discount for one day. */
type ValueOf = (factor: number) => number

const MONTH_DAYS = 30
/** Largest factor in 30 days. Above this factor the programme counts as unbounded, because percent units would exceed 64 bits. */
const MAX_MONTH_FACTOR = 1e8
const BISECTIONS = 60

const share = (percent: Units): number => Number(percent) / 1e10
const sumOf = (list: readonly Units[]): Units => list.reduce((total, one) => total + one, 0n)

/**
 * Returns the maximum group gain (RW-14): the highest return in 30 days that colluding members can extract with any number of accounts, at
 * a constant coin price. The states are money on the platform (coin and USD convert without loss), coin that waits for its referral reward,
 * and money outside. A rate is possible if a round trip of money on the platform is worth more than the money at this rate. Value iteration
 * over the states decides this, and bisection finds the largest such rate.
 */
export function maxGroupGain(offer: Offer): MaxGain {
  const { rules, holdDays, boundWarningPercent } = offer
  const uses = [...offer.plans.map((plan) => stakeUse(plan, rules)), ...offer.nfts.map((nft) => nftUse(nft, rules))]
  const moves: Move[] = [
    ...uses.map((use) => ({ what: use.what, percent: monthlyRate((factor) => valueOf(use, factor)) })),
    ...roundTripsOf(offer).map(({ what, fee }) => ({
      what,
      percent: monthlyRate((factor) => (1 - share(fee)) * valueOfNewMoney(uses, share(rules.referralPercent), holdDays, factor)),
    })),
  ].filter((move) => move.percent !== 0n)
  const boundless = offer.convertRate < offer.coinPrice || moves.some((move) => move.percent === null)
  const perMonth = boundless ? null : moves.reduce((most, { percent }) => (percent !== null && percent > most ? percent : most), 0n)
  const isHigh = perMonth === null || perMonth > boundWarningPercent
  const limit = `the warning limit of ${formatUnits(boundWarningPercent)} % in 30 days`
  return {
    once: rules.referralPercent,
    perMonth,
    moves: moves.toSorted((a, b) => Number((b.percent ?? MAX_PERCENT) - (a.percent ?? MAX_PERCENT))),
    warnings: [...(isHigh ? [`A group of members can take out more than ${limit}`] : []), ...roundTripsOf(offer).map(({ what }) => what)],
  }
}

const MAX_PERCENT = 10n ** 18n

/**
 * Returns the round trips with lower fees than the referral reward that they earn, with the fee of each. Together with an outside buyer
 * such a round trip creates money from nothing. Only fees that are at least as high as the referral share prevent this.
 */
function roundTripsOf({ rules, withdrawalFeePercent, bridgeFeePercent }: Offer): { what: string; fee: Units }[] {
  const fees = (name: string, percent: Units) =>
    `${percent === 0n ? `${name} costs nothing` : `${name} costs ${formatUnits(percent)} %`}: a fee of ${formatUnits(rules.referralPercent)} % prevents this`
  return [
    {
      what: `repeated referral rewards for USD that is withdrawn and deposited again (${fees('a withdrawal', withdrawalFeePercent)})`,
      fee: withdrawalFeePercent,
    },
    {
      what: `repeated referral rewards for coin that is bridged, sold outside and deposited again as USD (${fees('the bridge', bridgeFeePercent)})`,
      fee: bridgeFeePercent,
    },
  ].filter(({ fee }) => fee < rules.referralPercent)
}

/** A stake: daily rewards with bounties, then the level rewards, the rank budget and the principal. */
function stakeUse(plan: PlanOnSale, rules: ProgrammeRules): Use {
  const days = plan.durationDays
  const bounties = share(sumOf(plan.isOmega ? rules.stakeLogBountyPercents : rules.bountyPercents))
  const levels = share(sumOf(plan.isOmega ? rules.stakeLogLevelPercents : rules.levelPercents))
  const full = rules.fullLevelShareDays
  return {
    what: `${plan.name}, ${days} days: all its rewards, staked again each time`,
    daily: { days, share: (share(plan.apy) * (1 + bounties)) / days },
    payments: [{ after: days, share: (levels * Math.min(days, full)) / full + share(rankBudget(100n * ONE, days, rules.ranks)) }],
    lockDays: days,
  }
}

/** An NFT: monthly rewards with bounties, and the level rewards with the first month. The price is spent. */
function nftUse(nft: NftOnSale, rules: ProgrammeRules): Use {
  const month = (share(nft.totalPercent) * (1 + share(sumOf(rules.nftBountyPercents)))) / nft.durationMonths
  const months = Array.from({ length: nft.durationMonths }, (_, index) => ({ after: daysOfMonths(index + 1), share: month }))
  return {
    what: `${nft.name}, ${nft.durationMonths} months: its rewards beyond its price, bought again each time`,
    daily: { days: 0, share: 0 },
    payments: [{ after: daysOfMonths(1), share: share(sumOf(rules.nftLevelPercents)) }, ...months],
  }
}

/** Returns the fewest days that some months can have: those from 1 February 2001 on. */
const daysOfMonths = (months: number): number => Math.round((Date.UTC(2001, 1 + months, 1) - Date.UTC(2001, 1, 1)) / 86_400_000)

/** Returns the value of a use's rewards, without the coin itself. */
function rewardsOf({ daily, payments }: Use, factor: number): number {
  const days = daily.days === 0 ? 0 : daily.share * ((factor * (1 - factor ** daily.days)) / (1 - factor))
  return payments.reduce((total, one) => total + one.share * factor ** one.after, days)
}

const valueOf = (use: Use, factor: number): number => rewardsOf(use, factor) + (use.lockDays === undefined ? 0 : factor ** use.lockDays)

/**
 * Returns the value of one unit of new money, which buys coin and earns a referral reward if the coin stays for the hold period. Iterates
 * over the remaining days: the coin waits for a day, is used until it is free again, or is used for longer.
 */
function valueOfNewMoney(uses: readonly Use[], referral: number, holdDays: number, factor: number): number {
  const used = uses.map((use) => ({ ...use, rewards: rewardsOf(use, factor), discount: factor ** (use.lockDays ?? 0) }))
  const values = [1 + referral]
  for (let left = 1; left <= holdDays; left += 1) {
    const paid = referral * factor ** left
    const choices = used.map(({ rewards, discount, lockDays }) => {
      if (lockDays === undefined) return rewards + paid
      return rewards + discount * (lockDays < left ? (values[left - lockDays] ?? 0) : 1) + (lockDays < left ? 0 : paid)
    })
    values.push(Math.max(1, factor * (values[left - 1] ?? 0), ...choices))
  }
  return values[holdDays] ?? 0
}

/** Returns the largest rate in 30 days at which a round trip is worth more than 1, in percent units rounded up; null if there is none. */
function monthlyRate(value: ValueOf): Units | null {
  const isWorthIt = (monthFactor: number) => value(monthFactor ** (-1 / MONTH_DAYS)) > 1 + 1e-12
  let [low, high] = [1 + 1e-10, MAX_MONTH_FACTOR]
  if (!isWorthIt(low)) return 0n
  if (isWorthIt(high)) return null
  for (let step = 0; step < BISECTIONS; step += 1) {
    const middle = Math.sqrt(low * high)
    if (isWorthIt(middle)) low = middle
    else high = middle
  }
  return BigInt(Math.ceil((high - 1) * 1e10))
}
