import { quoteWithdrawal, type Units } from '@tizara/money'
import { AppError } from '../../../platform/runtime/app-error.ts'
import type { Db, Tx } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { recordAudit } from '../../audit/index.ts'
import { currentSettings } from '../../settings/index.ts'
import { assertPaymentReturn } from '../../withdrawals/index.ts'
import { returnableOf } from './return-payments.ts'

/** Maximum requests for the payments of one asset. After that, staff answer in a ticket. */
const MAX_REQUESTS = 3

/** Request of a member to return the uncredited payments of an invoice in one asset. */
export interface ReturnRequest {
  memberId: bigint
  /** Public deposit id. */
  deposit: string
  asset: 'usd' | 'coin'
  /** BEP20 address in the member's address book, in any case. */
  address: string
  ip?: string | undefined
  requestId?: string | undefined
}

/** Uncredited payments of one asset, with the fee of their return and the open request. Amounts are units. */
export interface ReturnablePayments {
  asset: 'usd' | 'coin'
  amount: Units
  networkFee: Units
  received: Units
  /** Address that the payer named, if a request is open. */
  requested?: { address: string; at: Date }
}

/**
 * Asks staff to return uncredited payments to an address in the member's book. Two people decide about it like about every return
 * (docs/decisions/0053-payment-returns.md). A later request replaces the address of an open one.
 * @throws AppError NOT_FOUND for another member's deposit; CHANGE_OUTDATED if nothing can be returned; ALREADY_DECIDED after three requests;
 * as `assertPaymentReturn`
 */
export async function requestReturn(tx: Tx, deps: Deps, input: ReturnRequest): Promise<void> {
  const { memberId, deposit: publicId, asset, ip, requestId } = input
  const [address, at] = [input.address.toLowerCase(), deps.clock.now()]
  // Locked as by every change to the deposit's money, so that a concurrent decision closes this request or is visible here.
  const deposit = await tx
    .selectFrom('deposit')
    .select('id')
    .where('public_id', '=', publicId)
    .where('member_id', '=', memberId)
    .where('method', '=', 'chain')
    .forUpdate()
    .executeTakeFirst()
  if (deposit === undefined) throw new AppError('NOT_FOUND')
  const found = (await returnableOf(tx, publicId)).find((one) => one.asset === asset)
  if (found === undefined) throw new AppError('CHANGE_OUTDATED')
  const stored = asset === 'usd' ? ('USD' as const) : ('COIN' as const)
  await assertPaymentReturn(tx, deps, { memberId, deposit: publicId, asset: stored, amount: found.amount, address })
  const earlier = await tx
    .selectFrom('return_request')
    .select(['id', 'closed_at'])
    .where('deposit_id', '=', deposit.id)
    .where('asset', '=', stored)
    .execute()
  const open = earlier.find(({ closed_at }) => closed_at === null)
  if (open === undefined && earlier.length >= MAX_REQUESTS) throw new AppError('ALREADY_DECIDED')
  const row = { deposit_id: deposit.id, asset: stored, address, requested_at: at }
  await (open === undefined
    ? tx.insertInto('return_request').values(row).execute()
    : tx.updateTable('return_request').set(row).where('id', '=', open.id).execute())
  await recordAudit(tx, {
    at,
    actorId: memberId,
    actorRole: 'MEMBER',
    action: 'deposit.return-request',
    subject: { type: 'deposit', id: publicId },
    outcome: 'ok',
    detail: { asset, address },
    ip,
    requestId,
  })
}

/** Returns the open requests of a deposit, by asset. */
async function openReturnRequests(
  db: Db,
  deposit: string,
): Promise<ReadonlyMap<ReturnablePayments['asset'], { address: string; at: Date }>> {
  const rows = await db
    .selectFrom('return_request')
    .innerJoin('deposit', 'deposit.id', 'return_request.deposit_id')
    .select(['return_request.asset', 'return_request.address', 'requested_at'])
    .where('public_id', '=', deposit)
    .where('closed_at', 'is', null)
    .execute()
  return new Map(rows.map(({ asset, address, requested_at: at }) => [asset === 'USD' ? 'usd' : 'coin', { address, at }]))
}

/** Ends the open requests of a deposit, because staff decided about its payments. */
export async function closeReturnRequests(tx: Tx, depositId: bigint, at: Date): Promise<void> {
  await tx.updateTable('return_request').set({ closed_at: at }).where('deposit_id', '=', depositId).where('closed_at', 'is', null).execute()
}

/** Returns what can be returned of a deposit's payments, with its fee and the open requests; empty if payouts are sent by hand. */
export async function readReturnable(db: Db, deps: Pick<Deps, 'config' | 'clock'>, deposit: string): Promise<ReturnablePayments[]> {
  const found = await returnableOf(db, deposit)
  if (found.length === 0 || deps.config.payouts === undefined) return []
  const [{ networkFeePercent }, requests] = [await currentSettings(db, deps.clock.now()), await openReturnRequests(db, deposit)]
  return found.map(({ asset, amount }) => {
    const { networkFee, received } = quoteWithdrawal(amount, 0n, networkFeePercent)
    const requested = requests.get(asset)
    return { asset, amount, networkFee, received, ...(requested === undefined ? {} : { requested }) }
  })
}

/**
 * Returns what a member can ask to have returned of a deposit.
 * @throws AppError NOT_FOUND for another member's deposit
 */
export async function readOwnReturnable(
  db: Db,
  deps: Pick<Deps, 'config' | 'clock'>,
  { memberId, deposit }: { memberId: bigint; deposit: string },
): Promise<ReturnablePayments[]> {
  const own = await db
    .selectFrom('deposit')
    .select('id')
    .where('public_id', '=', deposit)
    .where('member_id', '=', memberId)
    .executeTakeFirst()
  if (own === undefined) throw new AppError('NOT_FOUND')
  return readReturnable(db, deps, deposit)
}
