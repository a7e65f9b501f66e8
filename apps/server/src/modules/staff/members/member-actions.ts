import { sql } from 'kysely'
import { AppError } from '../../../platform/runtime/app-error.ts'
import type { Tx } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { openView, markEmailVerified } from '../../auth/index.ts'
import { requireMember } from '../../members/index.ts'
import { addressesOf } from '../../withdrawals/index.ts'
import { assertStaff, auditStaff, type StaffActor } from '../access/actor.ts'
import { lockOther, subjectOf } from './decide-member.ts'
import { imageOfTicket } from '../../support/index.ts'

/**
 * Saves a staff note about a member. The audit log records the action without the text.
 * @throws AppError STAFF_ONLY, NOT_FOUND, FOUR_EYES for the actor's account
 */
export async function noteOnMember(tx: Tx, deps: Deps, actor: StaffActor, input: { id: string; text: string }): Promise<void> {
  const member = await lockOther(tx, deps, actor, 'noteOnMember', input.id)
  await tx
    .insertInto('staff_note')
    .values({ member_id: member.id, author_id: actor.memberId, text: input.text, created_at: deps.clock.now() })
    .execute()
  await auditStaff(tx, deps, actor, { action: 'member.note', subject: subjectOf(member) })
}

/**
 * Shows a member's masked fields. The audit entry is written first.
 * @throws AppError STAFF_ONLY, NOT_FOUND
 */
export async function revealMember(
  tx: Tx,
  deps: Deps,
  actor: StaffActor,
  input: { id: string; field: 'phone' | 'address' },
): Promise<string[]> {
  await assertStaff(tx, deps, actor, 'revealMember')
  const member = await requireMember(tx, input.id)
  const values = input.field === 'phone' ? [member.phone] : await addressesOf(tx, member.id)
  await auditStaff(tx, deps, actor, { action: 'member.reveal', subject: subjectOf(member), detail: { field: input.field } })
  return values
}

/**
 * Marks a member's email address as verified.
 * @throws AppError STAFF_ONLY, NOT_FOUND, FOUR_EYES for the actor's account, ALREADY_DECIDED if it is verified
 */
export async function verifyMemberEmail(tx: Tx, deps: Deps, actor: StaffActor, input: { id: string; reason: string }): Promise<void> {
  const member = await lockOther(tx, deps, actor, 'verifyMemberEmail', input.id)
  if (member.is_verified) throw new AppError('ALREADY_DECIDED')
  await markEmailVerified(tx, deps, member)
  await auditStaff(tx, deps, actor, { action: 'member.verify', subject: subjectOf(member), reason: input.reason })
}

/**
 * Opens a view of a member's pages for the current session.
 * @throws AppError STAFF_ONLY, NOT_FOUND also for a staff member, FOUR_EYES for the actor's account, ACCOUNT_BLOCKED and EMAIL_NOT_VERIFIED
 * for a member who cannot use the app
 */
export async function viewAsMember(
  tx: Tx,
  deps: Deps,
  actor: StaffActor,
  input: { id: string; reason: string; sessionId: bigint },
): Promise<{ token: string; endsAt: Date }> {
  const member = await lockOther(tx, deps, actor, 'viewAsMember', input.id)
  if (member.role !== 'MEMBER') throw new AppError('NOT_FOUND')
  if (!member.is_active) throw new AppError('ACCOUNT_BLOCKED')
  if (!member.is_verified) throw new AppError('EMAIL_NOT_VERIFIED')
  const view = await openView(tx, deps, { member, sessionId: input.sessionId })
  await auditStaff(tx, deps, actor, { action: 'member.view-as', subject: subjectOf(member), reason: input.reason })
  return view
}

/**
 * Shows a ticket's image. The audit entry is written first.
 * @throws AppError STAFF_ONLY, NOT_FOUND also for another ticket's image
 */
export async function openTicketImage(
  tx: Tx,
  deps: Deps,
  actor: StaffActor,
  input: { ticketId: string; image: string },
): Promise<{ type: string; base64: string }> {
  await assertStaff(tx, deps, actor, 'openTicketImage')
  const image = await imageOfTicket(tx, input.ticketId, input.image)
  const { rows } = await sql<{ id: string }>`select public_id as id from member where id = ${image.memberId}`.execute(tx)
  await auditStaff(tx, deps, actor, {
    action: 'member.image',
    subject: { type: 'member', id: rows[0]?.id ?? '' },
    detail: { ticket: input.ticketId, image: input.image },
  })
  return { type: image.contentType, base64: image.bytes.toString('base64') }
}
