import type { ReplyOf } from '@tizara/contract'
import type { staffIncidents } from '@tizara/contract/staff-platform'
import { sql } from 'kysely'
import { unclaimedAddresses } from '../../../gateways/chain/index.ts'
import { AppError } from '../../../platform/runtime/app-error.ts'
import type { Db, Tx } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { membersById } from '../../members/index.ts'
import { assertStaff, auditStaff, type StaffActor } from '../access/actor.ts'
import { alertMeaning, answeredBy } from './platform-alerts.ts'
import { personOf } from '../access/person.ts'

/** Maximum number of incidents that are shown. A monitored condition has at most one open incident. */
const MAX_INCIDENTS = 50

/** Lists open incidents, the most severe first, then the oldest. */
export async function readIncidents(db: Db): Promise<ReplyOf<typeof staffIncidents>> {
  const rows = await db
    .selectFrom('staff_incident')
    .selectAll()
    .where('ended_at', 'is', null)
    .orderBy(sql`level = 'red'`, 'desc')
    .orderBy('since')
    .limit(MAX_INCIDENTS)
    .execute()
  const people = await membersById(
    db,
    rows.flatMap((row) => (row.taken_by === null ? [] : [row.taken_by])),
  )
  const addressesByName = new Map<string, string[]>()
  for (const { name } of rows)
    if (name.startsWith('unclaimed:')) addressesByName.set(name, await unclaimedAddresses(db, answeredBy(name) ?? ''))
  const answerFields = (name: string) => {
    const [id, addresses = []] = [answeredBy(name), addressesByName.get(name)]
    return { ...(id === undefined ? {} : { answerableId: id }), ...(addresses.length === 0 ? {} : { unclaimedAddresses: addresses }) }
  }
  return rows.map((row) => ({
    id: row.public_id,
    level: row.level === 'red' ? ('red' as const) : ('amber' as const),
    text: row.text,
    since: row.since,
    ...alertMeaning(row.name),
    ...answerFields(row.name),
    ...(row.taken_by === null || row.taken_at === null ? {} : { takenBy: personOf(people.get(row.taken_by)), takenAt: row.taken_at }),
  }))
}

/**
 * Assigns an incident to the staff member.
 * @throws AppError STAFF_ONLY, NOT_FOUND for an incident that has ended
 */
export async function takeIncident(tx: Tx, deps: Deps, actor: StaffActor, id: string): Promise<void> {
  await assertStaff(tx, deps, actor, 'takeIncident')
  const assigned = await tx
    .updateTable('staff_incident')
    .set({ taken_by: actor.memberId, taken_at: deps.clock.now() })
    .where('public_id', '=', id)
    .where('ended_at', 'is', null)
    .returning('name')
    .executeTakeFirst()
  if (assigned === undefined) throw new AppError('NOT_FOUND')
  await auditStaff(tx, deps, actor, { action: 'incident.take', subject: { type: 'incident', id }, detail: { name: assigned.name } })
}
