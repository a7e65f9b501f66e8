import { type Db, inTransaction } from '../../platform/database.ts'
import type { Deps } from '../../platform/deps.ts'
import { recordAudit } from './audit.ts'
import { VIEWED } from './audit.queries.ts'

/** A page reads again by itself: one look is one row, and the next one after so long. */
const SAME_LOOK_MS = 30 * 60_000

/** Who looks at personal data. */
interface Onlooker {
  memberId: bigint
  role: string
  ip?: string | undefined
  requestId?: string | undefined
}

/** Writes to the trail that somebody of the staff looked at personal data (invariant I17), once for a look that goes on. */
export async function noteView(
  db: Db,
  deps: Pick<Deps, 'clock'>,
  by: Onlooker,
  { what, subject }: { what: 'member' | 'picture'; subject: { type: string; id: string } },
): Promise<void> {
  const at = deps.clock.now()
  const action = `${VIEWED}${what}`
  const known = await db
    .selectFrom('audit_event')
    .select('id')
    .where('subject_type', '=', subject.type)
    .where('subject_id', '=', subject.id)
    .where('actor_id', '=', by.memberId)
    .where('action', '=', action)
    .where('at', '>', new Date(at.getTime() - SAME_LOOK_MS))
    .limit(1)
    .executeTakeFirst()
  if (known !== undefined) return
  const { memberId, role, ip, requestId } = by
  await inTransaction(db, (tx) =>
    recordAudit(tx, { at, actorId: memberId, actorRole: role, action, subject, outcome: 'ok', ip, requestId }),
  )
}
