import type { ReplyOf } from '@tizara/contract'
import type { staffCatalogue } from '@tizara/contract/staff-changes'
import type { Db } from '../../../platform/db/database.ts'
import { membersById } from '../../members/index.ts'
import { titleOf } from '../proposals/kinds/change-title.ts'
import { openChanges, statusOf, topicOf } from '../proposals/kinds/plan-changes.ts'
import { personOf } from '../access/person.ts'

type Standing = NonNullable<ReplyOf<typeof staffCatalogue>['standing']>

/** So many decided changes are looked through: what is older was never changed since. */
const LOOKED_THROUGH = 1000

/** What a change touches, as the catalogue names it: settings one by one, everything else as a whole. */
function placesOf(row: { public_id: string; subject: string; value: unknown }): string[] {
  const topic = topicOf(row, row.public_id)
  if (topic === 'settings') return Object.keys(Object(row.value))
  return topic === undefined ? [] : [topic]
}

/** Since when the values of the catalogue are as they are, who made them so, and what is proposed or planned for them. */
export async function catalogueStanding(db: Db, viewerId: bigint, now: Date): Promise<Standing> {
  const made = await db
    .selectFrom('staff_change')
    .select(['public_id', 'subject', 'value', 'proposed_by', 'decided_by', 'decided_at', 'starts_at'])
    .where('status', '=', 'APPROVED')
    .where('subject', 'in', ['price', 'settings', 'limits', 'plan', 'nft', 'popup', 'programme'])
    .where((row) => row.or([row('starts_at', 'is', null), row('starts_at', '<=', now)]))
    .orderBy('id', 'desc')
    .limit(LOOKED_THROUGH)
    .execute()
  const open = await openChanges(db, now).limit(LOOKED_THROUGH).execute()
  const people = await membersById(
    db,
    [...made, ...open].flatMap((row) => [row.proposed_by, row.decided_by].filter((id) => id !== null)),
  )
  const standing: Standing = {}
  const at = (place: string) => (standing[place] ??= { since: null, by: [], pending: [] })
  const begun = (row: (typeof made)[number]) => (row.starts_at ?? row.decided_at ?? now).getTime()
  for (const row of made.toSorted((a, b) => begun(a) - begun(b))) {
    const by = [row.proposed_by, row.decided_by].flatMap((id) => (id === null ? [] : [personOf(people.get(id))]))
    for (const place of placesOf(row)) Object.assign(at(place), { since: new Date(begun(row)), by })
  }
  for (const row of open) {
    const pending = {
      changeId: row.public_id,
      title: titleOf({ subject: row.subject, value: row.value, before: row.base }),
      status: statusOf(row, now) === 'PLANNED' ? ('PLANNED' as const) : ('PENDING' as const),
      startsAt: row.starts_at,
      value: row.value,
      by: personOf(people.get(row.proposed_by)),
      mine: row.proposed_by === viewerId,
    }
    for (const place of placesOf(row)) at(place).pending.push(pending)
  }
  return standing
}
