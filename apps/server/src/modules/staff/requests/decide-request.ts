import type { QueueKind } from '@tizara/contract/staff-queues'
import type { Units } from '@tizara/money'
import { AppError } from '../../../platform/runtime/app-error.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { withFrozenClock } from '../../../platform/runtime/clock.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { approveDeposit, rejectDeposit, revokeDepositApproval } from '../../deposits/index.ts'
import { approvePayout, cancelSending, nameTransaction, rejectPayout, revokePayoutApproval } from '../../withdrawals/index.ts'
import { assertStaff, auditStaff, type StaffActor } from '../access/actor.ts'
import { assertMatchesLatestAuditEntry } from '../duties/approval-audit-match.ts'
import { findRequest } from './queue-detail.queries.ts'
import { seenOf } from './queue-item.ts'
import { type MoneyDecision, queueForDecision, requiresSecondApproval } from '../duties/approval-limits.ts'
import { assertNotStopped } from '../../../ledger/index.ts'

export interface RequestDecision {
  kind: QueueKind
  id: string
  reason?: string | undefined
  /** Version shown to the approver (`seenOf`). */
  seen?: string | undefined
}

export interface RequestApproval extends RequestDecision {
  /** Amount credited by a deposit, or received from a payout, as the queue showed it. Required for deposits. */
  amount?: Units | undefined
  /** Chain transaction of a payout made by hand. */
  txHash?: string | undefined
}

/** Rejects a decision if the request changed after it was shown. Locks the request row. */
async function assertSeen(tx: Tx, { kind, id, seen }: RequestDecision): Promise<void> {
  if (seen === undefined) return
  const row = await findRequest(tx, kind, id, true)
  if (row.status !== 'PENDING') throw new AppError('ALREADY_DECIDED')
  if (seenOf(row) !== seen) throw new AppError('ITEM_CHANGED')
}

/** Rejects a second approval if the first was revoked. Locks the request row. */
async function assertFirstApprovalValid(tx: Tx, { kind, id }: RequestDecision): Promise<void> {
  const { status, firstApprovedBy: by, firstApprovedAt: at } = await findRequest(tx, kind, id, true)
  if (status === 'PENDING' && by !== null && at !== null) await assertMatchesLatestAuditEntry(tx, 'request', { type: kind, id }, { by, at })
}

const PAYOUT = { withdrawals: 'withdrawal', bridges: 'bridge' } as const

/**
 * Approves a member's request [GN-04, MF-03, MF-04]. If two approvals are required, the second approval decides.
 * @returns APPROVED, with the ledger transfer if one was posted, or WAITING for the second approval
 * @throws AppError STAFF_ONLY, NOT_FOUND, ALREADY_DECIDED, ITEM_CHANGED, STOPPED, FOUR_EYES, INVALID_AMOUNT, APPROVAL_FORGED
 */
export async function approveRequest(
  tx: Tx,
  liveDeps: Deps,
  actor: StaffActor,
  decision: RequestApproval,
): Promise<{ status: 'APPROVED' | 'WAITING'; transferId?: bigint }> {
  const deps = withFrozenClock(liveDeps)
  await queueForDecision(tx)
  await assertStaff(tx, deps, actor, 'approveRequest')
  await assertNotStopped(tx)
  await assertSeen(tx, decision)
  await assertFirstApprovalValid(tx, decision)
  let transferId: bigint | undefined
  const outcome = await approveIn(tx, deps, decision, {
    staffId: actor.memberId,
    reason: decision.reason ?? '',
    needsTwo: (about: MoneyDecision) => requiresSecondApproval(tx, deps, actor, about),
    onPosted: (id) => void (transferId = id),
  })
  await auditStaff(tx, deps, actor, {
    action: outcome === 'approved' ? 'request.approve' : 'request.first-approval',
    subject: { type: decision.kind, id: decision.id },
    reason: decision.reason,
    ...(decision.txHash === undefined ? {} : { detail: { txHash: decision.txHash } }),
  })
  return { status: outcome === 'approved' ? 'APPROVED' : 'WAITING', ...(transferId === undefined ? {} : { transferId }) }
}

