import type { Units } from '@tizara/money'
import { type PaymentProvider, ProviderFailure, type ProviderInvoice } from '../../../gateways/payment-provider/index.ts'
import { AppError } from '../../../platform/runtime/app-error.ts'
import { isRecent } from '../../../platform/runtime/clock.ts'
import { type Db, inTransaction, type Tx } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { faultPoint } from '../../../platform/runtime/fault-point.ts'
import { lockMember } from '../../members/index.ts'
import type { DepositPorts } from '../ports.ts'

/** Maximum open hosted orders per member. */
export const OPEN_PAYMENTS_MAX = 20
/** Time in ms after which a call to the provider counts as interrupted. A repeated call may then try again. */
const CUT_AFTER_MS = 15_000
/** Delay in ms before the first check of a new order without a notice. */
const FIRST_CHECK_MS = 60_000

/** Hosted deposit input. */
export interface PaymentInput {
  memberId: bigint
  /** USD units. */
  amount: Units
  /** The call's Idempotency-Key, if present. */
  key: string | undefined
}

interface Order {
  id: bigint
  publicId: string
  invoiceUrl: string | null
}

/**
 * Opens an invoice at the provider (API-33, MF-01). Saves the order before the call to the provider and the response after it, without an
 * open transaction in between. A repeated call with the same key returns the same invoice.
 * @throws AppError TOO_MANY_OPEN_INVOICES; IDEMPOTENCY_RUNNING while the same call waits for the provider; IDEMPOTENCY_KEY_REUSED for
 * another amount; PAYMENT_PROVIDER_DOWN, with the order marked REJECT and its key released
 */
export async function createPayment(
  db: Db,
  deps: Deps,
  ports: Pick<DepositPorts, 'provider' | 'noticeUrl'>,
  input: PaymentInput,
): Promise<{ invoiceUrl: string; invoiceId: string }> {
  const order = await inTransaction(db, async (tx) => {
    const recorded = await recordOrder(tx, deps, input)
    faultPoint('before_commit')
    return recorded
  })
  if (order.invoiceUrl !== null) return { invoiceUrl: order.invoiceUrl, invoiceId: order.publicId }
  const invoice = await askProvider(db, deps, ports.provider, order, input.amount, ports.noticeUrl)
  await db
    .updateTable('deposit')
    .set({
      provider_invoice_id: invoice.providerInvoiceId,
      invoice_url: invoice.invoiceUrl,
      next_check_at: new Date(deps.clock.now().getTime() + FIRST_CHECK_MS),
    })
    .where('id', '=', order.id)
    .execute()
  faultPoint('after_commit_before_response')
  return { invoiceUrl: invoice.invoiceUrl, invoiceId: order.publicId }
}

async function recordOrder(tx: Tx, deps: Deps, input: PaymentInput): Promise<Order> {
  await lockMember(tx, input.memberId)
  const repeat = input.key === undefined ? undefined : await claimRepeat(tx, deps, { ...input, key: input.key })
  if (repeat !== undefined) return repeat
  const now = deps.clock.now()
  const open = await tx
    .selectFrom('deposit')
    .select((eb) => eb.fn.countAll<bigint>().as('count'))
    .where('member_id', '=', input.memberId)
    .where('status', '=', 'PENDING')
    .where('method', '=', 'hosted')
    .executeTakeFirstOrThrow()
  if (open.count >= BigInt(OPEN_PAYMENTS_MAX)) throw new AppError('TOO_MANY_OPEN_INVOICES')
  const publicId = deps.ids.publicId()
  const { id } = await tx
    .insertInto('deposit')
    .values({
      public_id: publicId,
      member_id: input.memberId,
      method: 'hosted',
      description: 'USDT',
      amount: input.amount,
      usd_amount: input.amount,
      created_at: now,
      next_check_at: new Date(now.getTime() + FIRST_CHECK_MS),
      idempotency_key: input.key ?? null,
      provider_asked_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { id, publicId, invoiceUrl: null }
}

/** Returns the existing order of the key, and claims it if the earlier call was interrupted. */
async function claimRepeat(tx: Tx, deps: Deps, input: PaymentInput & { key: string }): Promise<Order | undefined> {
  const known = await tx
    .selectFrom('deposit')
    .select(['id', 'public_id', 'amount', 'invoice_url', 'provider_asked_at'])
    .where('member_id', '=', input.memberId)
    .where('idempotency_key', '=', input.key)
    .executeTakeFirst()
  if (known === undefined) return undefined
  if (known.amount !== input.amount) throw new AppError('IDEMPOTENCY_KEY_REUSED')
  const order = { id: known.id, publicId: known.public_id, invoiceUrl: known.invoice_url }
  if (known.invoice_url !== null) return order
  const now = deps.clock.now()
  if (known.provider_asked_at !== null && isRecent(known.provider_asked_at, now, CUT_AFTER_MS)) {
    throw new AppError('IDEMPOTENCY_RUNNING')
  }
  await tx.updateTable('deposit').set({ provider_asked_at: now }).where('id', '=', known.id).execute()
  return order
}

async function askProvider(
  db: Db,
  deps: Deps,
  provider: PaymentProvider,
  order: Order,
  amount: Units,
  noticeUrl: string,
): Promise<ProviderInvoice> {
  const { publicUrl } = deps.config
  try {
    return await provider.createInvoice({
      orderId: order.publicId,
      amount,
      noticeUrl,
      successUrl: `${publicUrl}/pay/success`,
      cancelUrl: `${publicUrl}/pay/cancel`,
    })
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error
    deps.log.warn({ order: order.publicId, why: error.message }, 'the payment provider returned no invoice')
    await db
      .updateTable('deposit')
      .set({ status: 'REJECT', decided_at: deps.clock.now(), idempotency_key: null, next_check_at: null })
      .where('id', '=', order.id)
      .where('status', '=', 'PENDING')
      .execute()
    throw new AppError('PAYMENT_PROVIDER_DOWN')
  }
}
