import { type Db, inTransaction } from '../../platform/database.ts'
import type { Deps } from '../../platform/deps.ts'
import { recordAudit } from './audit.ts'
import { VIEW_OF_MEMBER } from './audit.queries.ts'

/** A page reads again by itself: one look is one row, and the next one after so long. */
const SAME_LOOK_MS = 30 * 60_000

/** Who looks at personal data. */
interface Onlooker {
  memberId: bigint
  role: string
  ip?: string | undefined
  requestId?: string | undefined
}

/** Writes to the trail that somebody of the staff opened a member (invariant I17), once for a look that goes on. */
export async function noteView(db: Db, deps: Pick<Deps, 'clock'>, by: Onlooker, publicId: string): Promise<void> {
  const at = deps.clock.now()
  const { memberId, role, ip, requestId } = by
  const known = await db
    .selectFrom('audit_event')
    .select('id')
    .where('subject_type', '=', 'member')
    .where('subject_id', '=', publicId)
    .where('actor_id', '=', memberId)
    .where('action', '=', VIEW_OF_MEMBER)
    .where('at', '>', new Date(at.getTime() - SAME_LOOK_MS))
    .limit(1)
    .executeTakeFirst()
  if (known !== undefined) return
  const subject = { type: 'member', id: publicId }
  const row = { at, actorId: memberId, actorRole: role, action: VIEW_OF_MEMBER, subject, outcome: 'ok', ip, requestId }
  await inTransaction(db, (tx) => recordAudit(tx, row))
}
