import type { Units } from '@tizara/money'
import { type Selectable, sql } from 'kysely'
import { newMoneyOf, post } from '../../../ledger/index.ts'
import { AppError } from '../../../platform/runtime/app-error.ts'
import { withFrozenClock } from '../../../platform/runtime/clock.ts'
import type { Tx } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import type { PayoutRequestTable } from '../../../platform/db/tables.generated.ts'
import { onCoinCameBack } from '../../rewards/index.ts'
import { recordIncident } from '../../../gateways/chain/index.ts'
import type { SendingKind } from './sending-kind.ts'
import { notifyPayer, reversePaymentReturn } from '../payment-returns/end-payment-return.ts'
import { returnProceeds } from '../proceeds/insert-proceeds.ts'
import { hasValidOwnerMac } from '../payout-mac.ts'
import { notifyOwner } from '../notify-member.ts'

/** Completes a payout, cold move or payment return that arrived for good. */
export async function completePaid(tx: Tx, liveDeps: Deps, { requestId, hash }: { requestId: bigint; hash: string }): Promise<number> {
  const deps = withFrozenClock(liveDeps)
  const kind = await close(tx, deps, requestId, 'DONE', 'MINED')
  if (kind === undefined) return 0
  if (kind === 'RETURN') await notifyPayer(tx, deps, requestId, 'sent')
  if (kind !== 'PAYOUT') return 1
  const request = await tx
    .updateTable('payout_request')
    .set({ tx_hash: hash })
    .where('id', '=', requestId)
    .returningAll()
    .executeTakeFirstOrThrow()
  await notifyOwner(tx, deps, 'paid', request)
  return 1
}

/**
 * Returns the full amount of a payout after the chain proved that it cannot arrive. A cold move only ends. The payment of a payment
 * return can be returned again.
 */
export async function endFailed(
  tx: Tx,
  liveDeps: Deps,
  { requestId, state }: { requestId: bigint; state: 'FAILED' | 'CANCELLED' },
): Promise<number> {
  const deps = withFrozenClock(liveDeps)
  const kind = await close(tx, deps, requestId, state, 'MINED')
  if (kind === undefined) return 0
  await giveBack(tx, deps, { requestId, kind }, state === 'FAILED' ? 'The transfer failed on the chain' : 'Cancelled before it arrived')
  return 1
}

/**
 * Returns the full amount of a payout whose nonce was finally used by another transaction. An unknown transaction is an incident that two
 * people answer. Either the key was used elsewhere, or the transaction paid a queued payout, which must not be signed before the
 * transaction is adopted.
 * @param wallet hot wallet that signed it, lower case
 * @param takenBy hash of the other transaction, if it was adopted
 */
export async function returnReplacedPayout(
  tx: Tx,
  liveDeps: Deps,
  {
    requestId,
    kind,
    wallet,
    nonce,
    takenBy,
  }: { requestId: bigint; kind: SendingKind; wallet: string; nonce: number; takenBy: string | null },
): Promise<number> {
  const deps = withFrozenClock(liveDeps)
  const at = deps.clock.now()
  await sql`update payout_sending set cancel_asked_at = coalesce(cancel_asked_at, ${at}) where request_id = ${requestId} and state = 'SIGNED'`.execute(
    tx,
  )
  if ((await close(tx, deps, requestId, 'CANCELLED', 'SIGNED')) === undefined) return 0
  await giveBack(tx, deps, { requestId, kind }, 'It could not be sent')
  if (takenBy === null)
    await recordIncident(tx, { kind: 'WALLET_SPENT', at, from: 0, transfers: [`an unknown transaction with nonce ${nonce} of ${wallet}`] })
  return 1
}

/** Returns the full amount of an unsigned payout. A cold move only ends; a payment return can be made again. */
export async function returnUnsigned(tx: Tx, liveDeps: Deps, requestId: bigint): Promise<void> {
  const deps = withFrozenClock(liveDeps)
  const kind = await close(tx, deps, requestId, 'CANCELLED', 'QUEUED')
  if (kind !== undefined) await giveBack(tx, deps, { requestId, kind }, 'Cancelled before it was sent')
}

/** Completes a payout once. Returns its kind, or undefined for a second caller, who finds it closed. */
async function close(tx: Tx, deps: Deps, requestId: bigint, state: string, from: string): Promise<SendingKind | undefined> {
  const closed = await tx
    .updateTable('payout_sending')
    .set({ state, ended_at: deps.clock.now(), problem: null })
    .where('request_id', '=', requestId)
    .where('state', '=', from)
    .returning('kind')
    .executeTakeFirst()
  return closed?.kind as SendingKind | undefined
}

/**
 * Returns the money to the member; a cold move has none to return, and a payment return and proceeds reverse their ledger transfers. It locks the ledger before the request row, like every payout decision, to shorten the wait on
 * shared counters.
 * @throws AppError PAYOUT_CHANGED if the row differs from the member's request, because owner and amount are then unknown
 */
async function giveBack(tx: Tx, deps: Deps, { requestId, kind }: { requestId: bigint; kind: SendingKind }, reason: string): Promise<void> {
  if (kind === 'RETURN') await reversePaymentReturn(tx, deps, requestId)
  if (kind === 'PROCEEDS') await returnProceeds(tx, deps, requestId)
  if (kind !== 'PAYOUT') return
  const at = deps.clock.now()
  const request = await tx
    .selectFrom('payout_request')
    .selectAll()
    .where('id', '=', requestId)
    .where('status', '=', 'APPROVED')
    .executeTakeFirstOrThrow()
  if (!hasValidOwnerMac(deps.config, request)) throw new AppError('PAYOUT_CHANGED')
  await post(tx, {
    kind: 'payoutReturned',
    cause: { type: 'payout_request', id: request.public_id },
    at,
    transfers: transfersBack(request, await newMoneyOf(tx, request.hold_id)),
  })
  if (request.kind === 'bridge') await onCoinCameBack(tx, requestId)
  await tx
    .updateTable('payout_request')
    .set({ status: 'REJECTED', returned_at: at, reason, tx_hash: null })
    .where('id', '=', requestId)
    .execute()
  await notifyOwner(tx, deps, 'returned', request)
}

/** @param newMoney USD units of new money in the payout's hold (RW-01) */
function transfersBack({ kind, member_id: owner, received, platform_fee, network_fee }: Selectable<PayoutRequestTable>, newMoney: Units) {
  const usd = kind === 'withdrawal'
  const asset = usd ? ('USD' as const) : ('COIN' as const)
  const to = { owner, kind: usd ? ('depositWallet' as const) : ('icoWallet' as const) }
  const fees = platform_fee + network_fee
  const withReceived = newMoney < received ? newMoney : received
  return [
    { from: { system: usd ? ('SYS-WITHDRAW' as const) : ('SYS-BRIDGE' as const), asset }, to, amount: received, newMoney: withReceived },
    ...(fees === 0n
      ? []
      : [
          {
            from: { system: 'SYS-FEE' as const, asset },
            to,
            amount: fees,
            kind: 'payoutFeeReturned' as const,
            newMoney: newMoney - withReceived,
          },
        ]),
  ]
}
