import type { presence } from '@tizara/contract/staff-platform'
import { sql } from 'kysely'
import type * as v from 'valibot'
import type { Db, Tx } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { assertStaff, type StaffActor } from '../access/actor.ts'

/** Seconds until a presence entry expires. */
const LASTS_SECONDS = 45
/** Maximum number of pages per person, one for each tab. */
const MAX_LOCATIONS = 10

type Presence = v.InferOutput<typeof presence>
type PresenceActivity = Presence[number]['people'][number]['activity']

/**
 * Records a staff member's location (staff.md 3) and deletes expired entries.
 * @throws AppError STAFF_ONLY
 */
export async function announcePresence(
  tx: Tx,
  deps: Pick<Deps, 'clock'>,
  actor: StaffActor,
  { location, activity }: { location: string; activity: PresenceActivity | 'gone' },
): Promise<void> {
  await assertStaff(tx, deps, actor, 'announcePresence')
  const now = deps.clock.now()
  await sql`delete from staff_presence where member_id = ${actor.memberId} and (location = ${location} or at < ${signsSince(now)}
    or location not in (select location from staff_presence where member_id = ${actor.memberId} order by at desc limit ${MAX_LOCATIONS - 1}))`.execute(
    tx,
  )
  if (activity !== 'gone')
    await sql`insert into staff_presence (member_id, location, activity, at) values (${actor.memberId}, ${location}, ${activity}, ${now})
      on conflict (member_id, location) do update set activity = excluded.activity, at = excluded.at`.execute(tx)
}

const signsSince = (now: Date) => new Date(now.getTime() - LASTS_SECONDS * 1000)

export async function readPresence(db: Db, now: Date): Promise<Presence> {
  const { rows } = await sql<{ location: string; activity: PresenceActivity; id: string; name: string }>`
    select p.location, p.activity, m.public_id as id, m.name from staff_presence p join member m on m.id = p.member_id
    where p.at > ${signsSince(now)} and m.role <> 'MEMBER' and m.is_active order by p.location, m.id`.execute(db)
  return [...Map.groupBy(rows, (row) => row.location)].map(([location, people]) => ({
    location,
    people: people.map(({ id, name, activity }) => ({ id, name, activity })),
  }))
}
