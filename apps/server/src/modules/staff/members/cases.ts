import type { CaseOutcome } from '@tizara/contract/staff-case-row'
import { sql } from 'kysely'
import { DAY_MS } from '../../../platform/runtime/clock.ts'
import { AppError } from '../../../platform/runtime/app-error.ts'
import type { Tx } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { listActors } from '../../audit/index.ts'
import { type Member, membersById } from '../../members/index.ts'
import { assertStaff, auditStaff, type StaffActor } from '../access/actor.ts'
import type { ProposalOutcome } from '../access/bind-staff-actions.ts'
import { mayRole, type StaffRight } from '../access/rights.ts'
import { assertNoConflictOfInterest } from '../duties/conflict-of-interest.ts'
import { lockApprovals } from '../proposals/reschedule.ts'
import { submitProposal } from '../proposals/submit-proposal.ts'
import { lockOther, subjectOf } from './decide-member.ts'
import { endCase } from '../proposals/shared/end-case.ts'

const inDays = (now: Date, days: number) => new Date(now.getTime() + days * DAY_MS)

/**
 * Opens a case about a member. The actor owns it.
 * @param input `dueDays` counts from now
 * @returns its public id
 * @throws AppError STAFF_ONLY, NOT_FOUND, FOUR_EYES for the actor's own or a linked account, ALREADY_DECIDED if a case is open
 */
export async function openCase(
  tx: Tx,
  deps: Deps,
  actor: StaffActor,
  input: { id: string; title: string; dueDays: number; reason: string },
): Promise<string> {
  const member = await lockOther(tx, deps, actor, 'openCase', input.id)
  const [now, id] = [deps.clock.now(), deps.ids.publicId()]
  const { title, reason } = input
  const opened = await tx
    .insertInto('staff_case')
    .values({
      public_id: id,
      member_id: member.id,
      title,
      reason,
      owner_id: actor.memberId,
      opened_at: now,
      due_at: inDays(now, input.dueDays),
    })
    .onConflict((conflict) => conflict.column('member_id').where('closed_at', 'is', null).doNothing())
    .executeTakeFirst()
  if (opened.numInsertedOrUpdatedRows === 0n) throw new AppError('ALREADY_DECIDED')
  await auditStaff(tx, deps, actor, { action: 'case.open', subject: subjectOf(member), reason, detail: { case: id } })
  return id
}

/**
 * Locks an open case and its member for an action.
 * @throws AppError STAFF_ONLY, NOT_FOUND, FOUR_EYES for the actor's own or a linked account, ALREADY_DECIDED if it is closed
 */
async function lockCase(
  tx: Tx,
  deps: Deps,
  actor: StaffActor,
  right: StaffRight,
  publicId: string,
): Promise<{ id: bigint; member: Member; ownerId: bigint | null }> {
  await assertStaff(tx, deps, actor, right)
  const row = await tx
    .selectFrom('staff_case')
    .select(['id', 'member_id', 'owner_id', 'closed_at'])
    .where('public_id', '=', publicId)
    .forUpdate()
    .executeTakeFirst()
  const member = row === undefined ? undefined : (await membersById(tx, [row.member_id])).get(row.member_id)
  if (row === undefined || member === undefined) throw new AppError('NOT_FOUND')
  await assertNoConflictOfInterest(tx, [actor.memberId], [row.member_id])
  if (row.closed_at !== null) throw new AppError('ALREADY_DECIDED')
  return { id: row.id, member, ownerId: row.owner_id }
}

/**
 * Makes the actor the owner of a case, due in some days from now.
 * @throws AppError as {@link lockCase}
 */
export async function takeCase(
  tx: Tx,
  deps: Deps,
  actor: StaffActor,
  input: { id: string; dueDays: number; reason: string },
): Promise<void> {
  const { id, member } = await lockCase(tx, deps, actor, 'takeCase', input.id)
  const dueAt = inDays(deps.clock.now(), input.dueDays)
  await tx.updateTable('staff_case').set({ owner_id: actor.memberId, due_at: dueAt, reminded_at: null }).where('id', '=', id).execute()
  const detail = { case: input.id, dueAt: dueAt.toISOString() }
  await auditStaff(tx, deps, actor, { action: 'case.take', subject: subjectOf(member), reason: input.reason, detail })
}

/**
 * Closes a case with an outcome. The account itself stays as it is. If one person must not end the case alone, this becomes a proposal.
 * @throws AppError as {@link lockCase}; FOUR_EYES if two people must close it and the role may not propose it
 */
export async function closeCase(
  tx: Tx,
  deps: Deps,
  actor: StaffActor,
  input: { id: string; outcome: CaseOutcome; reason: string },
): Promise<ProposalOutcome> {
  // A proposal takes this lock before the rows.
  await lockApprovals(tx)
  const { member, ownerId } = await lockCase(tx, deps, actor, 'closeCase', input.id)
  const { id: caseId, outcome, reason } = input
  if (await requiresSecondPerson(tx, actor, caseId, { member, ownerId })) {
    if (!mayRole(actor.role, 'change.case-closing')) throw new AppError('FOUR_EYES')
    const value = { memberId: member.public_id, email: member.email, caseId, outcome }
    return { done: false, proposalId: await submitProposal(tx, deps, actor, { subject: 'case-closing', value, reason }) }
  }
  await endCase(tx, { id: caseId, outcome, reason, by: actor.memberId, at: deps.clock.now() })
  await auditStaff(tx, deps, actor, { action: 'case.close', subject: subjectOf(member), reason, detail: { case: caseId, outcome } })
  return { done: true }
}

/**
 * Returns true if another person opened or owned the case, even if the actor owns it now. Also true if the case protects money or
 * evidence: a match of screening is open, a rule holds a payout, or the erasure of the closing account waits for the case.
 */
async function requiresSecondPerson(
  tx: Tx,
  actor: StaffActor,
  caseId: string,
  about: { member: Member; ownerId: bigint | null },
): Promise<boolean> {
  const { member, ownerId } = about
  if ((ownerId !== null && ownerId !== actor.memberId) || member.closes_at !== null) return true
  for (const action of ['staff.case.open', 'staff.case.take']) {
    const actors = await listActors(tx, { subject: subjectOf(member), action, outcome: 'ok', detail: { case: caseId } })
    if (actors.some((id) => id !== actor.memberId)) return true
  }
  const { rows } = await sql<{ held: boolean }>`select screening_hold(${member.id}) is not distinct from 'hit' or exists (
    select from payout_request where member_id = ${member.id} and status = 'PENDING' and rule_outcome = 'HELD') as held`.execute(tx)
  return rows[0]?.held === true
}
