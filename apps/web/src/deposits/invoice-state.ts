import { INVOICE_VALID_MINUTES } from '@tizara/contract'
import type { Step } from '../ui/stepper.tsx'
import { depositMessages as text } from './deposits.messages.ts'

/** The states of a payment (ST-64). */
export type InvoiceState = 'waiting' | 'processing' | 'success' | 'expired'

/** What the invoice service says of a payment. */
export interface PaymentStatus {
  status?: boolean | null | undefined
  payment_status?: string | null | undefined
}

/**
 * The state of an invoice on screen.
 * @param late whether the invoice is older than 20 minutes
 * @returns success when completed with status false (ST-66), processing while status is true (ST-67, ST-69) and then
 *   never expired (ST-73), expired past 20 minutes (ST-70), else waiting (ST-68)
 */
export function invoiceState(payment: PaymentStatus | undefined, late: boolean): InvoiceState {
  if (payment?.status === true) return 'processing'
  if (payment?.status === false && payment.payment_status?.toLowerCase() === 'completed') return 'success'
  return late ? 'expired' : 'waiting'
}

/** When an invoice ends: 20 minutes after it was made (CO-36, ST-70). */
export const endOfInvoice = (createdAt: Date): number => createdAt.getTime() + INVOICE_VALID_MINUTES * 60_000

/** By how many milliseconds the server's clock is ahead of the browser's; 0 when an answer does not tell the time. */
export const clockAhead = (answer: { server_time?: Date | undefined } | undefined, at: number): number =>
  answer?.server_time === undefined ? 0 : answer.server_time.getTime() - at

/** The steps of an invoice in a state (UI-INVOICE-08 to UI-INVOICE-10). */
export function invoiceSteps(state: InvoiceState): Step[] {
  const order: readonly InvoiceState[] = ['waiting', 'processing', 'success']
  const reached = order.indexOf(state)
  const steps: Step[] = order.map((key, place) => ({
    key,
    label: text[key],
    state:
      state === 'expired'
        ? place === 0
          ? 'done'
          : 'todo'
        : place < reached || state === 'success'
          ? 'done'
          : place === reached
            ? 'current'
            : 'todo',
  }))
  return state === 'expired' ? [...steps.slice(0, 1), { key: 'expired', label: text.expired, state: 'failed' }] : steps
}

/**
 * What is still to be sent: the rest after a part has come, else the whole amount.
 * @param amount asked for, in units
 * @param received what has come so far, in units; undefined when the service does not tell
 */
export const stillToPay = (amount: bigint, received: bigint | undefined): bigint =>
  received !== undefined && received > 0n && received < amount ? amount - received : amount

/** What a QR code of an invoice is made of. */
export interface PaymentTarget {
  wallet_address: string
  amount: bigint
  chain_id?: number | undefined
  token_address?: string | undefined
  token_decimals?: number | undefined
}

/** The text of the QR code: an EIP-681 token transfer when chain, token and decimals are known, else the plain address. */
export function paymentUri({
  wallet_address: address,
  amount,
  chain_id: chain,
  token_address: token,
  token_decimals: decimals,
}: PaymentTarget): string {
  if (chain === undefined || token === undefined || decimals === undefined) return address
  const exact = decimals >= 8 ? amount * 10n ** BigInt(decimals - 8) : undefined
  if (exact === undefined || exact <= 0n) return address
  return `ethereum:${token}@${chain}/transfer?address=${address}&uint256=${exact}`
}
