import { staffRoles } from '@tizara/contract/staff'
import { sql } from 'kysely'
import { enqueueMails, mailTime } from '../../../gateways/mailer/index.ts'
import { AppError } from '../../../platform/runtime/app-error.ts'
import type { Tx } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { recordAudit } from '../../audit/index.ts'
import { lockMembers, memberByEmail, memberByPublicId, setSuspension, staffMembers } from '../../members/index.ts'
import { expireWorkOf } from '../proposals/expire-proposals.ts'
import { gainsRights, losesRights, setStaffRole } from '../proposals/kinds/people/staff-role.ts'

/** End of a suspension that only a confirmation lifts. */
const UNTIL_CONFIRMED = new Date('9999-12-31T00:00:00Z')

/** Audit action of a confirmation of restored staff at the command line. */
const CONFIRMED = 'staff.confirm-restored.operator'

/**
 * Removes the staff roles that ended after a backup. If the person's last role has rights that the role in the backup lacks, the person
 * gets no role until two admins grant one again.
 * @param roles the last role of each person, by public id
 * @returns one line per changed person
 */
export async function removeLostRoles(tx: Tx, deps: Deps, roles: ReadonlyMap<string, string>): Promise<string[]> {
  const changed: string[] = []
  for (const [publicId, last] of roles) {
    const holder = await memberByPublicId(tx, publicId)
    const after = staffRoles.find((role) => role === last) ?? 'MEMBER'
    if (holder === undefined || !losesRights(holder.role, after)) continue
    const role = gainsRights(holder.role, after) ? 'MEMBER' : after
    const { email, name, phone } = holder
    const { lostRights } = await setStaffRole(tx, deps, { email, name, phone, role })
    if (lostRights !== undefined) await expireWorkOf(tx, deps, lostRights)
    changed.push(`${email}: ${holder.role} → ${role}`)
  }
  return changed
}

/**
 * Suspends the rights of all staff of a restored database without a valid journal, until they are confirmed.
 * @returns the suspended email addresses
 */
export async function suspendRestoredStaff(tx: Tx, at: Date): Promise<string[]> {
  const staff = await staffMembers(tx)
  for (const { id } of staff) await setSuspension(tx, { id, until: UNTIL_CONFIRMED, at })
  return staff.map(({ email }) => email)
}

/**
 * Lifts the suspensions of these staff members, for the operator at the command line, while fewer than two admins have their rights. Two
 * admins then lift the other suspensions in the console. Writes an audit entry per person and mails all staff.
 * @throws AppError FOUR_EYES if two admins have their rights, NOT_FOUND for an address without such a suspension
 */
export async function confirmRestoredStaff(tx: Tx, deps: Deps, emails: readonly string[]): Promise<void> {
  const at = deps.clock.now()
  await lockMembers(
    tx,
    (await staffMembers(tx)).map(({ id }) => id),
  )
  const { rows } = await sql`select from member where role = 'ADMIN' and is_active and is_verified
    and (suspended_until is null or suspended_until <= ${at}) limit 2`.execute(tx)
  if (rows.length > 1) throw new AppError('FOUR_EYES')
  for (const email of emails) {
    const holder = await memberByEmail(tx, email)
    if (holder === undefined || holder.role === 'MEMBER' || holder.suspended_until?.getTime() !== UNTIL_CONFIRMED.getTime())
      throw new AppError('NOT_FOUND')
    await setSuspension(tx, { id: holder.id, until: at, at })
    const subject = { type: 'member', id: holder.public_id }
    await recordAudit(tx, { at, actorId: null, actorRole: 'SYSTEM', action: CONFIRMED, subject, outcome: 'ok' })
  }
  const lines = [
    `On ${mailTime(at)} the operator confirmed at the command line who is on the staff after a restore: ${emails.join(', ')}.`,
    'If you did not expect this, ask the operator at once.',
  ]
  const staff = (await staffMembers(tx)).filter((one) => one.is_active)
  const mails = staff.map(({ email: to, name }) => ({
    to,
    template: 'notice' as const,
    data: { name, title: 'staff confirmed after a restore', lines },
  }))
  if (mails.length > 0) await enqueueMails(tx, deps, mails)
}
