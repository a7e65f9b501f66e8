import { staffRoles } from '@tizara/contract/staff'
import { sql } from 'kysely'
import type { Member } from '../../members/index.ts'
import type { Db } from '../../../platform/db/database.ts'
import { closingObstacles } from '../closing-obstacles.ts'

/**
 * Returns why the personal data of a closed account is not erased yet, one sentence for each reason. Reasons are money, open requests, an
 * open case about the person, a match with a screening list, and actions as staff, which must stay attributable.
 */
export async function erasureObstacles(db: Db, member: Pick<Member, 'id' | 'public_id' | 'role' | 'email'>, now: Date): Promise<string[]> {
  const { rows } = await sql<Record<'staff' | 'link' | 'case' | 'match' | 'proposal' | 'incident' | 'recovery', boolean>>`select
    exists (select from audit_event where actor_id = ${member.id} and actor_role = any(${[...staffRoles]}::text[])) as staff,
    exists (select from linked_account where (member_id = ${member.id} or upline_id = ${member.id}) and verdict is distinct from 'harmless') as link,
    exists (select from screening_hit where member_id = ${member.id} and verdict is distinct from 'different') as match,
    exists (select from staff_case where member_id = ${member.id} and closed_at is null) as "case",
    exists (select from staff_proposal where (status = 'PENDING' or status = 'APPROVED' and starts_at > ${now})
      and (position(${`"${member.public_id}"`} in value::text) > 0 or position(${member.email} in value::text) > 0)) as proposal,
    exists (select from staff_incident where ended_at is null
      and (position(${member.email} in text) > 0 or position(${member.public_id} in name || text) > 0)) as incident,
    exists (select from account_recovery where member_id = ${member.id}) as recovery`.execute(db)
  const { staff, link, case: openCase, match, proposal, incident, recovery } = rows[0] ?? {}
  return [
    ...(staff === true ? ['The person acted as staff, and these decisions must stay attributable.'] : []),
    ...(link === true ? ['A linked account is monitored or not reviewed.'] : []),
    ...(match === true ? ['A match with a screening list is open or confirmed, and must stay provable.'] : []),
    ...(openCase === true ? ['A case about the account is open.'] : []),
    ...(proposal === true ? ['A proposal about the account is open.'] : []),
    ...(incident === true ? ['An incident about the account is open.'] : []),
    ...(recovery === true ? ['A recovery of the account is pending.'] : []),
    ...(await closingObstacles(db, member)),
  ]
}
