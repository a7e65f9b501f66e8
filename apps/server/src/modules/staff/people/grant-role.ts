import { sql } from 'kysely'
import { enqueueMails, mailTime } from '../../../gateways/mailer/index.ts'
import { AppError } from '../../../platform/runtime/app-error.ts'
import type { Tx } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { wasEverAudited } from '../../audit/index.ts'
import { memberByEmail } from '../../members/index.ts'
import { assertStaff, auditStaff, type StaffActor } from '../access/actor.ts'
import { SOLO_GRANT, SOLO_REVOCATION } from '../duties/cooling-off.ts'
import { completeApplied } from '../proposals/apply-proposal.ts'
import { readProposal } from '../proposals/proposal.ts'
import type { ProposalOutcome } from '../access/bind-staff-actions.ts'
import { submitProposal } from '../proposals/submit-proposal.ts'
import { gainsRights, losesRights, type RoleGrant, setStaffRole } from '../proposals/kinds/people/staff-role.ts'

/** Key of the advisory lock that serializes grants of roles while fewer than two admins exist. */
const GRANT_LOCK = 1_702_257_013

/**
 * Grants or removes a staff role. With two or more active admins this becomes a proposal for another admin. With one admin it applies at
 * once, and all staff get a mail. On a platform with members, the new role then waits for the cooling-off period, which restarts if the
 * sole admin removes a role. The first admin needs no actor.
 * @param actor the admin; null only before the first admin
 * @throws AppError STAFF_ONLY, INVALID_INPUT, FOUR_EYES for the actor's role, except to give up rights with another admin's approval
 */
export async function grantRole(tx: Tx, deps: Deps, actor: StaffActor | null, grant: RoleGrant, reason: string): Promise<ProposalOutcome> {
  await sql`select pg_advisory_xact_lock(${GRANT_LOCK})`.execute(tx)
  const { admins, staff } = await tx
    .selectFrom('member')
    .select([
      sql<number>`count(*) filter (where role = 'ADMIN' and is_active)::int`.as('admins'),
      sql<number>`count(*) filter (where role <> 'MEMBER')::int`.as('staff'),
    ])
    .executeTakeFirstOrThrow()
  if (actor === null && (staff > 0 || (await wasEverAudited(tx, 'staff.')))) throw new AppError('STAFF_ONLY')
  if (actor !== null) await assertStaff(tx, deps, actor, 'grantRole')
  const proposal = readProposal({ subject: 'staff', value: grant, reason })
  if (actor !== null && admins > 1) return { done: false, proposalId: await submitProposal(tx, deps, actor, proposal) }
  const holder = await memberByEmail(tx, grant.email)
  if (holder !== undefined && holder.id === actor?.memberId) throw new AppError('FOUR_EYES')
  const applied = await setStaffRole(tx, deps, grant)
  if (actor !== null) await mailStaff(tx, deps, grant, holder?.role ?? 'MEMBER', reason)
  const member = await memberByEmail(tx, grant.email)
  const proposer = actor ?? { memberId: member?.id ?? 0n, role: 'ADMIN' as const }
  await completeApplied(tx, deps, applied, { proposer, reason })
  const before = holder?.role ?? 'MEMBER'
  for (const action of [
    ...(losesRights(before, grant.role) ? [SOLO_REVOCATION] : []),
    ...(gainsRights(before, grant.role) ? [SOLO_GRANT] : []),
  ])
    await auditStaff(tx, deps, proposer, {
      action,
      subject: { type: 'member', id: member?.public_id ?? '' },
      reason,
      detail: { before: holder?.role ?? null, after: grant.role },
    })
  return { done: true }
}

/** Mails all other staff, so that an attacker with the only admin's account cannot change a role unnoticed. */
async function mailStaff(tx: Tx, deps: Deps, { email, role }: RoleGrant, before: string, reason: string): Promise<void> {
  const staff = await tx
    .selectFrom('member')
    .select(['email', 'name'])
    .where('role', '<>', 'MEMBER')
    .where('is_active', '=', true)
    .execute()
  const change = role === 'MEMBER' ? `removed ${email} (${before}) from the staff` : `gave ${email} the role ${role}`
  const lines = [
    `On ${mailTime(deps.clock.now())} the only admin ${change}. No second person approved this. The reason given: "${reason}".`,
    "If you did not expect this, stop payouts in the console at once and have the admin's account checked.",
  ]
  const title = role === 'MEMBER' ? 'one admin removed a colleague' : 'one admin gave a role'
  const others = staff.filter((one) => one.email !== email)
  const mails = others.map(({ email: to, name }) => ({ to, template: 'notice' as const, data: { name, title, lines } }))
  await enqueueMails(tx, deps, mails)
}
