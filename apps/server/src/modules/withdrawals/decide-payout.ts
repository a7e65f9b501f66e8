import { release, settle } from '../../ledger/index.ts'
import { AppError } from '../../platform/app-error.ts'
import type { Tx } from '../../platform/database.ts'
import type { Deps } from '../../platform/deps.ts'
import { onCoinSentOut } from '../rewards/index.ts'
import { currentSettings } from '../settings/index.ts'

/** A decision of a staff member. */
export interface PayoutDecision {
  /** Id of the request on the wire. */
  payoutId: string
  /** The queue it has to stand in; either when left out. */
  kind?: 'withdrawal' | 'bridge' | undefined
  /** The staff member who decides; taken from the session, never from the call's body. */
  staffId: bigint
  reason: string
  /** Transaction on the chain, when the payout was made by hand. */
  txHash?: string | undefined
}

async function lockPending(tx: Tx, { payoutId, kind }: PayoutDecision) {
  const request = await tx.selectFrom('payout_request').selectAll().where('public_id', '=', payoutId).forUpdate().executeTakeFirst()
  if (request === undefined || (kind !== undefined && kind !== request.kind)) throw new AppError('NOT_FOUND')
  if (request.status !== 'PENDING') throw new AppError('ALREADY_DECIDED')
  return request
}

/**
 * Approves a payout: the hold is settled into payout and fees. Above the limit of the settings the first approval only
 * counts; a second staff member has to approve too (ASVS 2.3.5). Nobody approves an own request.
 * @returns whether it was paid, or waits for the second approval
 * @throws AppError NOT_FOUND, ALREADY_DECIDED, FOUR_EYES
 */
export async function approvePayout(tx: Tx, deps: Deps, decision: PayoutDecision): Promise<'approved' | 'waits-for-second'> {
  const request = await lockPending(tx, decision)
  if (request.member_id === decision.staffId) throw new AppError('FOUR_EYES')
  const at = deps.clock.now()
  const settings = await currentSettings(tx, at)
  const limit = request.kind === 'withdrawal' ? settings.fourEyesAboveUsd : settings.fourEyesAboveCoin
  if (request.amount > limit) {
    if (request.first_approved_by === null) {
      await tx
        .updateTable('payout_request')
        .set({ first_approved_by: decision.staffId, first_approved_at: at })
        .where('id', '=', request.id)
        .execute()
      return 'waits-for-second'
    }
    if (request.first_approved_by === decision.staffId) throw new AppError('FOUR_EYES')
  }
  const usd = request.kind === 'withdrawal'
  const asset = usd ? ('USD' as const) : ('COIN' as const)
  const legs = [
    { to: { house: usd ? ('SYS-WITHDRAW' as const) : ('SYS-BRIDGE' as const), asset }, amount: request.received, kind: 'payout' },
    { to: { house: 'SYS-FEE' as const, asset }, amount: request.platform_fee, kind: 'platformFee' },
    { to: { house: 'SYS-FEE' as const, asset }, amount: request.network_fee, kind: 'networkFee' },
  ]
  await settle(tx, {
    holdId: request.hold_id,
    kind: `${request.kind}Approved`,
    cause: { type: 'payout_request', id: request.public_id },
    at,
    legs: legs.filter((leg) => leg.amount > 0n),
  })
  if (!usd) await onCoinSentOut(tx, { memberId: request.member_id, coin: request.amount, at })
  await tx
    .updateTable('payout_request')
    .set({ status: 'APPROVED', decided_by: decision.staffId, decided_at: at, reason: decision.reason, tx_hash: decision.txHash ?? null })
    .where('id', '=', request.id)
    .execute()
  return 'approved'
}

/**
 * Rejects a payout: the whole amount goes back to the wallet that it came from.
 * @throws AppError NOT_FOUND, ALREADY_DECIDED, FOUR_EYES for an own request
 */
export async function rejectPayout(tx: Tx, deps: Deps, decision: PayoutDecision): Promise<void> {
  const request = await lockPending(tx, decision)
  if (request.member_id === decision.staffId) throw new AppError('FOUR_EYES')
  const at = deps.clock.now()
  await release(tx, {
    holdId: request.hold_id,
    kind: `${request.kind}Rejected`,
    cause: { type: 'payout_request', id: request.public_id },
    at,
  })
  await tx
    .updateTable('payout_request')
    .set({ status: 'REJECTED', first_approved_by: null, decided_by: decision.staffId, decided_at: at, reason: decision.reason })
    .where('id', '=', request.id)
    .execute()
}
