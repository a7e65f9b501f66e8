import { email, line, NAME_MAX_LENGTH } from '@tizara/contract'
import { type StaffRole, staffRoles } from '@tizara/contract/staff'
import { sql } from 'kysely'
import * as v from 'valibot'
import { openAccounts } from '../../../../../ledger/index.ts'
import { AppError } from '../../../../../platform/runtime/app-error.ts'
import type { Tx } from '../../../../../platform/db/database.ts'
import type { Deps } from '../../../../../platform/runtime/deps.ts'
import { revokeSessionsOf, hashPassword, mailResetLink } from '../../../../auth/index.ts'
import { addMember, memberByEmail, setRole } from '../../../../members/index.ts'
import { endSetup } from '../../../../settings/index.ts'
import { mailRoleRemoval } from '../../../access/mail-admins.ts'
import { recordStaffLinks } from '../../../duties/staff-links.ts'
import { mayRole, rightsOf } from '../../../access/rights.ts'
import { type ApplyResult, proposalKind } from '../../shared/proposal-kind.ts'
import { memberWithEmail } from '../../shared/members-of.ts'
import { textOf } from '../../shared/title-text.ts'

export interface RoleGrant {
  /** Normalised: lower case. */
  email: string
  /** Used for an account that does not exist yet. */
  name: string
  phone: string
  role: 'MEMBER' | StaffRole
}

/** Grants or removes a staff role. */
export const staffRole = proposalKind({
  subject: 'staff',
  value: v.object({
    email,
    name: line(NAME_MAX_LENGTH),
    phone: v.string(),
    role: v.picklist(['MEMBER', ...staffRoles], 'Invalid role'),
  }),
  members: memberWithEmail,
  direction({ role }, before) {
    const old = roleOf(textOf(Object(before).role))
    const [gains, loses] = [gainsRights(old, role), losesRights(old, role)]
    return gains === loses ? undefined : gains ? 'gives' : 'takes'
  },
  current: async (db, _, { email: address }) => ({ role: (await memberByEmail(db, address))?.role ?? null }),
  baseline: 'all-fields',
  apply: (tx, deps, grant) => setStaffRole(tx, deps, grant),
  title: (value, before) => `${textOf(value['email'])}: ${textOf(before?.['role']) || 'nobody'} → ${textOf(value['role'])}`,
})

/**
 * Sets a person's role and ends the sessions with the old role at once [I14]. A person without an account gets one and a mailed link to set
 * the password, so that nobody else knows the password. Staff have no wallets and no earnings, so that they never decide about their own
 * money. The second staff member ends the initial setup.
 * @throws AppError STAFF_HAVE_OWN_ACCOUNTS for an account used as a member's
 */
export async function setStaffRole(tx: Tx, deps: Deps, grant: RoleGrant): Promise<ApplyResult> {
  const at = deps.clock.now()
  const holder = await memberByEmail(tx, grant.email)
  if (holder !== undefined) {
    if (grant.role === 'MEMBER') await openAccounts(tx, holder.id)
    else if (holder.role === 'MEMBER') await assertUnused(tx, holder.id)
    if (holder.role === 'MEMBER' && grant.role !== 'MEMBER') await recordStaffLinks(tx, at, holder.id)
    await setRole(tx, { id: holder.id, role: grant.role, at })
    await revokeSessionsOf(tx, holder.id, 'role', at)
    await endSetupOfTwo(tx, at)
    if (losesRights(holder.role, grant.role)) await mailRoleRemoval(tx, deps, holder, `is ${grant.role} now and was ${holder.role}`)
    return { lostRights: { memberId: holder.id, role: grant.role } }
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
  await endSetupOfTwo(tx, at)
  return {}
}

async function endSetupOfTwo(tx: Tx, at: Date): Promise<void> {
  const { rows } = await sql`select from member where role <> 'MEMBER' limit 2`.execute(tx)
  if (rows.length > 1) await endSetup(tx, at)
}

const roleOf = (text: string) => staffRoles.find((role) => role === text) ?? 'MEMBER'

/** Returns true if the new role adds rights. */
export const gainsRights = (before: string, after: 'MEMBER' | StaffRole): boolean =>
  rightsOf(after).some((right) => !mayRole(roleOf(before), right))

/** Returns true if the new role lacks earlier rights. */
export const losesRights = (before: string, after: 'MEMBER' | StaffRole): boolean => gainsRights(after, roleOf(before))

/** Rejects an account with money, expected payments or earnings from a team, because staff must not decide about their own money. */
async function assertUnused(tx: Tx, memberId: bigint): Promise<void> {
  // Locks the row. A registration below this person also locks the row, so that the check either sees the registration or comes first.
  await sql`select from member where id = ${memberId} for update`.execute(tx)
  const { rows } = await sql<{ used: boolean }>`select exists (select from ledger_account where owner_id = ${memberId} and version > 0)
    or exists (select from deposit where member_id = ${memberId})
    or exists (select from member where sponsor_id = ${memberId}) as used`.execute(tx)
  if (rows[0]?.used !== false) throw new AppError('STAFF_HAVE_OWN_ACCOUNTS')
}
