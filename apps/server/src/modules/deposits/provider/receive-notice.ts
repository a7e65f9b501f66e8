import { ProviderFailure, sortedJson } from '../../../gateways/payment-provider/index.ts'
import { AppError } from '../../../platform/runtime/app-error.ts'
import { type Db, inTransaction } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { faultPoint } from '../../../platform/runtime/fault-point.ts'
import { applyPayment } from './apply-payment.ts'
import type { DepositPorts } from '../ports.ts'

/**
 * Handles a provider notice. The notice is only a trigger: the server queries status and amount with its own key. During a provider
 * outage, the notice stays and the reconciliation job asks later.
 * @throws AppError UNAUTHENTICATED for a bad signature, NOT_FOUND for an unknown order
 */
export async function receiveNotice(
  db: Db,
  deps: Deps,
  ports: Pick<DepositPorts, 'provider'>,
  notice: { body: unknown; signature: string | undefined },
): Promise<void> {
  const read = ports.provider.verifyNotice(notice.body, notice.signature)
  if (read === null) throw new AppError('UNAUTHENTICATED')
  const order = await db
    .selectFrom('deposit')
    .select('id')
    .where('public_id', '=', read.orderId)
    .where('method', '=', 'hosted')
    .executeTakeFirst()
  if (order === undefined) throw new AppError('NOT_FOUND')
  await storeNotice(db, deps, order.id, { ...read, body: sortedJson(notice.body) })
  try {
    const payment = await ports.provider.getPayment(read.paymentId)
    if (payment === null) return
    await inTransaction(db, async (tx) => {
      await applyPayment(tx, deps, order.id, payment)
      faultPoint('before_commit')
    })
    faultPoint('after_commit_before_response')
  } catch (error) {
    // During an emergency pause the order stays due, and the reconciliation job asks after the pause.
    if (error instanceof AppError && error.code === 'STOPPED') return
    if (!(error instanceof ProviderFailure)) throw error
    deps.log.warn({ payment: read.paymentId, why: error.message }, 'a notice arrived, but the payment provider does not answer')
  }
}

/** Stores the notice and makes its order due, so that a failed follow-up is repeated. */
async function storeNotice(
  db: Db,
  deps: Deps,
  depositId: bigint,
  notice: { paymentId: string; orderId: string; body: string },
): Promise<void> {
  const now = deps.clock.now()
  await inTransaction(db, async (tx) => {
    await tx
      .insertInto('payment_notice')
      .values({ received_at: now, payment_id: notice.paymentId, order_id: notice.orderId, body: notice.body })
      .execute()
    await tx.updateTable('deposit').set({ next_check_at: now }).where('id', '=', depositId).execute()
  })
}
