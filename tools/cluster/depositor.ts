import { randomInt, randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { type Call, settle } from './call.ts'

/** A hosted payment that somebody asked for, with the invoice that the answer named. */
export interface Order {
  member: number
  call: Call
  status: number
  text: string
  /** Empty when the call was refused. */
  invoiceId: string
  /** Whether the provider has the money. */
  isPaid: boolean
}

/** USD that each order is over: whole ones, and another amount each time. */
const LEAST = 20
/** Milliseconds between two orders of a member. */
const REST = 1_500

/**
 * A member who opens hosted payments and pays each of them at the provider, who then tells the house.
 * @param refresh gives a token
 * @param note gets each order before it is paid
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
    const body = JSON.stringify({ amount: LEAST + randomInt(500) })
    const call: Call = { url: `${base}/api/v1/pay/create-payment`, token, key: randomUUID(), body }
    const { status, text } = await settle(call, refresh)
    token = call.token
    const { invoice_id: invoiceId = '', invoice_url: url } =
      status === 200 ? (JSON.parse(text) as { data: Record<string, string> }).data : {}
    const order: Order = { member, call, status, text, invoiceId, isPaid: false }
    note(order)
    if (url !== undefined) {
      // The provider stands outside of what breaks; it sends its notice by itself, and again.
      const paid = await fetch(url, { method: 'POST', body: new URLSearchParams({ outcome: 'exact' }), redirect: 'manual' })
      order.isPaid = paid.status === 303
    }
    await pause(REST)
  }
}
