import type { StaffRole } from '@tizara/contract/staff'
import type { Tx } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { revokeFirstDepositApprovals } from '../../deposits/index.ts'
import { revokeFirstPayoutApprovals } from '../../withdrawals/index.ts'
import { mayRole } from '../access/rights.ts'
import { auditExpired, proposalSubject } from '../duties/approval-audit-match.ts'
import { storedKind } from './proposal.ts'
import { endProposal, openProposals } from './proposal-status.ts'
import { OTHER_BASELINE, lockApprovals, reschedule, type Topic, topicName, topicOf } from './reschedule.ts'

/**
 * Expires a person's first approvals and open proposals that the person's remaining rights do not allow. Both proposer and approver must
 * have the right when a decision takes effect.
 * @param role the person's role from now on
 */
export async function expireWorkOf(
  tx: Tx,
  deps: Deps,
  { memberId, role }: { memberId: bigint; role: 'MEMBER' | StaffRole },
): Promise<void> {
  // Lock order: rows of the request queues before the audit log, as in every decision about them.
  const approvals = mayRole(role, 'approveRequest') ? [] : await expireFirstApprovals(tx, memberId)
  await expireProposals(tx, deps, memberId, role)
  await auditExpired(tx, deps, approvals, 'The approver is no longer on the staff')
}

async function expireFirstApprovals(tx: Tx, memberId: bigint) {
  const [payouts, deposits] = [await revokeFirstPayoutApprovals(tx, memberId), await revokeFirstDepositApprovals(tx, memberId)]
  return [
    ...payouts.map(({ id, kind }) => ({ type: kind === 'bridge' ? ('bridges' as const) : ('withdrawals' as const), id })),
    ...deposits.map((id) => ({ type: 'deposits' as const, id })),
  ]
}

async function expireProposals(tx: Tx, deps: Deps, staffId: bigint, role: 'MEMBER' | StaffRole): Promise<void> {
  await lockApprovals(tx)
  const now = deps.clock.now()
  const open = await openProposals(tx, now)
    .where((row) => row.or([row('proposed_by', '=', staffId), row('decided_by', '=', staffId)]))
    .forUpdate()
    .execute()
  const topics = new Map<string, Topic>()
  const expiredIds: string[] = []
  for (const row of open) {
    const kind = storedKind(row.subject)
    if (kind !== undefined && mayRole(role, `change.${kind.subject}`)) continue
    const reason = row.proposed_by === staffId ? 'The proposer is no longer on the staff' : 'The approver is no longer on the staff'
    await endProposal(tx, row.id, { status: 'OUTDATED', at: now, by: null, reason })
    expiredIds.push(row.public_id)
    const topic = topicOf(row, row.public_id)
    if (row.status === 'APPROVED' && topic !== undefined) topics.set(topicName(topic), topic)
  }
  const expired: string[] = []
  for (const topic of topics.values()) expired.push(...(await reschedule(tx, deps, topic)))
  await auditExpired(tx, deps, expiredIds.map(proposalSubject), 'The proposer or approver is no longer on the staff')
  await auditExpired(tx, deps, expired.map(proposalSubject), OTHER_BASELINE)
}
