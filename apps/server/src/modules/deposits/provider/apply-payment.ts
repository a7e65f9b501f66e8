import { type Selectable, sql } from 'kysely'
import type { ProviderPayment } from '../../../gateways/payment-provider/index.ts'
import type { Tx } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import type { DepositTable } from '../../../platform/db/tables.generated.ts'
import { currentSettings } from '../../settings/index.ts'
import { creditPart } from '../credit-part.ts'
import { type DepositStatus, forward, orderStatus } from '../deposit-status.rules.ts'
import { expireFirstApprovalIfChanged } from '../decisions/first-approval.ts'
import { creditDue, reviewReason } from './payment.rules.ts'

/** Maximum payments recorded per order. A member paying in parts makes a few. */
const MAX_PAYMENTS = 100

/**
 * Applies the provider's response about one payment: credits newly arrived money (MF-01, invariant I8), flags exceptions for staff, and
 * moves the order's status forward. A repeated or older response credits nothing.
 * @param depositId the queried order
 * @param payment the provider's response; ignored if it is about another order
 */
export async function applyPayment(tx: Tx, deps: Deps, depositId: bigint, payment: ProviderPayment): Promise<void> {
  const deposit = await tx.selectFrom('deposit').selectAll().where('id', '=', depositId).forUpdate().executeTakeFirstOrThrow()
  await expireFirstApprovalIfChanged(tx, deposit, () => applyTo(tx, deps, deposit, payment))
}

async function applyTo(tx: Tx, deps: Deps, deposit: Selectable<DepositTable>, payment: ProviderPayment): Promise<void> {
  const known =
    payment.orderId === null || payment.orderId === deposit.public_id ? await knownPayment(tx, deps, deposit.id, payment) : undefined
  if (known === undefined) {
    deps.log.error(
      { order: deposit.public_id, payment: payment.paymentId },
      'the provider returned a payment of another order, or too many payments of one order',
    )
    return
  }
  const reviewed =
    known.reviewed_at !== null &&
    known.status === payment.status &&
    known.paid_text === payment.paidText &&
    known.pay_currency === payment.payCurrency
  const facts = {
    payment,
    credited: known.credited_amount,
    byHand: deposit.by_hand,
    asked: deposit.amount,
    besides: deposit.credited - known.credited_amount,
    alone: (await currentSettings(tx, deps.clock.now())).fourEyesAboveUsd,
  }
  const review = reviewReason(facts)
  if (review !== null && !reviewed && review !== known.review_reason)
    deps.log.error({ payment: payment.paymentId, review }, 'a payment needs a decision by staff')
  await tx
    .updateTable('provider_payment')
    .set({
      status: payment.status,
      pay_currency: payment.payCurrency,
      actually_paid: payment.actuallyPaid,
      paid_text: payment.paidText,
      updated_at: deps.clock.now(),
      // Keeps a completed review's flag. Clears an open flag once its reason is gone.
      ...(reviewed || (review === null && known.reviewed_at !== null) ? {} : { review_reason: review, reviewed_at: null }),
    })
    .where('payment_id', '=', payment.paymentId)
    .execute()
  const due = review === null && !reviewed ? creditDue(facts) : 0n
  if (due > 0n) await creditPart(tx, deposit, { paymentId: payment.paymentId, amount: due, at: deps.clock.now() })
  await moveOrder(tx, deps, deposit)
}

/**
 * Returns the payment's row under the order's lock. Returns undefined if the payment belongs to another order, or the order has
 * reached the maximum.
 */
async function knownPayment(tx: Tx, deps: Deps, depositId: bigint, payment: ProviderPayment) {
  const { paymentId, status, payCurrency, actuallyPaid, paidText } = payment
  await sql`
    insert into provider_payment (payment_id, deposit_id, status, pay_currency, actually_paid, paid_text, updated_at)
    select ${paymentId}, ${depositId}, ${status}, ${payCurrency}, ${actuallyPaid}, ${paidText}, ${deps.clock.now()}
    where (select count(*) from provider_payment where deposit_id = ${depositId}) < ${MAX_PAYMENTS}
    on conflict (payment_id) do nothing`.execute(tx)
  return tx
    .selectFrom('provider_payment')
    .selectAll()
    .where('payment_id', '=', payment.paymentId)
    .where('deposit_id', '=', depositId)
    .executeTakeFirst()
}

async function moveOrder(tx: Tx, deps: Deps, deposit: Selectable<DepositTable>): Promise<void> {
  const payments = await tx
    .selectFrom('provider_payment')
    .select(['status', 'credited_amount'])
    .where('deposit_id', '=', deposit.id)
    .execute()
  const credited = payments.reduce((sum, payment) => sum + payment.credited_amount, 0n)
  const before = deposit.status as DepositStatus
  const status = forward(
    before,
    orderStatus(payments.map((payment) => ({ status: payment.status, credited: payment.credited_amount > 0n }))),
  )
  await tx
    .updateTable('deposit')
    .set({
      status,
      credited,
      usd_amount: credited > 0n ? credited : deposit.amount,
      ...(status === before ? {} : { decided_at: deps.clock.now() }),
    })
    .where('id', '=', deposit.id)
    .execute()
}
