import { ProviderFailure, type PaymentProvider, type ProviderPayment } from '../../gateways/payment-provider/index.ts'
import { DAY_MS } from '../../platform/clock.ts'
import type { Tx } from '../../platform/database.ts'
import type { Deps } from '../../platform/deps.ts'
import type { Lease } from '../../jobs/lease.ts'
import { applyPayment } from './apply-payment.ts'

/** Orders a run, failures after which a run gives up, and how often an order is asked about. */
const BATCH = 50
const FAILURES = 3
const OPEN_EVERY_MS = 60_000
const LATER_EVERY_MS = 3_600_000
/** An unpaid order is refused after this long, and asked about for this long (money may still come late). */
const UNPAID_AFTER_MS = DAY_MS
const ASK_FOR_MS = 14 * DAY_MS

interface DueOrder {
  id: bigint
  public_id: string
  provider_invoice_id: string | null
  created_at: Date
}

/**
 * Asks the provider about the orders that are due: finds payments whose notice was lost and refuses orders that ran
 * out. While the provider does not answer nothing changes, expiry included.
 * @returns how many orders it looked at
 */
export async function reconcileOrders(lease: Lease, deps: Deps, provider: PaymentProvider): Promise<number> {
  const due = await dueOrders(lease, deps.clock.now())
  let failures = 0
  let done = 0
  for (const order of due) {
    try {
      const payments = await paymentsOf(lease, provider, order)
      await lease.inTransaction(async (tx) => {
        for (const payment of payments) await applyPayment(tx, deps, order.id, payment)
        await closeLook(tx, deps, order)
      })
      done += 1
    } catch (error) {
      if (!(error instanceof ProviderFailure)) throw error
      failures += 1
      await lease.inTransaction((tx) => askAgainAt(tx, order, new Date(deps.clock.now().getTime() + OPEN_EVERY_MS)))
      if (failures >= FAILURES) break
    }
  }
  return done
}

const dueOrders = (lease: Lease, now: Date): Promise<DueOrder[]> =>
  lease.read((db) =>
    db
      .selectFrom('deposit')
      .select(['id', 'public_id', 'provider_invoice_id', 'created_at'])
      .where('way', '=', 'hosted')
      .where('next_check_at', '<=', now)
      .orderBy('next_check_at')
      .limit(BATCH)
      .execute(),
  )

const askAgainAt = (tx: Tx, order: DueOrder, at: Date | null) =>
  tx.updateTable('deposit').set({ next_check_at: at }).where('id', '=', order.id).execute()

/** Every payment of an order: those of the provider's list, and those that notices named. */
async function paymentsOf(lease: Lease, provider: PaymentProvider, order: DueOrder): Promise<ProviderPayment[]> {
  const listed = order.provider_invoice_id === null ? [] : await provider.listPayments(order.provider_invoice_id)
  const seen = new Set(listed.map((payment) => payment.paymentId))
  const noticed = await lease.read((db) =>
    db.selectFrom('payment_notice').select('payment_id').distinct().where('order_id', '=', order.public_id).execute(),
  )
  const others: ProviderPayment[] = []
  for (const { payment_id: id } of noticed) {
    const payment = seen.has(id) ? null : await provider.getPayment(id)
    if (payment !== null) others.push(payment)
  }
  return [...listed, ...others]
}

/** Refuses the order if it ran out, and decides when it is asked about again. */
async function closeLook(tx: Tx, deps: Deps, order: DueOrder): Promise<void> {
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
          exists(selectFrom('provider_payment').select('payment_id').where('deposit_id', '=', order.id).where('status', '=', 'confirming')),
        ),
      )
      .execute()
  }
  const { status } = await tx.selectFrom('deposit').select('status').where('id', '=', order.id).executeTakeFirstOrThrow()
  const wait = status === 'PENDING' ? OPEN_EVERY_MS : LATER_EVERY_MS
  await askAgainAt(tx, order, status !== 'PENDING' && age >= ASK_FOR_MS ? null : new Date(now.getTime() + wait))
}
