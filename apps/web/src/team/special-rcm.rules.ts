import type { specialReferral } from '@tizara/contract/team'
import type { Units } from '@tizara/money'
import type { InferOutput } from 'valibot'

/** Direct referral with their deposits (EN-49). */
export type SpecialReferral = InferOutput<typeof specialReferral>

/** A deposit's UTC month, relative to now. */
export type Month = 'current' | 'last' | 'older'

/** Returns a time's UTC month relative to now (UI-RCM-08). */
export function monthOf(at: Date, now: Date): Month {
  const months = (one: Date): number => one.getUTCFullYear() * 12 + one.getUTCMonth()
  const ago = months(now) - months(at)
  return ago === 0 ? 'current' : ago === 1 ? 'last' : 'older'
}

export interface Deposit {
  key: string
  /** USD units. */
  amount: Units
  createdAt: Date
}

/** Merges payments and deposits, newest first (UI-RCM-09). */
export function depositsOf(referral: SpecialReferral): Deposit[] {
  return [
    ...(referral.payment ?? []).map(({ id, payAmountNum, createdAt }) => ({ key: `payment ${id}`, amount: payAmountNum, createdAt })),
    ...(referral.deposit ?? []).map(({ id, amount, createdAt }) => ({ key: `deposit ${id}`, amount, createdAt })),
  ].toSorted((a, b) => b.createdAt.getTime() - a.createdAt.getTime())
}
