import { fillText } from '@tizara/contract/response-texts'
import { formatUnits, mulDiv, type Units } from '@tizara/money'
import { shareOf } from './rewards.rules.ts'

/** Reasons why a coin purchase has no referral reward. The list and the receipt show the text (RW-01). */
export const UNEARNED_REASONS = {
  'no-share': 'The referral reward was 0 % at that time',
  'no-new-money': 'The coin was bought with money that was not deposited, or that earned a reward before',
  'not-entitled': 'Your account was blocked or not verified at that time',
  'too-small': 'The reward would have been less than 0.00000001 coin',
} as const

export type UnearnedReason = keyof typeof UNEARNED_REASONS

/** A coin purchase: coin units, charged USD units, and the new money among them. */
export interface PurchaseFigures {
  coinAmount: Units
  charged: Units
  newMoney: Units
}

/**
 * Computes the referral reward of a coin purchase (RW-01): a share of the coin that new money bought, rounded down.
 * @param percent the programme's share, in percent units
 * @param beneficiaryId the sponsor; undefined if blocked or not verified
 * @returns the sponsor with base and reward in coin units, or the reason for no reward
 */
export function referralOf(
  { coinAmount, charged, newMoney }: PurchaseFigures,
  percent: Units,
  beneficiaryId: bigint | undefined,
): { beneficiaryId: bigint; base: Units; amount: Units } | UnearnedReason {
  if (percent === 0n) return 'no-share'
  if (newMoney === 0n) return 'no-new-money'
  if (beneficiaryId === undefined) return 'not-entitled'
  const base = mulDiv(coinAmount, newMoney, charged, 'down')
  const amount = shareOf(base, percent)
  return amount === 0n ? 'too-small' : { beneficiaryId, base, amount }
}

/**
 * Explains a purchase without a reward, or with a reward for a part of the coin only; null if the whole purchase earned a reward.
 * @param bought coin units of the purchase, and the base of its reward
 */
export function reducedReferralReason(bought: Units | null, base: Units, reason: string | null): string | null {
  if (isUnearnedReason(reason)) return UNEARNED_REASONS[reason]
  if (bought === null || base >= bought) return null
  return fillText('For {amount} of {bought} coin: the rest was bought with money that was not deposited, or that earned a reward before', {
    amount: formatUnits(base),
    bought: formatUnits(bought),
  })
}

const isUnearnedReason = (reason: string | null): reason is UnearnedReason => reason !== null && reason in UNEARNED_REASONS
