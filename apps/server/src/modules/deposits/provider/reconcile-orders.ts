import { ProviderFailure, type PaymentProvider, type ProviderPayment } from '../../../gateways/payment-provider/index.ts'
import { DAY_MS } from '../../../platform/runtime/clock.ts'
import type { Tx } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import type { Lease } from '../../../jobs/lease.ts'
import { applyPayment } from './apply-payment.ts'
import { duePolls, MAX_POLL_DELAY_MS } from './due-polls.ts'
import { currentPause } from '../../../ledger/index.ts'

/** Maximum orders per run, failures before a run stops, and poll intervals in ms. */
const BATCH = 50
const FAILURES = 3
const OPEN_EVERY_MS = 60_000
const LATER_EVERY_MS = MAX_POLL_DELAY_MS.hosted
/** Time until an unpaid order is rejected, and age until which the provider is asked for a payment that arrives after that. */
const UNPAID_AFTER_MS = DAY_MS
const MAX_POLL_AGE_MS = 14 * DAY_MS

interface DueOrder {
  id: bigint
  public_id: string
  provider_invoice_id: string | null
  created_at: Date
}

/**
 * Queries the provider about due orders: finds payments with a lost webhook, and rejects expired orders. During an outage of the provider
 * nothing changes and no order expires.
 * @returns the number of checked orders
 */
export async function reconcileOrders(lease: Lease, deps: Deps, provider: PaymentProvider): Promise<number> {
  // The orders stay due during an emergency pause.
  if ((await lease.read(currentPause)) !== undefined) return 0
  const now = deps.clock.now()
  const due = await lease.read((db) => duePolls(db, 'hosted', now, BATCH))
  let failures = 0
  let reconciled = 0
  for (const order of due) {
    const { payments, complete } = await paymentsOf(lease, provider, order)
    await lease.inTransaction(async (tx) => {
      for (const payment of payments) await applyPayment(tx, deps, order.id, payment)
      if (complete) await closePoll(tx, deps, order)
      else await askAgainAt(tx, order, new Date(deps.clock.now().getTime() + OPEN_EVERY_MS))
    })
    if (complete) reconciled += 1
    else failures += 1
    if (failures >= FAILURES || lease.stopping()) break
  }
  return reconciled
}

const askAgainAt = (tx: Tx, order: DueOrder, at: Date | null) =>
  tx.updateTable('deposit').set({ next_check_at: at }).where('id', '=', order.id).execute()

/**
 * Returns the payments of an order, from the provider's list and from webhooks. If one query fails, the other payments can still be used.
 * @returns `complete` is false if a query failed
 */
async function paymentsOf(lease: Lease, provider: PaymentProvider, order: DueOrder) {
  const payments = new Map<string, ProviderPayment>()
  let complete = true
  const ask = async (question: () => Promise<readonly (ProviderPayment | null)[]>) => {
    try {
      for (const payment of await question()) if (payment !== null) payments.set(payment.paymentId, payment)
    } catch (error) {
      if (!(error instanceof ProviderFailure)) throw error
      complete = false
    }
  }
  const { provider_invoice_id: invoiceId } = order
  if (invoiceId !== null) await ask(() => provider.listPayments(invoiceId))
  const noticed = await lease.read((db) =>
    db.selectFrom('payment_notice').select('payment_id').distinct().where('order_id', '=', order.public_id).execute(),
  )
  for (const { payment_id: id } of noticed) if (!payments.has(id)) await ask(async () => [await provider.getPayment(id)])
  return { payments: payments.values(), complete }
}

/** Rejects an expired order, and schedules the next poll. A decided order is polled until it is 14 days old. */
async function closePoll(tx: Tx, deps: Deps, order: DueOrder): Promise<void> {
  const now = deps.clock.now()
  const age = now.getTime() - order.created_at.getTime()
  if (age >= UNPAID_AFTER_MS) {
    await tx
      .updateTable('deposit')
      .set({ status: 'REJECT', decided_at: now })
      .where('id', '=', order.id)
      .where('status', '=', 'PENDING')
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('provider_payment')
              .select('payment_id')
              .where('deposit_id', '=', order.id)
              .where('status', 'in', ['confirming', 'unknown']),
          ),
        ),
      )
      .execute()
  }
  const { status } = await tx.selectFrom('deposit').select('status').where('id', '=', order.id).executeTakeFirstOrThrow()
  const wait = status === 'PENDING' ? OPEN_EVERY_MS : LATER_EVERY_MS
  await askAgainAt(tx, order, status !== 'PENDING' && age >= MAX_POLL_AGE_MS ? null : new Date(now.getTime() + wait))
}
