import type { CaseOutcome } from '@tizara/contract/staff-case-row'
import { DAY_MS } from '../../../platform/runtime/clock.ts'
import { AppError } from '../../../platform/runtime/app-error.ts'
import type { Tx } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { type Member, membersById } from '../../members/index.ts'
import { assertStaff, auditStaff, type StaffActor } from '../access/actor.ts'
import type { StaffRight } from '../access/rights.ts'
import { assertNoConflictOfInterest } from '../duties/conflict-of-interest.ts'
import { lockOther, subjectOf } from './decide-member.ts'

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
): Promise<{ id: bigint; member: Member }> {
  await assertStaff(tx, deps, actor, right)
  const row = await tx
    .selectFrom('staff_case')
    .select(['id', 'member_id', 'closed_at'])
    .where('public_id', '=', publicId)
    .forUpdate()
    .executeTakeFirst()
  const member = row === undefined ? undefined : (await membersById(tx, [row.member_id])).get(row.member_id)
  if (row === undefined || member === undefined) throw new AppError('NOT_FOUND')
  await assertNoConflictOfInterest(tx, [actor.memberId], [row.member_id])
  if (row.closed_at !== null) throw new AppError('ALREADY_DECIDED')
  return { id: row.id, member }
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
 * Closes a case with an outcome. The account itself stays as it is.
 * @throws AppError as {@link lockCase}
 */
export async function closeCase(
  tx: Tx,
  deps: Deps,
  actor: StaffActor,
  input: { id: string; outcome: CaseOutcome; reason: string },
): Promise<void> {
  const { id, member } = await lockCase(tx, deps, actor, 'closeCase', input.id)
  const { outcome, reason } = input
  await tx
    .updateTable('staff_case')
    .set({ outcome, outcome_reason: reason, closed_by: actor.memberId, closed_at: deps.clock.now() })
    .where('id', '=', id)
    .execute()
  await auditStaff(tx, deps, actor, { action: 'case.close', subject: subjectOf(member), reason, detail: { case: input.id, outcome } })
}
