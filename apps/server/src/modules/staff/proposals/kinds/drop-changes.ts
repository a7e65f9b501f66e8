import { changeSubjects } from '@tizara/contract/staff-changes'
import type { StaffRole } from '@tizara/contract/staff'
import type { Tx } from '../../../../platform/db/database.ts'
import type { Deps } from '../../../../platform/runtime/deps.ts'
import { asChange, auditFallen } from '../../duties/last-word.ts'
import { endChange, openChanges, OTHER_BASE, queueForApproval, replan, topicOf } from './plan-changes.ts'
import { mayRole } from '../../access/rights.ts'

/**
 * Lets fall what somebody proposed or approved and may no longer, as long as it is not in force: a change stands on two
 * people who both may.
 * @param role what the person is from now on
 */
export async function dropChangesOf(tx: Tx, deps: Deps, staffId: bigint, role: 'MEMBER' | StaffRole): Promise<void> {
  await queueForApproval(tx)
  const now = deps.clock.now()
  const open = await openChanges(tx, now)
    .where((row) => row.or([row('proposed_by', '=', staffId), row('decided_by', '=', staffId)]))
    .forUpdate()
    .execute()
  const topics = new Set<string>()
  const ended: string[] = []
  for (const row of open) {
    const subject = changeSubjects.find((one) => one === row.subject)
    if (subject !== undefined && mayRole(role, `change.${subject}`)) continue
    const reason = row.proposed_by === staffId ? 'Its maker is no longer on the staff' : 'Who approved it is no longer on the staff'
    await endChange(tx, row.id, { status: 'OUTDATED', at: now, by: null, reason })
    ended.push(row.public_id)
    const topic = topicOf(row, row.public_id)
    if (row.status === 'APPROVED' && topic !== undefined) topics.add(topic)
  }
  const fallen: string[] = []
  for (const topic of topics) fallen.push(...(await replan(tx, deps, topic)))
  await auditFallen(tx, deps, ended.map(asChange), 'Who stood behind it is no longer on the staff')
  await auditFallen(tx, deps, fallen.map(asChange), OTHER_BASE)
}
