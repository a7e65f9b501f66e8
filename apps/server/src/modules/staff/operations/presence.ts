import type { presence } from '@tizara/contract/staff-platform'
import { sql } from 'kysely'
import type * as v from 'valibot'
import type { Db, Tx } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { assertStaff, type StaffActor } from '../access/actor.ts'

/** Seconds until a presence entry expires. */
const LASTS_SECONDS = 45
/** Maximum number of pages per person, one for each tab. */
const MAX_PLACES = 10

type Presence = v.InferOutput<typeof presence>
type PresenceActivity = Presence[number]['people'][number]['doing']

/**
 * Records a staff member's location (staff.md 3) and deletes expired entries.
 * @throws AppError STAFF_ONLY
 */
export async function announcePresence(
  tx: Tx,
  deps: Pick<Deps, 'clock'>,
  actor: StaffActor,
  { place, doing }: { place: string; doing: PresenceActivity | 'gone' },
): Promise<void> {
  await assertStaff(tx, deps, actor, 'announcePresence')
  const now = deps.clock.now()
  await sql`delete from staff_presence where member_id = ${actor.memberId} and (place = ${place} or at < ${signsSince(now)}
    or place not in (select place from staff_presence where member_id = ${actor.memberId} order by at desc limit ${MAX_PLACES - 1}))`.execute(
    tx,
  )
  if (doing !== 'gone')
    await sql`insert into staff_presence (member_id, place, doing, at) values (${actor.memberId}, ${place}, ${doing}, ${now})
      on conflict (member_id, place) do update set doing = excluded.doing, at = excluded.at`.execute(tx)
}

const signsSince = (now: Date) => new Date(now.getTime() - LASTS_SECONDS * 1000)

export async function readPresence(db: Db, now: Date): Promise<Presence> {
  const { rows } = await sql<{ place: string; doing: PresenceActivity; id: string; name: string }>`
    select p.place, p.doing, m.public_id as id, m.name from staff_presence p join member m on m.id = p.member_id
    where p.at > ${signsSince(now)} and m.role <> 'MEMBER' and m.is_active order by p.place, m.id`.execute(db)
  return [...Map.groupBy(rows, (row) => row.place)].map(([place, people]) => ({
    place,
    people: people.map(({ id, name, doing }) => ({ id, name, doing })),
  }))
}
