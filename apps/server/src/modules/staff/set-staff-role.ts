import type { StaffRole } from '@tizara/contract/staff'
import { balancesOf, openAccounts } from '../../ledger/index.ts'
import { AppError } from '../../platform/app-error.ts'
import type { Tx } from '../../platform/database.ts'
import type { Deps } from '../../platform/deps.ts'
import { endSessionsOf, hashPassword, mailResetLink } from '../auth/index.ts'
import { addMember, memberByEmail, setRole } from '../members/index.ts'
import { dropChangesOf } from './drop-changes.ts'
import { mayRole } from './rights.ts'
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
 * a mailed link to set the password: nobody else ever knows it. Staff have no wallets, so that nobody decides over own money.
 * @throws AppError STAFF_HAVE_NO_WALLETS for a member who has money
 */
export async function setStaffRole(tx: Tx, deps: Deps, grant: RoleGrant): Promise<void> {
  const at = deps.clock.now()
  const holder = await memberByEmail(tx, grant.email)
  if (holder !== undefined) {
    if (grant.role === 'MEMBER') await openAccounts(tx, holder.id)
    else await assertNoMoney(tx, holder.id)
    await setRole(tx, { id: holder.id, role: grant.role, at })
    await endSessionsOf(tx, holder.id, 'role', at)
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

async function assertNoMoney(tx: Tx, memberId: bigint): Promise<void> {
  if (Object.values(await balancesOf(tx, memberId)).some((balance) => balance > 0n)) throw new AppError('STAFF_HAVE_NO_WALLETS')
}
