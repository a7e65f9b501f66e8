import { ONE, type Units } from '@tizara/money'
import type { ProgrammeRules } from '../src/modules/rewards/programme/rewards.rules.ts'

/** For tests: offers that a group uses, with percentages in percent units. */
interface Offers {
  rules: ProgrammeRules
  plans: readonly { days: number; apy: Units; isOmega: boolean }[]
  nft: { durationMonths: number; totalPercent: Units }
  holdDays: number
  /** Fees of withdrawals and bridges. */
  feePercents: readonly Units[]
}

const HUNDRED = 100n * ONE
const sum = (list: readonly Units[]): Units => list.reduce((total, one) => total + one, 0n)
const largest = (list: readonly Units[]): Units => list.reduce((most, one) => (one > most ? one : most), 0n)
/** Returns a share as gain in 30 days, rounded up. */
const perMonth = (share: Units, days: bigint): Units => (share * 30n + days - 1n) / days

/**
 * Returns a group's largest gain without compound interest, in percent units: once on new money, and in 30 days on what it holds each
 * day. It shares no code with the bound that staff see. It adds up the rewards that one unit can earn at a time.
 */
export function linearBound({ rules, plans, nft, holdDays, feePercents }: Offers): { once: Units; perMonth: Units } {
  const rank = largest(rules.ranks.map(({ bonus, teamStake }) => (HUNDRED * bonus) / teamStake))
  const staked = plans.map(({ days, apy, isOmega }) => {
    const bounties = sum(isOmega ? rules.stakeLogBountyPercents : rules.bountyPercents)
    const levels = sum(isOmega ? rules.stakeLogLevelPercents : rules.levelPercents)
    const [counted, full] = [BigInt(Math.min(days, rules.fullLevelShareDays)), BigInt(rules.fullLevelShareDays)]
    const once = (levels * counted) / full + (rank * BigInt(Math.min(days, 365))) / 365n
    return perMonth(apy + (apy * bounties) / HUNDRED + once + 3n, BigInt(days))
  })
  const all = nft.totalPercent + (nft.totalPercent * sum(rules.nftBountyPercents)) / HUNDRED + sum(rules.nftLevelPercents)
  const bought = all > HUNDRED ? perMonth(all - HUNDRED, 28n * BigInt(nft.durationMonths)) : 0n
  const again = largest(feePercents.map((fee) => rules.referralPercent - fee))
  return { once: rules.referralPercent, perMonth: largest([...staked, bought]) + (again > 0n ? perMonth(again, BigInt(holdDays)) : 0n) }
}
