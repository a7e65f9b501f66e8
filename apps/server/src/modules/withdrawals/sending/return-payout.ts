import type { Units } from '@tizara/money'
import { type Selectable, sql } from 'kysely'
import { newMoneyOf, post } from '../../../ledger/index.ts'
import { AppError } from '../../../platform/runtime/app-error.ts'
import { withFrozenClock } from '../../../platform/runtime/clock.ts'
import type { Tx } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import type { PayoutRequestTable } from '../../../platform/db/tables.generated.ts'
import { onCoinCameBack } from '../../rewards/index.ts'
import { noteIncident } from '../../../gateways/chain/index.ts'
import { isColdMove } from '../cold-moves/cold-move.rules.ts'
import { isOwnerMac } from '../payout-mac.ts'
import { notifyOwner } from '../notify-member.ts'

/** Final chain result of a payout's transaction. */
interface Ended {
  requestId: bigint
  hash: string
  block: { block: bigint; block_hash: string; gas_used: bigint; gas_paid: string }
}

/** Completes a payout or cold move that arrived for good. */
export async function endPaid(tx: Tx, liveDeps: Deps, { requestId, hash, block }: Ended): Promise<number> {
  const deps = withFrozenClock(liveDeps)
  if (!(await close(tx, deps, requestId, 'DONE', 'MINED'))) return 0
  await tx.updateTable('payout_transaction').set(block).where('hash', '=', hash).execute()
  if (isColdMove({ requestId })) return 1
  const request = await tx
    .updateTable('payout_request')
    .set({ tx_hash: hash })
    .where('id', '=', requestId)
    .returningAll()
    .executeTakeFirstOrThrow()
  await notifyOwner(tx, deps, 'paid', request)
  return 1
}

/** Returns the full amount of a payout after the chain proved that it cannot arrive. A cold move only ends. */
export async function endFailed(
  tx: Tx,
  liveDeps: Deps,
  { requestId, hash, block, state }: Ended & { state: 'FAILED' | 'CANCELLED' },
): Promise<number> {
  const deps = withFrozenClock(liveDeps)
  if (!(await close(tx, deps, requestId, state, 'MINED'))) return 0
  await tx.updateTable('payout_transaction').set(block).where('hash', '=', hash).execute()
  await giveBack(tx, deps, requestId, state === 'FAILED' ? 'The transfer failed on the chain' : 'Cancelled before it arrived')
  return 1
}

/**
 * Returns the full amount of a payout whose nonce was finally used elsewhere, after two people's decision. A cold move ends with an
 * incident that two people answer, because the key of the wallet was used elsewhere.
 * @param wallet hot wallet that signed it, lower case
 */
export async function endTaken(
  tx: Tx,
  liveDeps: Deps,
  { requestId, wallet, nonce }: { requestId: bigint; wallet: string; nonce: number },
): Promise<number> {
  const deps = withFrozenClock(liveDeps)
  if (isColdMove({ requestId })) {
    const at = deps.clock.now()
    await sql`update payout_sending set cancel_asked_at = coalesce(cancel_asked_at, ${at}) where request_id = ${requestId}`.execute(tx)
    if (!(await close(tx, deps, requestId, 'CANCELLED', 'SIGNED'))) return 0
    await noteIncident(tx, { kind: 'WALLET_SPENT', at, from: 0, transfers: [`an unknown transaction with nonce ${nonce} of ${wallet}`] })
    return 1
  }
  if (!(await close(tx, deps, requestId, 'CANCELLED', 'SIGNED'))) return 0
  await giveBack(tx, deps, requestId, 'It could not be sent')
  return 1
}

/** Returns the full amount of an unsigned payout. A cold move only ends. */
export async function returnUnsigned(tx: Tx, liveDeps: Deps, requestId: bigint): Promise<void> {
  const deps = withFrozenClock(liveDeps)
  if (await close(tx, deps, requestId, 'CANCELLED', 'QUEUED')) await giveBack(tx, deps, requestId, 'Cancelled before it was sent')
}

/** Completes a payout once. A second caller finds it closed. */
async function close(tx: Tx, deps: Deps, requestId: bigint, state: string, from: string): Promise<boolean> {
  const closed = await tx
    .updateTable('payout_sending')
    .set({ state, ended_at: deps.clock.now(), problem: null })
    .where('request_id', '=', requestId)
    .where('state', '=', from)
    .executeTakeFirst()
  return closed.numUpdatedRows === 1n
}

/**
 * Returns the money to the member; a cold move has none to return. It locks the ledger before the request row, like every payout decision, to shorten the wait on
 * shared counters.
 * @throws AppError PAYOUT_CHANGED if the row differs from the member's request, because owner and amount are then unknown
 */
async function giveBack(tx: Tx, deps: Deps, requestId: bigint, reason: string): Promise<void> {
  if (isColdMove({ requestId })) return
  const at = deps.clock.now()
  const request = await tx
    .selectFrom('payout_request')
    .selectAll()
    .where('id', '=', requestId)
    .where('status', '=', 'APPROVED')
    .executeTakeFirstOrThrow()
  if (!isOwnerMac(deps.config, request)) throw new AppError('PAYOUT_CHANGED')
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
