import { type Units, unitsRoundedDown } from '@tizara/money'
import * as v from 'valibot'
import type { PaymentStatus, ProviderPayment } from './payment-provider.ts'

/** An id, which the provider sends as a number or as text. Only visible ASCII characters are allowed, because people compare ids. */
export const idText = v.pipe(
  v.union([v.string(), v.number()]),
  v.transform((value) => String(value)),
  v.minLength(1),
  v.maxLength(64),
  v.regex(/^[\x21-\x7e]+$/),
)

const STATUSES: Readonly<Record<string, PaymentStatus>> = {
  waiting: 'awaiting',
  confirming: 'confirming',
  confirmed: 'confirming',
  sending: 'confirming',
  partially_paid: 'partial',
  finished: 'settled',
  failed: 'failed',
  refunded: 'refunded',
  expired: 'expired',
}

/** Parses JSON and keeps the exact digits of amounts, which a JavaScript number would round. */
export const parseExact = (text: string): unknown =>
  JSON.parse(text, (key, value: unknown, context?: { source?: string }) =>
    key === 'actually_paid' && typeof value === 'number' ? (context?.source ?? String(value)) : value,
  )

/** Reads one payment. A payment that cannot be read gets status `unknown` with the reason, and does not affect other payments. */
export function readPayment(answer: unknown, fallbackId: string): ProviderPayment {
  const fields: Record<string, unknown> = typeof answer === 'object' && answer !== null ? { ...answer } : {}
  const paymentId = v.safeParse(idText, fields.payment_id)
  const orderId = v.safeParse(idText, fields.order_id)
  const paid = fields.actually_paid ?? '0'
  const paidText = shown(paid)
  const actuallyPaid: Units | null = typeof paid === 'string' ? unitsRoundedDown(paid) : null
  const status = STATUSES[shown(fields.payment_status).toLowerCase()]
  const payCurrency = typeof fields.pay_currency === 'string' ? shown(fields.pay_currency).toLowerCase() : null
  const problems = [
    paymentId.success && orderId.success ? '' : 'its ids',
    actuallyPaid === null ? `its amount ${paidText}` : '',
    status === undefined ? `its status ${shown(fields.payment_status)}` : '',
    payCurrency === null ? 'its currency' : '',
  ].filter((problem) => problem !== '')
  const payment = {
    paymentId: paymentId.success ? paymentId.output : fallbackId,
    orderId: orderId.success ? orderId.output : null,
    payCurrency: payCurrency ?? '',
    actuallyPaid: actuallyPaid ?? 0n,
    paidText,
  }
  return problems.length === 0 && status !== undefined
    ? { ...payment, status }
    : { ...payment, status: 'unknown', problem: `could not read ${problems.join(', ')}` }
}

/** Makes a value safe to show: short, without look-alike, reordering or invisible characters. */
function shown(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'none')
  return text.slice(0, 80).replaceAll(/[^\x20-\x7e]/g, '?')
}
