import type { Units } from '@tizara/money'
import { post } from '../../ledger/index.ts'
import type { ProviderPayment } from '../../gateways/payment-provider/index.ts'
import type { Tx } from '../../platform/database.ts'
import type { Deps } from '../../platform/deps.ts'
import { type DepositStatus, forward, orderStatus } from './deposit-status.rules.ts'

/** What hosted orders are paid with; tickers of USDT on the networks that the provider takes it on. */
const isUsdt = (currency: string) => /^usdt(bsc|trc20|erc20)?$/.test(currency)

/**
 * Applies what the provider answered about one payment of an order: credits what really arrived, once per payment id
 * (MF-01, invariant I8), and moves the order's status forward. Applying it again, or an older answer, changes nothing.
 * @param depositId the order that was asked about
 * @param payment the provider's answer; of another order it is ignored
 */
export async function applyPayment(tx: Tx, deps: Deps, depositId: bigint, payment: ProviderPayment): Promise<void> {
  const deposit = await tx.selectFrom('deposit').selectAll().where('id', '=', depositId).forUpdate().executeTakeFirstOrThrow()
  if (payment.orderId !== deposit.public_id) {
    deps.log.error({ order: deposit.public_id, payment: payment.paymentId }, 'the provider answered about a payment of another order')
    return
  }
  if (payment.status === 'unknown') {
    deps.log.error({ order: deposit.public_id, payment: payment.paymentId }, 'the provider answered an unknown status')
    return
  }
  const now = deps.clock.now()
  const credit = await recordPayment(tx, deps, deposit, payment, now)
  if (credit !== null) {
    const posted = await post(tx, {
      kind: 'deposit',
      cause: { type: 'deposit', id: deposit.public_id },
      at: now,
      key: `np:${payment.paymentId}`,
      transfers: [
        { from: { house: 'SYS-DEPOSIT', asset: 'USD' }, to: { owner: deposit.member_id, kind: 'depositWallet' }, amount: credit },
      ],
    })
    await tx
      .updateTable('provider_payment')
      .set({ transfer_id: posted.transfers[0]?.id ?? null })
      .where('payment_id', '=', payment.paymentId)
      .execute()
  }
  await moveOrder(tx, deps, { id: depositId, status: deposit.status as DepositStatus, amount: deposit.amount })
}

/** Writes the payment down; returns what is to be credited now, or null. */
async function recordPayment(
  tx: Tx,
  deps: Deps,
  deposit: { id: bigint; by_hand: boolean },
  payment: ProviderPayment,
  now: Date,
): Promise<Units | null> {
  await tx
    .insertInto('provider_payment')
    .values({
      payment_id: payment.paymentId,
      deposit_id: deposit.id,
      status: payment.status,
      pay_currency: payment.payCurrency,
      actually_paid: payment.actuallyPaid,
      updated_at: now,
    })
    .onConflict((conflict) => conflict.column('payment_id').doNothing())
    .execute()
  const known = await tx
    .selectFrom('provider_payment')
    .selectAll()
    .where('payment_id', '=', payment.paymentId)
    .where('deposit_id', '=', deposit.id)
    .forUpdate()
    .executeTakeFirstOrThrow()
  const arrived = (payment.status === 'partial' || payment.status === 'settled') && payment.actuallyPaid > 0n
  const first = arrived && known.credited_amount === null
  const reviewed = known.reviewed_at !== null && known.status === payment.status && known.actually_paid === payment.actuallyPaid
  const fresh = first && deposit.by_hand ? 'arrived after a person had decided' : reviewReason(known.credited_amount, arrived, payment)
  const review = reviewed ? known.review_reason : fresh
  const credit = first && review === null ? payment.actuallyPaid : null
  if (review !== null && !reviewed) deps.log.error({ payment: payment.paymentId, review }, 'a payment needs a look')
  await tx
    .updateTable('provider_payment')
    .set({
      status: payment.status,
      pay_currency: payment.payCurrency,
      actually_paid: payment.actuallyPaid,
      updated_at: now,
      ...(credit === null ? {} : { credited_amount: credit, credited_at: now }),
      ...(review === null || reviewed ? {} : { review_reason: review, reviewed_at: null }),
    })
    .where('payment_id', '=', payment.paymentId)
    .execute()
  return credit
}

function reviewReason(credited: Units | null, arrived: boolean, payment: ProviderPayment): string | null {
  if (arrived && !isUsdt(payment.payCurrency)) return `paid in ${payment.payCurrency}`
  if (credited === null) return null
  if (payment.status === 'refunded') return 'refunded after it was credited'
  return arrived && payment.actuallyPaid !== credited ? 'the amount changed after it was credited' : null
}

async function moveOrder(tx: Tx, deps: Deps, deposit: { id: bigint; status: DepositStatus; amount: Units }): Promise<void> {
  const payments = await tx
    .selectFrom('provider_payment')
    .select(['status', 'credited_amount'])
    .where('deposit_id', '=', deposit.id)
    .execute()
  const credited = payments.reduce((sum, payment) => sum + (payment.credited_amount ?? 0n), 0n)
  const next = orderStatus(payments.map((payment) => ({ status: payment.status, credited: payment.credited_amount !== null })))
  const status = forward(deposit.status, next)
  await tx
    .updateTable('deposit')
    .set({
      status,
      credited,
      usd_amount: credited > 0n ? credited : deposit.amount,
      ...(status === deposit.status ? {} : { decided_at: deps.clock.now() }),
    })
    .where('id', '=', deposit.id)
    .execute()
}
