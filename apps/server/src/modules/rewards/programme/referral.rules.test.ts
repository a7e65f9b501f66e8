import { ONE } from '@tizara/money'
import { describe, expect, it } from 'vitest'
import { type PurchaseFigures, referralOf, UNEARNED_REASONS, reducedReferralReason } from './referral.rules.ts'

const purchase = (change: Partial<PurchaseFigures> = {}) => ({ coinAmount: 1000n * ONE, charged: 8n * ONE, newMoney: 8n * ONE, ...change })
const FIVE_PERCENT = 5n * ONE

describe('the referral reward of a purchase', () => {
  it('[RW-01] is the share of the coin that new money bought', () => {
    expect(referralOf(purchase(), FIVE_PERCENT, 7n)).toEqual({ beneficiaryId: 7n, base: 1000n * ONE, amount: 50n * ONE })
    expect(referralOf(purchase({ newMoney: 2n * ONE }), FIVE_PERCENT, 7n)).toEqual({
      beneficiaryId: 7n,
      base: 250n * ONE,
      amount: 12n * ONE + ONE / 2n,
    })
  })

  it('[RW-01] is nothing, for one reason, when a condition is missing', () => {
    expect(referralOf(purchase({ newMoney: 0n }), 0n, undefined)).toBe('no-share')
    expect(referralOf(purchase({ newMoney: 0n }), FIVE_PERCENT, undefined)).toBe('no-new-money')
    expect(referralOf(purchase(), FIVE_PERCENT, undefined)).toBe('not-entitled')
    // One unit of new money buys 125 units of coin, and 5 % of 19 units is less than one unit.
    expect(referralOf(purchase({ newMoney: 1n }), FIVE_PERCENT, 7n)).toEqual({ beneficiaryId: 7n, base: 125n, amount: 6n })
    expect(referralOf({ coinAmount: 19n, charged: 1n, newMoney: 1n }, FIVE_PERCENT, 7n)).toBe('too-small')
  })

  it('[RW-01] is explained without the amount of a purchase that earned nothing', () => {
    expect(reducedReferralReason(1000n * ONE, 1000n * ONE, null)).toBeNull()
    expect(reducedReferralReason(1000n * ONE, 250n * ONE, null)).toMatch(/^For 250 of 1000 coin: the rest was bought/)
    for (const [reason, text] of Object.entries(UNEARNED_REASONS)) expect(reducedReferralReason(1000n * ONE, 0n, reason)).toBe(text)
    expect(Object.values(UNEARNED_REASONS).join()).not.toMatch(/1000/)
  })
})
