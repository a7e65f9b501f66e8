import { NEW_DEVICE_DAYS, type PayoutRule } from '@tizara/contract/staff-payout-rules'
import type { Units } from '@tizara/money'

/** What the rules know about a payout and its member at a moment. */
export interface PayoutFacts {
  kind: 'withdrawal' | 'bridge'
  amount: Units
  /** Whole days since the registration. */
  accountDays: number
  /** Whole days since the first sign-in from the newest device; 0 without a device, for example after the member reported an attacker. */
  deviceDays: number
  /** True if the address is in the member's address book and its waiting time was over at the request. */
  isBookAddress: boolean
  /** True if neither the account nor the request has a warning. */
  isClean: boolean
}

/** Returns the first rule that matches a payout; undefined if staff decide. */
export const matchPayoutRule = (rules: readonly PayoutRule[], facts: PayoutFacts): PayoutRule | undefined =>
  rules.find((rule) => rule.kind === facts.kind && matches(rule, facts))

function matches(rule: PayoutRule, { amount, accountDays, deviceDays, isBookAddress, isClean }: PayoutFacts): boolean {
  if (rule.action === 'queue') return amount > rule.above
  if (rule.action === 'hold') return amount > rule.above && deviceDays < rule.newDeviceDays
  return amount <= rule.atMost && isClean && isBookAddress && deviceDays >= NEW_DEVICE_DAYS && accountDays >= rule.accountDays
}
