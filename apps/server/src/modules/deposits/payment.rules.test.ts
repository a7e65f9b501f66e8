import type { PaymentStatus, ProviderPayment } from '../../gateways/payment-provider/index.ts'
import { expect, it } from 'vitest'
import { creditDue, reviewReason } from './payment.rules.ts'

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
])('[I8] %s', (_, payment, credited, byHand, due, review) => {
  expect([creditDue({ payment, credited, byHand }), reviewReason({ payment, credited, byHand })]).toEqual([due, review])
})
