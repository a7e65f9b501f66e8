import type { QueryOf } from '@tizara/contract'
import type { staffSharedTraces } from '@tizara/contract/staff-purchases'
import type { Db } from '../../platform/database.ts'
import { membersById } from '../members/index.ts'
import { personOf } from './queue-item.ts'
import { listSharedTraces } from './shared-traces.ts'

/** Who may have referred themselves, with the people behind it. */
export async function readSharedTraces(db: Db, query: QueryOf<typeof staffSharedTraces>) {
  const { rows, meta } = await listSharedTraces(db, query)
  const people = await membersById(
    db,
    rows.flatMap((row) => [row.memberId, row.uplineId]),
  )
  const data = rows.map(({ id, memberId, uplineId, ...trace }) => ({
    id: String(id),
    member: personOf(people.get(memberId)),
    upline: personOf(people.get(uplineId)),
    ...trace,
  }))
  return { data, meta }
}
