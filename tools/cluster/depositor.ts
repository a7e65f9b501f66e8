import { randomInt, randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { type Call, settle } from './call.ts'

/** Hosted payment that a member requested, with the provider's invoice. */
export interface Order {
  member: number
  call: Call
  status: number
  text: string
  /** Empty if the call was refused. */
  invoiceId: string
  /** True if the provider has the money. */
  isPaid: boolean
}

/** Smallest order in whole USD. Each order has a different amount. */
const MIN_ORDER_USD = 20
/** Milliseconds between two orders of a member. */
const PAUSE_MS = 1_500

/**
 * Opens hosted payments as a member and pays them at the provider, which notifies the server.
 * @param refresh returns a token
 * @param note receives each order before its payment
 */
export async function payIn(
  base: string,
  member: number,
  refresh: () => Promise<string>,
  isOver: () => boolean,
  note: (order: Order) => void,
): Promise<void> {
  let token = await refresh()
  while (!isOver()) {
    const body = JSON.stringify({ amount: MIN_ORDER_USD + randomInt(500) })
    const call: Call = { url: `${base}/api/v1/pay/create-payment`, token, key: randomUUID(), body }
    const { status, text } = await settle(call, refresh)
    token = call.token
    const { invoice_id: invoiceId = '', invoice_url: url } =
      status === 200 ? (JSON.parse(text) as { data: Record<string, string> }).data : {}
    const order: Order = { member, call, status, text, invoiceId, isPaid: false }
    note(order)
    if (url !== undefined) {
      // The drill never stops the provider, and the provider repeats its webhook.
      const paid = await fetch(url, { method: 'POST', body: new URLSearchParams({ outcome: 'exact' }), redirect: 'manual' })
      order.isPaid = paid.status === 303
    }
    await pause(PAUSE_MS)
  }
}
