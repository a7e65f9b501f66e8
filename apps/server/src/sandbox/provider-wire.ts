import { formatUnits, parseUnits, type Units, unitsFromNumber } from '@tizara/money'
import * as v from 'valibot'
import type { SandboxInvoice, SandboxPayment } from './provider-book.ts'

const httpUrl = v.pipe(v.string(), v.url(), v.regex(/^https?:/), v.maxLength(2000))

/** Request body for `POST /v1/invoice`. */
export const invoiceBody = v.object({
  price_amount: v.pipe(
    v.number(),
    v.transform((value) => unitsFromNumber(value)),
    v.bigint(),
    v.minValue(1n),
  ),
  price_currency: v.literal('usd'),
  order_id: v.pipe(v.string(), v.minLength(1), v.maxLength(64)),
  ipn_callback_url: httpUrl,
  success_url: httpUrl,
  cancel_url: httpUrl,
})

/** Serializes JSON with units as exact decimal numbers. */
export const wireJson = (value: unknown) =>
  JSON.stringify(value, (_, item: unknown) => (typeof item === 'bigint' ? JSON.rawJSON(formatUnits(item)) : item))

/** Formats a payment for the API and the notices. */
export function paymentAnswer(
  payment: Pick<SandboxPayment, 'id' | 'status' | 'paid'>,
  invoice: Pick<SandboxInvoice, 'id' | 'orderId' | 'price'>,
) {
  return {
    payment_id: payment.id,
    payment_status: payment.status,
    invoice_id: invoice.id,
    order_id: invoice.orderId,
    price_amount: invoice.price,
    price_currency: 'usd',
    pay_amount: invoice.price,
    actually_paid: payment.paid,
    pay_currency: 'usdtbsc',
    outcome_amount: payment.paid,
    outcome_currency: 'usdtbsc',
    fee: { currency: 'usdtbsc', depositFee: 0n, serviceFee: 0n, withdrawalFee: 0n },
  }
}

export function invoiceAnswer(invoice: SandboxInvoice, baseUrl: string) {
  return {
    id: invoice.id,
    order_id: invoice.orderId,
    price_amount: invoice.price,
    price_currency: 'usd',
    invoice_url: `${baseUrl}/pay/${invoice.id}`,
    created_at: invoice.createdAt,
  }
}

/** Id for a demo story payment, from before this provider's state. The id contains the payment's data. */
export const storyPaymentId = (orderId: string, paid: Units): string => `demo-${formatUnits(paid)}-${orderId}`

/** Returns the API's answer about a payment of the demo story; undefined for other ids. */
export function storyPaymentAnswer(id: string) {
  const [, paidText = '', orderId = ''] = /^demo-(\d+(?:\.\d+)?)-(.+)$/.exec(id) ?? []
  const paid = parseUnits(paidText, 8)
  if (paid === null || orderId === '') return undefined
  const invoice = { id: `story-${orderId}`, orderId, price: paid }
  return paymentAnswer({ id, status: 'finished', paid }, invoice)
}
