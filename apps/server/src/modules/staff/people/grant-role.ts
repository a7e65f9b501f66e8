import { sql } from 'kysely'
import { enqueueMails, mailTime } from '../../../gateways/mailer/index.ts'
import { AppError } from '../../../platform/runtime/app-error.ts'
import type { Tx } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { wasEverAudited } from '../../audit/index.ts'
import { memberByEmail } from '../../members/index.ts'
import { assertStaff, auditStaff, type StaffActor } from '../access/actor.ts'
import { GRANTED_ALONE, TAKEN_ALONE } from '../duties/novices.ts'
import { readChange } from '../proposals/kinds/change-subjects.ts'
import type { MoneyOutcome } from '../rewards/move-house-money.ts'
import { proposeChange } from '../proposals/propose-change.ts'
import { gainsRights, losesRights, type RoleGrant, setStaffRole } from '../proposals/kinds/set-staff-role.ts'

/** Key of the lock that orders grants while a house has too few people for four eyes. */
const GRANT_LOCK = 1_702_257_013

/**
 * Gives somebody a role of staff, or takes it. With two active admins or more it is filed as a change for another one to
 * approve; before that there is nobody to ask: the first admin needs no actor, the second is made by the first, everybody on the
 * staff is told by mail, and in a house with members it takes days until the new person decides (`novices.ts`). A role that is
 * taken away alone begins that waiting period again.
 * @param actor who grants; null only while the house never had an admin
 * @throws AppError STAFF_ONLY, INVALID_INPUT, FOUR_EYES for an own role
 */
export async function grantRole(tx: Tx, deps: Deps, actor: StaffActor | null, grant: RoleGrant, reason: string): Promise<MoneyOutcome> {
  await sql`select pg_advisory_xact_lock(${GRANT_LOCK})`.execute(tx)
  const { admins, staff } = await tx
    .selectFrom('member')
    .select([
      sql<number>`count(*) filter (where role = 'ADMIN' and is_active)::int`.as('admins'),
      sql<number>`count(*) filter (where role <> 'MEMBER')::int`.as('staff'),
    ])
    .executeTakeFirstOrThrow()
  if (actor === null && (staff > 0 || (await wasEverAudited(tx, 'staff.')))) throw new AppError('STAFF_ONLY')
  if (actor !== null) await assertStaff(tx, actor, 'grantRole')
  const holder = await memberByEmail(tx, grant.email)
  if (holder !== undefined && holder.id === actor?.memberId) throw new AppError('FOUR_EYES')
  const change = readChange({ subject: 'staff', value: grant, reason })
  if (actor !== null && admins > 1) return { done: false, changeId: await proposeChange(tx, deps, actor, change) }
  await setStaffRole(tx, deps, grant)
  if (actor !== null) await tellStaff(tx, deps, grant, reason)
  const member = await memberByEmail(tx, grant.email)
  const before = holder?.role ?? 'MEMBER'
  for (const action of [
    ...(losesRights(before, grant.role) ? [TAKEN_ALONE] : []),
    ...(gainsRights(before, grant.role) ? [GRANTED_ALONE] : []),
  ])
    await auditStaff(tx, deps, actor ?? { memberId: member?.id ?? 0n, role: 'ADMIN' }, {
      action,
      subject: { type: 'member', id: member?.public_id ?? '' },
      reason,
      detail: { before: holder?.role ?? null, after: grant.role },
    })
  return { done: true }
}

/** Whoever got into the account of the only admin can't do this in silence. */
async function tellStaff(tx: Tx, deps: Deps, { email, role }: RoleGrant, reason: string): Promise<void> {
  const staff = await tx
    .selectFrom('member')
    .select(['email', 'name'])
    .where('role', '<>', 'MEMBER')
    .where('is_active', '=', true)
    .execute()
  const lines = [
    `On ${mailTime(deps.clock.now())} the only admin gave ${email} the role ${role}, and nobody else had to agree: "${reason}".`,
    'If that was not meant, stop payouts in the console at once and have the account blocked.',
  ]
  const others = staff.filter((one) => one.email !== email)
  const mails = others.map(({ email: to, name }) => ({
    to,
    template: 'notice' as const,
    data: { name, title: 'a role was given by one', lines },
  }))
  await enqueueMails(tx, deps, mails)
}
