import type { QueueKind } from '@tizara/contract/staff'
import type { Tx } from '../../platform/database.ts'
import type { Deps } from '../../platform/deps.ts'
import { approveDeposit, rejectDeposit } from '../deposits/index.ts'
import { approvePayout, rejectPayout } from '../withdrawals/index.ts'
import { assertStaff, auditStaff, type StaffActor } from './actor.ts'

/** A decision about a request in a queue. */
export interface RequestDecision {
  kind: QueueKind
  /** Id of the request on the wire. */
  id: string
  reason?: string | undefined
  /** Transaction on the chain, when the payout was made by hand. */
  txHash?: string | undefined
}

const PAYOUT = { withdrawals: 'withdrawal', bridges: 'bridge' } as const

/**
 * Approves a request of a member (GN-04, MF-03, MF-04); above the limit the second approval decides.
 * @returns APPROVED, or WAITING for the second approval
 * @throws AppError STAFF_ONLY, NOT_FOUND, ALREADY_DECIDED, FOUR_EYES
 */
export async function approveRequest(tx: Tx, deps: Deps, actor: StaffActor, decision: RequestDecision): Promise<'APPROVED' | 'WAITING'> {
  await assertStaff(tx, actor, 'ADMIN')
  const reason = decision.reason ?? ''
  const outcome =
    decision.kind === 'deposits'
      ? await approveDeposit(tx, deps, { depositId: decision.id, staffId: actor.memberId, reason })
      : await approvePayout(tx, deps, {
          payoutId: decision.id,
          kind: PAYOUT[decision.kind],
          staffId: actor.memberId,
          reason,
          txHash: decision.txHash,
        })
  await auditStaff(tx, deps, actor, {
    action: outcome === 'approved' ? 'request.approve' : 'request.first-approval',
    subject: { type: decision.kind, id: decision.id },
    reason: decision.reason,
    ...(decision.txHash === undefined ? {} : { detail: { txHash: decision.txHash } }),
  })
  return outcome === 'approved' ? 'APPROVED' : 'WAITING'
}

/**
 * Rejects a request of a member; a payout that was held goes back in full.
 * @throws AppError STAFF_ONLY, NOT_FOUND, ALREADY_DECIDED, FOUR_EYES for an own request
 */
export async function rejectRequest(tx: Tx, deps: Deps, actor: StaffActor, decision: RequestDecision & { reason: string }): Promise<void> {
  await assertStaff(tx, actor, 'ADMIN')
  const { kind, id, reason } = decision
  if (kind === 'deposits') await rejectDeposit(tx, deps, { depositId: id, staffId: actor.memberId, reason })
  else await rejectPayout(tx, deps, { payoutId: id, kind: PAYOUT[kind], staffId: actor.memberId, reason })
  await auditStaff(tx, deps, actor, { action: 'request.reject', subject: { type: kind, id }, reason })
}
