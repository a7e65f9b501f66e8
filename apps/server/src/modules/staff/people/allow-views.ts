import { sql } from 'kysely'
import { AppError } from '../../../platform/runtime/app-error.ts'
import type { Tx } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { auditStaff, type StaffActor } from '../access/actor.ts'
import { lockOther } from '../members/decide-member.ts'

/**
 * Allows a colleague who reached an hourly limit for personal data to view as much again. The person counts as the second of two.
 * @throws AppError STAFF_ONLY, NOT_FOUND for a person outside the staff, FOUR_EYES for the actor's own or a linked account,
 * ALREADY_DECIDED for a person who has not reached a limit, or whom a colleague has already allowed more
 */
export async function allowViews(tx: Tx, deps: Deps, actor: StaffActor, { id, reason }: { id: string; reason: string }): Promise<void> {
  const holder = await lockOther(tx, deps, actor, 'allowViews', id)
  if (holder.role === 'MEMBER') throw new AppError('NOT_FOUND')
  const now = deps.clock.now()
  const allowed = await sql`
    update staff_view_limit set allowed_at = ${now}, allowed_by = ${actor.memberId}
    where member_id = ${holder.id} and reached_at > coalesce(allowed_at, '-infinity')`.execute(tx)
  if (allowed.numAffectedRows !== 1n) throw new AppError('ALREADY_DECIDED')
  await auditStaff(tx, deps, actor, { action: 'view-limit.allow', subject: { type: 'member', id: holder.public_id }, reason })
}
