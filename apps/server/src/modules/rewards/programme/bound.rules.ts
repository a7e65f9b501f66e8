import { formatUnits, mulDiv, ONE, type Units } from '@tizara/money'
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
 * All settings that limit the earnings of coin (docs/decisions/0009-no-free-money.md). Prices in USD units for one coin, percentages in
 * units.
 */
export interface Offer {
  rules: ProgrammeRules
  plans: readonly PlanOnSale[]
  nfts: readonly NftOnSale[]
  holdDays: number
  coinPrice: Units
  convertRate: Units
  /** All fees on a USD withdrawal together. */
  withdrawalFeePercent: Units
  /** Fee on a coin payout over the bridge. */
  bridgeFeePercent: Units
}

/** One way to earn, with its gain in 30 days per 100 capital, in percent units. */
interface Move {
  what: string
  percent: Units
}

/** The most that a group of members can extract at an unchanged price (RW-14), in percent units on its capital. */
export interface Bound {
  /** Once, on money from outside. */
  once: Units
  /** In 30 days, on all present capital including earnings; null if unbounded. */
  perMonth: Units | null
  /** The moves that reach it; their sums are the figures above. */
  moves: Move[]
}

const MONTH_DAYS = 30n
/** Days in the shortest month. */
const NFT_MONTH_DAYS = 28n
const HUNDRED = 100n * ONE

const sumOf = (list: readonly Units[]) => list.reduce((total, one) => total + one, 0n)
const perMonth = (share: Units, days: bigint): Units => mulDiv(share, MONTH_DAYS, days, 'up')
const best = <T extends { total: Units }>(list: readonly T[]): T | undefined => list.toSorted((a, b) => Number(b.total - a.total))[0]

/**
 * Returns the most that colluding members can extract at an unchanged coin price, with any number of accounts (RW-14).
 * At any moment a coin is in one stake or paid for one NFT; each pays by its days, and a stake's rank budget is handed out once. USD from
 * outside earns a referral reward once. After a round trip it earns again, less the fees: as USD, or as coin sold to a buyer outside.
 */
export function programmeBound(offer: Offer): Bound {
  const { rules, holdDays } = offer
  const hold = BigInt(holdDays)
  const stake = best(offer.plans.map((plan) => stakeMoves(plan, rules)))
  const again = waysOut(offer).toSorted((a, b) => Number(b.percent - a.percent))[0]
  const nft = best(offer.nfts.map((one) => nftMove(one, rules)))
  const moves: Move[] = stake?.moves ?? []
  const staked = sumOf(moves.map((move) => move.percent))
  const lasting = nft !== undefined && nft.total > staked ? [{ what: nft.what, percent: nft.total }] : [...moves]
  if (again !== undefined && hold > 0n) lasting.push({ what: again.what, percent: perMonth(again.percent, hold) })
  const boundless = (hold === 0n && again !== undefined) || offer.convertRate < offer.coinPrice
  const once: Move = {
    what: `once, ${holdDays} days after the money came: the referral reward of coin bought with it`,
    percent: rules.referralPercent,
  }
  return {
    once: rules.referralPercent,
    perMonth: boundless ? null : sumOf(lasting.map((move) => move.percent)),
    moves: [...(once.percent > 0n ? [once] : []), ...lasting.filter((move) => move.percent > 0n)],
  }
}

/**
 * Returns the round trips that cost less than the referral reward they earn again.
 * With a buyer outside they create money from nothing; only fees at least as high as the referral share prevent them.
 */
export function waysOut({ rules, withdrawalFeePercent, bridgeFeePercent }: Offer): Move[] {
  const fees = (name: string, percent: Units) =>
    `${percent === 0n ? `${name} costs nothing` : `${name} costs ${formatUnits(percent)} %`}: this ends where it costs ${formatUnits(rules.referralPercent)} %`
  return [
    {
      what: `referral rewards again for USD that is withdrawn and comes back (${fees('a withdrawal', withdrawalFeePercent)})`,
      percent: rules.referralPercent - withdrawalFeePercent,
    },
    {
      what: `referral rewards again for coin that leaves over the bridge, is sold outside and comes back as USD (${fees('the bridge', bridgeFeePercent)})`,
      percent: rules.referralPercent - bridgeFeePercent,
    },
  ].filter((way) => way.percent > 0n)
}

function stakeMoves(plan: PlanOnSale, rules: ProgrammeRules): { total: Units; moves: Move[] } {
  const days = BigInt(plan.durationDays)
  const bounties = sumOf(plan.isOmega ? rules.stakeLogBountyPercents : rules.bountyPercents)
  const levels = sumOf(plan.isOmega ? rules.stakeLogLevelPercents : rules.levelPercents)
  const full = BigInt(rules.fullLevelShareDays)
  const moves: Move[] = [
    { what: `daily rewards of ${plan.name}, ${plan.durationDays} days, staked again each time`, percent: perMonth(plan.apy, days) },
    { what: 'profit bounties on them for five accounts above', percent: perMonth(mulDiv(plan.apy, bounties, HUNDRED, 'up'), days) },
    {
      what: 'level rewards of each stake for five accounts above',
      percent: perMonth(mulDiv(levels, days < full ? days : full, full, 'up'), days),
    },
    // A budget of 100 % in units of 10^-8 loses less than 10^-8 percent by its rounding.
    { what: 'rank bonuses that its rank budget fills', percent: perMonth(rankBudget(HUNDRED, plan.durationDays, rules.ranks) + 1n, days) },
  ]
  return { total: sumOf(moves.map((move) => move.percent)), moves }
}

/** Returns an NFT's gain above its price, which is not refunded. Level bonuses above the price return with the first month. */
function nftMove(nft: NftOnSale, rules: ProgrammeRules): { total: Units; what: string } {
  const levels = sumOf(rules.nftLevelPercents)
  const all = nft.totalPercent + mulDiv(nft.totalPercent, sumOf(rules.nftBountyPercents), HUNDRED, 'up') + levels
  const gain = all > HUNDRED ? perMonth(all - HUNDRED, BigInt(nft.durationMonths) * NFT_MONTH_DAYS) : 0n
  const early = levels > HUNDRED ? perMonth(all - HUNDRED, NFT_MONTH_DAYS) : 0n
  return { total: early > gain ? early : gain, what: `${nft.name}: its rewards and bounties beyond its price` }
}
