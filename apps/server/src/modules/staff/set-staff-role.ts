import { openAccounts } from '../../ledger/index.ts'
import type { Tx } from '../../platform/database.ts'
import type { Deps } from '../../platform/deps.ts'
import { endSessionsOf, hashPassword, mailResetLink } from '../auth/index.ts'
import { addMember, memberByEmail, setRole } from '../members/index.ts'
import { joinTeam } from '../team/index.ts'

/** Who gets which role. */
export interface RoleGrant {
  /** Normalised: lower case. */
  email: string
  /** For an account that does not exist yet. */
  name: string
  phone: string
  role: 'MEMBER' | 'SUPPORT' | 'ADMIN'
}

/**
 * Gives somebody a role; sessions under the earlier one end at once (invariant I14). Whoever has no account gets one, and
 * a mailed link to set the password: nobody else ever knows it.
 */
export async function setStaffRole(tx: Tx, deps: Deps, grant: RoleGrant): Promise<void> {
  const at = deps.clock.now()
  const holder = await memberByEmail(tx, grant.email)
  if (holder !== undefined) {
    await setRole(tx, { id: holder.id, role: grant.role, at })
    await endSessionsOf(tx, holder.id, 'role', at)
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
  await openAccounts(tx, added.id)
  await joinTeam(tx, { memberId: added.id, sponsorId: null, at })
  await mailResetLink(tx, deps, added.id)
}
