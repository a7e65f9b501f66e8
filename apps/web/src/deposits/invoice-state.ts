import { INVOICE_VALID_MINUTES } from '@tizara/contract'
import type { TokenPayment } from '../lib/proofs/browser-wallet.ts'
import type { Step } from '../ui/stepper.tsx'
import { depositMessages as text } from './deposits.messages.ts'

/** Payment states (ST-64). */
export type InvoiceState = 'waiting' | 'processing' | 'success' | 'expired'

/** Payment status from the invoice service. */
export interface PaymentStatus {
  status?: boolean | null | undefined
  payment_status?: string | null | undefined
}

/**
 * Returns an invoice's displayed state.
 * @param late true if the invoice is older than 20 minutes
 * @returns success when completed with status false (ST-66); processing while status is true (ST-67, ST-69), never expired then (ST-73);
 * expired past 20 minutes (ST-70); else waiting (ST-68)
 */
export function invoiceState(payment: PaymentStatus | undefined, late: boolean): InvoiceState {
  if (payment?.status === true) return 'processing'
  if (payment?.status === false && payment.payment_status?.toLowerCase() === 'completed') return 'success'
  return late ? 'expired' : 'waiting'
}

/** Returns an invoice's end: 20 minutes after creation (CO-36, ST-70). */
export const endOfInvoice = (createdAt: Date): number => createdAt.getTime() + INVOICE_VALID_MINUTES * 60_000

/** Returns the server clock's lead over the browser's in milliseconds; 0 if the response has no time. */
export const clockAhead = (answer: { server_time?: Date | undefined } | undefined, at: number): number =>
  answer?.server_time === undefined ? 0 : answer.server_time.getTime() - at

/** Returns an invoice's steps (UI-INVOICE-08 to UI-INVOICE-10). */
export function invoiceSteps(state: InvoiceState): Step[] {
  const order: readonly InvoiceState[] = ['waiting', 'processing', 'success']
  const reached = order.indexOf(state)
  const steps: Step[] = order.map((key, index) => ({
    key,
    label: text[key],
    state:
      state === 'expired'
        ? index === 0
          ? 'done'
          : 'todo'
        : index < reached || state === 'success'
          ? 'done'
          : index === reached
            ? 'current'
            : 'todo',
  }))
  return state === 'expired' ? [...steps.slice(0, 1), { key: 'expired', label: text.expired, state: 'failed' }] : steps
}

/**
 * Returns the amount left to send.
 * @param amount requested, in units
 * @param received so far, in units; undefined if the service does not report it
 */
export const stillToPay = (amount: bigint, received: bigint | undefined): bigint =>
  received !== undefined && received > 0n && received < amount ? amount - received : amount

/** An invoice's QR code content. */
export interface PaymentTarget {
  wallet_address: string
  amount: bigint
  chain_id?: number | undefined
  token_address?: string | undefined
  token_decimals?: number | undefined
}

/** Returns the token transfer that pays an amount; undefined unless chain, token and decimals are known. */
export function tokenPayment({
  wallet_address: to,
  amount: units,
  chain_id: chainId,
  token_address: token,
  token_decimals: decimals,
}: PaymentTarget): TokenPayment | undefined {
  if (chainId === undefined || token === undefined || decimals === undefined || decimals < 8 || units <= 0n) return undefined
  return { chainId, token, to, amount: units * 10n ** BigInt(decimals - 8) }
}

/** Builds the QR text: an EIP-681 token transfer if chain, token and decimals are known, else the address. */
export function paymentUri(target: PaymentTarget): string {
  const payment = tokenPayment(target)
  if (payment === undefined) return target.wallet_address
  return `ethereum:${payment.token}@${payment.chainId}/transfer?address=${payment.to}&uint256=${payment.amount}`
}
