import type { PaymentStatus, ProviderPayment } from '../../gateways/payment-provider/index.ts'
import { expect, it } from 'vitest'
import { creditDue, FAR_MORE, reviewReason } from './payment.rules.ts'

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
  ['nothing yet', paid('awaiting', 0n), 0n, false, 0n, null],
  ['on its way', paid('confirming', 9n), 0n, false, 0n, null],
  ['a part', paid('partial', 1n), 0n, false, 1n, null],
  ['the rest of it', paid('settled', 10n), 1n, false, 9n, null],
  ['the same again', paid('settled', 10n), 10n, false, 0n, null],
  ['less than before', paid('settled', 9n), 10n, false, 0n, 'less than was credited'],
  ['ended with nothing credited', paid('failed', 0n), 0n, false, 0n, null],
  ['given back, nothing credited', paid('refunded', 10n), 0n, false, 0n, null],
  ['given back after the least credit', paid('refunded', 0n), 1n, false, 0n, 'refunded after it was credited'],
  ['ran out after a credit', paid('expired', 0n), 10n, false, 0n, 'expired after it was credited'],
  ['waiting again after a credit', paid('awaiting', 0n), 10n, false, 0n, 'awaiting after it was credited'],
  ['more on its way to a part', paid('confirming', 10n), 10n, false, 0n, null],
  ['less on its way than was credited', paid('confirming', 9n), 10n, false, 0n, 'confirming after it was credited'],
  ['done, and nothing came', paid('settled', 0n), 0n, false, 0n, 'paid, and nothing arrived'],
  ['another currency', paid('settled', 10n, { payCurrency: 'usdtmatic' }), 0n, false, 10n, 'paid in usdtmatic'],
  ['more after a person has decided', paid('settled', 10n), 9n, true, 1n, 'arrived after a person had decided'],
  ['the same after a person has decided', paid('settled', 10n), 10n, true, 0n, null],
  ['nobody knows', paid('unknown', 10n, { problem: 'could not read its status' }), 0n, false, 0n, 'could not read its status'],
])('[I8] credit and review when the payment is: %s', (_, payment, credited, byHand, due, review) => {
  const facts = { payment, credited, byHand, asked: 10n, besides: 0n, alone: 1000n }
  expect([creditDue(facts), reviewReason(facts)]).toEqual([due, review])
})

it.each<[string, bigint, bigint, bigint, string | null]>([
  ['ten times what was asked for', 10n, 0n, 100n, null],
  ['a unit more than that', 10n, 0n, 101n, FAR_MORE],
  ['ten times, with what came before', 10n, 99n, 1n, null],
  ['a unit more than that, with what came before', 10n, 99n, 2n, FAR_MORE],
  ['more by what one person decides', 5000n, 0n, 6000n, null],
  ['a unit more than that', 5000n, 0n, 6001n, FAR_MORE],
  ['as much as was asked for, however much', 9_000_000n, 0n, 9_000_000n, null],
])('[I8] [MF-01] review of large payments: %s', (_, asked, besides, arrived, review) => {
  const facts = { payment: paid('settled', arrived), credited: 0n, byHand: false, asked, besides, alone: 1000n }
  expect(reviewReason(facts)).toBe(review)
  // One missing unit counts like the whole amount.
  expect(reviewReason({ ...facts, credited: arrived - 1n })).toBe(review)
  // A fully credited payment needs no review, even if the limit falls later.
  expect(reviewReason({ ...facts, credited: arrived, alone: 0n })).toBeNull()
})
