import type { PaymentStatus, ProviderPayment } from '../../../gateways/payment-provider/index.ts'
import { expect, it } from 'vitest'
import { creditDue, FAR_OVERPAID, reviewReason } from './payment.rules.ts'

const paid = (status: PaymentStatus, arrived: bigint, more: Partial<ProviderPayment> = {}): ProviderPayment => ({
  paymentId: '1',
  orderId: 'order',
  status,
  payCurrency: 'usdtbsc',
  actuallyPaid: arrived,
  paidText: String(arrived),
  ...more,
})

it.each<[string, ProviderPayment, bigint, boolean, bigint, string | null]>([
  ['awaited', paid('awaiting', 0n), 0n, false, 0n, null],
  ['confirming', paid('confirming', 9n), 0n, false, 0n, null],
  ['partial', paid('partial', 1n), 0n, false, 1n, null],
  ['settled after a part', paid('settled', 10n), 1n, false, 9n, null],
  ['reported again unchanged', paid('settled', 10n), 10n, false, 0n, null],
  ['smaller than before', paid('settled', 9n), 10n, false, 0n, 'less than was credited'],
  ['expired without a credit', paid('failed', 0n), 0n, false, 0n, null],
  ['refunded without a credit', paid('refunded', 10n), 0n, false, 0n, null],
  ['refunded after the smallest credit', paid('refunded', 0n), 1n, false, 0n, 'refunded after the credit'],
  ['expired after a credit', paid('expired', 0n), 10n, false, 0n, 'expired after the credit'],
  ['awaited again after a credit', paid('awaiting', 0n), 10n, false, 0n, 'awaiting after the credit'],
  ['confirming more after a part', paid('confirming', 10n), 10n, false, 0n, null],
  ['confirming less than was credited', paid('confirming', 9n), 10n, false, 0n, 'confirming after the credit'],
  ['settled without an amount', paid('settled', 0n), 0n, false, 0n, 'paid, but nothing arrived'],
  ['in another currency', paid('settled', 10n, { payCurrency: 'usdtmatic' }), 0n, false, 10n, 'paid in usdtmatic'],
  ['larger after a staff decision', paid('settled', 10n), 9n, true, 1n, 'arrived after the decision'],
  ['unchanged after a staff decision', paid('settled', 10n), 10n, true, 0n, null],
  ['of unknown status', paid('unknown', 10n, { problem: 'could not read its status' }), 0n, false, 0n, 'could not read its status'],
])('[I8] credit and review when the payment is: %s', (_, payment, credited, byHand, due, review) => {
  const facts = { payment, credited, byHand, asked: 10n, besides: 0n, alone: 1000n }
  expect([creditDue(facts), reviewReason(facts)]).toEqual([due, review])
})

it.each<[string, bigint, bigint, bigint, string | null]>([
  ['ten times the requested amount', 10n, 0n, 100n, null],
  ['one unit more', 10n, 0n, 101n, FAR_OVERPAID],
  ['ten times the requested amount, earlier payments included', 10n, 99n, 1n, null],
  ['one unit more, earlier payments included', 10n, 99n, 2n, FAR_OVERPAID],
  ['above the request by the solo limit', 5000n, 0n, 6000n, null],
  ['one unit more', 5000n, 0n, 6001n, FAR_OVERPAID],
  ['the requested amount, however large', 9_000_000n, 0n, 9_000_000n, null],
])('[I8] [MF-01] review of large payments: %s', (_, asked, besides, arrived, review) => {
  const facts = { payment: paid('settled', arrived), credited: 0n, byHand: false, asked, besides, alone: 1000n }
  expect(reviewReason(facts)).toBe(review)
  // One missing unit counts like the whole amount.
  expect(reviewReason({ ...facts, credited: arrived - 1n })).toBe(review)
  // A fully credited payment needs no review, even if the limit falls later.
  expect(reviewReason({ ...facts, credited: arrived, alone: 0n })).toBeNull()
})
