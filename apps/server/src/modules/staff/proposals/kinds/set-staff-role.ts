import { type StaffRole, staffRoles } from '@tizara/contract/staff'
import { sql } from 'kysely'
import { openAccounts } from '../../../../ledger/index.ts'
import { AppError } from '../../../../platform/runtime/app-error.ts'
import type { Tx } from '../../../../platform/db/database.ts'
import type { Deps } from '../../../../platform/runtime/deps.ts'
import { endSessionsOf, hashPassword, mailResetLink } from '../../../auth/index.ts'
import { addMember, memberByEmail, setRole } from '../../../members/index.ts'
import { dropChangesOf } from './drop-changes.ts'
import { mailTakenRole } from '../../access/mail-admins.ts'
import { mayRole, rightsOf } from '../../access/rights.ts'
import { dropWorkOf } from './set-staff-status.ts'

export interface RoleGrant {
  /** Normalised: lower case. */
  email: string
  /** For an account that does not exist yet. */
  name: string
  phone: string
  role: 'MEMBER' | StaffRole
}

/**
 * Gives somebody a role; sessions under the earlier one end at once (invariant I14). Whoever has no account gets one, and
 * a mailed link to set the password: nobody else ever knows it. Staff have no wallets and earn nothing, so that nobody decides
 * over own money.
 * @throws AppError STAFF_HAVE_OWN_ACCOUNTS for a member whose account was used as one
 */
export async function setStaffRole(tx: Tx, deps: Deps, grant: RoleGrant): Promise<void> {
  const at = deps.clock.now()
  const holder = await memberByEmail(tx, grant.email)
  if (holder !== undefined) {
    if (grant.role === 'MEMBER') await openAccounts(tx, holder.id)
    else if (holder.role === 'MEMBER') await assertUnused(tx, holder.id)
    await setRole(tx, { id: holder.id, role: grant.role, at })
    await endSessionsOf(tx, holder.id, 'role', at)
    if (losesRights(holder.role, grant.role)) await mailTakenRole(tx, deps, holder, `is ${grant.role} now and was ${holder.role}`)
    if (mayRole(grant.role, 'approveRequest')) await dropChangesOf(tx, deps, holder.id, grant.role)
    else await dropWorkOf(tx, deps, holder.id)
    return
  }
  const passwordHash = await hashPassword(deps.ids.secret())
  const added = await addMember(tx, deps, {
    name: grant.name,
    email: grant.email,
    phone: grant.phone,
    passwordHash,
    sponsorId: null,
    isVerified: true,
    role: grant.role,
  })
  if (added === undefined) throw new Error('the address was taken in the same moment')
  if (grant.role === 'MEMBER') await openAccounts(tx, added.id)
  await mailResetLink(tx, deps, added.id)
}

const roleOf = (text: string) => staffRoles.find((role) => role === text) ?? 'MEMBER'

/** Whether a role has rights that another one lacks. */
export const gainsRights = (before: string, after: 'MEMBER' | StaffRole): boolean =>
  rightsOf(after).some((right) => !mayRole(roleOf(before), right))

/** Whether a role lacks rights of the one before. */
export const losesRights = (before: string, after: 'MEMBER' | StaffRole): boolean => gainsRights(after, roleOf(before))

/**
 * Refuses an account that money has moved on, may still come to, or that earns by a team: it would go on as its owner's, who
 * decides about both from now on.
 */
async function assertUnused(tx: Tx, memberId: bigint): Promise<void> {
  // Who registers below this person right now holds the row, and is seen afterwards.
  await sql`select from member where id = ${memberId} for update`.execute(tx)
  const { rows } = await sql<{ used: boolean }>`select exists (select from ledger_account where owner_id = ${memberId} and version > 0)
    or exists (select from deposit where member_id = ${memberId})
    or exists (select from member where sponsor_id = ${memberId}) as used`.execute(tx)
  if (rows[0]?.used !== false) throw new AppError('STAFF_HAVE_OWN_ACCOUNTS')
}
