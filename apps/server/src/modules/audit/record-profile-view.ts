import { sql } from 'kysely'
import { type Db, inTransaction } from '../../platform/db/database.ts'
import type { Deps } from '../../platform/runtime/deps.ts'
import { recordAudit } from './audit.ts'
import { VIEW_OF_MEMBER } from './audit.queries.ts'

/** Time in ms in which repeated reads count as one view: pages reload automatically. */
const SAME_VIEW_MS = 30 * 60_000

/** The staff member who views personal data. */
interface Onlooker {
  memberId: bigint
  role: string
  ip?: string | undefined
  requestId?: string | undefined
}

/** Records that staff viewed a member in the audit log (invariant I17), once per continued view. */
export async function recordProfileView(db: Db, deps: Pick<Deps, 'clock'>, by: Onlooker, publicId: string): Promise<void> {
  const at = deps.clock.now()
  if (await isKnown(db, by, publicId, at)) return
  await inTransaction(db, async (tx) => {
    // A page requests its parts at once; they count as one view.
    await sql`select pg_advisory_xact_lock(hashtextextended(${`${by.memberId} looks at ${publicId}`}, 0))`.execute(tx)
    if (await isKnown(tx, by, publicId, at)) return
    const { memberId: actorId, role: actorRole, ip, requestId } = by
    const subject = { type: 'member', id: publicId }
    await recordAudit(tx, { at, actorId, actorRole, action: VIEW_OF_MEMBER, subject, outcome: 'ok', ip, requestId })
  })
}

async function isKnown(db: Db, by: Onlooker, publicId: string, at: Date): Promise<boolean> {
  const known = await db
    .selectFrom('audit_event')
    .select('id')
    .where('subject_type', '=', 'member')
    .where('subject_id', '=', publicId)
    .where('actor_id', '=', by.memberId)
    .where('action', '=', VIEW_OF_MEMBER)
    .where('at', '>', new Date(at.getTime() - SAME_VIEW_MS))
    .limit(1)
    .executeTakeFirst()
  return known !== undefined
}
