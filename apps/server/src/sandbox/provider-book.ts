import { randomBytes, randomInt } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Units } from '@tizara/money'
import * as v from 'valibot'

const units = v.pipe(
  v.string(),
  v.regex(/^\d{1,19}$/),
  v.transform((text) => BigInt(text)),
)

const invoiceSchema = v.object({
  id: v.string(),
  orderId: v.string(),
  price: units,
  noticeUrl: v.string(),
  successUrl: v.string(),
  cancelUrl: v.string(),
  createdAt: v.string(),
  cancelled: v.boolean(),
})
const paymentSchema = v.object({
  id: v.string(),
  invoiceId: v.string(),
  createdAt: v.optional(v.string(), '1970-01-01T00:00:00.000Z'),
  status: v.picklist(['finished', 'partially_paid', 'expired', 'refunded']),
  paid: units,
  /** Failed attempts to send the notice; null once delivered or abandoned. */
  failedNotices: v.nullable(v.number()),
})
const bookSchema = v.object({ invoices: v.array(invoiceSchema), payments: v.array(paymentSchema) })

/** Invoice of the sandbox provider, with the price in USD units. */
export type SandboxInvoice = v.InferOutput<typeof invoiceSchema>
/** Payment for an invoice; `paid` is in test USDT units. */
export type SandboxPayment = v.InferOutput<typeof paymentSchema>
/** Choices for the payer. */
export type Outcome = 'exact' | 'half' | 'double' | 'cancel'

/** Maximum stored invoices; the oldest are deleted first. */
const MAX_ENTRIES = 10_000

/** Invoices and payments of the provider, in memory and in a file that survives a restart. */
export interface ProviderBook {
  addInvoice(invoice: Omit<SandboxInvoice, 'id' | 'createdAt' | 'cancelled'>): SandboxInvoice
  invoice(id: string): SandboxInvoice | undefined
  payment(id: string): SandboxPayment | undefined
  paymentsOf(invoiceId: string): SandboxPayment[]
  /** Returns payments created since a given time, oldest first. */
  paymentsSince(since: string): SandboxPayment[]
  /** Returns payments with an undelivered notice. */
  unannounced(): SandboxPayment[]
  /** Sum over the invoice's payments, in units. */
  paidOf(invoiceId: string): Units
  /** Records the payer's choice; undefined when the invoice is closed. */
  pay(invoice: SandboxInvoice, outcome: Outcome): SandboxPayment | undefined
  /** Records if a payment's notice was delivered. */
  noticeSent(payment: SandboxPayment, arrived: boolean, giveUpAfter: number): void
}

/**
 * Opens the provider's data.
 * @param folder folder of the file; memory only if omitted
 */
export function openBook(folder: string | undefined): ProviderBook {
  const file = folder === undefined ? undefined : path.join(folder, 'payment-provider.json')
  const { invoices, payments } = readBook(file)
  const save = () => {
    while (invoices.size > MAX_ENTRIES) invoices.delete(invoices.keys().next().value ?? '')
    if (file === undefined) return
    const text = JSON.stringify({ invoices: [...invoices.values()], payments: [...payments.values()] }, (_, item: unknown) =>
      typeof item === 'bigint' ? item.toString() : item,
    )
    mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(`${file}.new`, text)
    renameSync(`${file}.new`, file)
  }
  const paymentsOf = (invoiceId: string) => [...payments.values()].filter((payment) => payment.invoiceId === invoiceId)
  const paidOf = (invoiceId: string) => paymentsOf(invoiceId).reduce((sum, payment) => sum + payment.paid, 0n)
  return {
    addInvoice(input) {
      const invoice = { ...input, id: randomBytes(16).toString('hex'), createdAt: new Date().toISOString(), cancelled: false }
      invoices.set(invoice.id, invoice)
      save()
      return invoice
    },
    invoice: (id) => invoices.get(id),
    payment: (id) => payments.get(id),
    paymentsOf,
    paymentsSince: (since) =>
      [...payments.values()].filter(({ createdAt }) => createdAt >= since).toSorted((a, b) => (a.createdAt < b.createdAt ? -1 : 1)),
    unannounced: () => [...payments.values()].filter((payment) => payment.failedNotices !== null),
    paidOf,
    pay(invoice, outcome) {
      if (invoice.cancelled || paidOf(invoice.id) >= invoice.price) return undefined
      const paid = { exact: invoice.price, half: invoice.price / 2n, double: invoice.price * 2n, cancel: 0n }[outcome]
      const isPaidInFull = paidOf(invoice.id) + paid >= invoice.price
      const status = outcome === 'cancel' ? 'expired' : isPaidInFull ? 'finished' : 'partially_paid'
      const payment: SandboxPayment = {
        id: String(randomInt(1e9, 2 ** 47)),
        invoiceId: invoice.id,
        createdAt: new Date().toISOString(),
        status,
        paid,
        failedNotices: 0,
      }
      payments.set(payment.id, payment)
      invoice.cancelled = outcome === 'cancel'
      save()
      return payment
    },
    noticeSent(payment, arrived, giveUpAfter) {
      const failed = (payment.failedNotices ?? 0) + 1
      payment.failedNotices = arrived || failed >= giveUpAfter ? null : failed
      save()
    },
  }
}

function readBook(file: string | undefined) {
  const empty = { invoices: new Map<string, SandboxInvoice>(), payments: new Map<string, SandboxPayment>() }
  if (file === undefined) return empty
  try {
    const book = v.parse(bookSchema, JSON.parse(readFileSync(file, 'utf8')))
    return {
      invoices: new Map(book.invoices.map((invoice) => [invoice.id, invoice])),
      payments: new Map(book.payments.map((payment) => [payment.id, payment])),
    }
  } catch {
    return empty
  }
}