function approveIn(
  tx: Tx,
  deps: Deps,
  { kind, id, amount, txHash }: RequestApproval,
  by: { staffId: bigint; reason: string; needsTwo(about: MoneyDecision): Promise<boolean>; onPosted(transferId: bigint): void },
) {
  if (kind !== 'deposits') return approvePayout(tx, deps, { ...by, payoutId: id, kind: PAYOUT[kind], amount, txHash })
  if (amount === undefined) throw new AppError('INVALID_INPUT', {}, [{ path: 'amount', message: 'This field is required' }])
  return approveDeposit(tx, deps, { ...by, depositId: id, amount })
}

/**
 * Rejects a member's request. The ledger releases a held payout in full.
 * @throws AppError STAFF_ONLY, NOT_FOUND, ALREADY_DECIDED, ITEM_CHANGED, FOUR_EYES for the actor's request
 */
export async function rejectRequest(tx: Tx, deps: Deps, actor: StaffActor, decision: RequestDecision & { reason: string }): Promise<void> {
  await assertStaff(tx, deps, actor, 'rejectRequest')
  await assertSeen(tx, decision)
  const { kind, id, reason } = decision
  if (kind === 'deposits') await rejectDeposit(tx, deps, { depositId: id, staffId: actor.memberId, reason })
  else await rejectPayout(tx, deps, { payoutId: id, kind: PAYOUT[kind], staffId: actor.memberId, reason })
  await auditStaff(tx, deps, actor, { action: 'request.reject', subject: { type: kind, id }, reason })
}

/**
 * Revokes the actor's first approval.
 * @throws AppError STAFF_ONLY, NOT_FOUND, ALREADY_DECIDED, ITEM_CHANGED
 */
export async function revokeApproval(tx: Tx, deps: Deps, actor: StaffActor, decision: RequestDecision): Promise<void> {
  await assertStaff(tx, deps, actor, 'revokeApproval')
  const { kind, id, reason } = decision
  if (kind === 'deposits') await revokeDepositApproval(tx, { id, staffId: actor.memberId })
  else await revokePayoutApproval(tx, { id, kind: PAYOUT[kind], staffId: actor.memberId })
  await auditStaff(tx, deps, actor, { action: 'request.revoke-approval', subject: { type: kind, id }, reason })
}

/**
 * Records the chain transaction of a payout that was approved without a hash.
 * @throws AppError STAFF_ONLY, NOT_FOUND, NOT_APPROVED, ALREADY_DECIDED
 */
export async function recordPayoutTransaction(
  tx: Tx,
  deps: Deps,
  actor: StaffActor,
  { kind, id, reason, txHash }: RequestDecision & { txHash: string },
): Promise<void> {
  await assertStaff(tx, deps, actor, 'nameTransaction')
  if (kind === 'deposits') throw new AppError('NOT_FOUND')
  await nameTransaction(tx, deps, { id, kind: PAYOUT[kind], txHash })
  await auditStaff(tx, deps, actor, { action: 'request.transaction', subject: { type: kind, id }, reason, detail: { txHash } })
}

/**
 * Cancels an approved payout before it arrives. Staff cannot cancel their own.
 * @throws AppError STAFF_ONLY, NOT_FOUND, NOT_APPROVED, ALREADY_DECIDED, FOUR_EYES
 */
export async function stopSending(
  tx: Tx,
  deps: Deps,
  actor: StaffActor,
  { kind, id, reason }: RequestDecision & { reason: string },
): Promise<'RETURNED' | 'CANCEL_REQUESTED'> {
  await assertStaff(tx, deps, actor, 'stopSending')
  if (kind === 'deposits') throw new AppError('NOT_FOUND')
  const { memberId } = await findRequest(tx, kind, id)
  if (memberId === actor.memberId) throw new AppError('FOUR_EYES')
  const outcome = await cancelSending(tx, deps, { id, kind: PAYOUT[kind] })
  await auditStaff(tx, deps, actor, { action: 'request.stop-sending', subject: { type: kind, id }, reason, detail: { outcome } })
  return outcome === 'returned' ? 'RETURNED' : 'CANCEL_REQUESTED'
}
