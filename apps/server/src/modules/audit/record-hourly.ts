import { sql } from 'kysely'
import { HOUR_MS } from '../../platform/runtime/clock.ts'
import { type Db, inTransaction } from '../../platform/db/database.ts'
import { type AuditEntry, recordAudit } from './audit.ts'
import { latestActions } from './audit.queries.ts'

/** Newest entries of the actor that are searched for the same one. Each of them is limited too, or was a successful action. */
const MAX_ENTRIES = 20

/**
 * Records a refused call of a member once an hour for each action and outcome, because a client may repeat it without a limit [I17].
 */
export async function recordHourly(db: Db, entry: AuditEntry & { actorId: bigint }): Promise<void> {
  if (await isRecorded(db, entry)) return
  await inTransaction(db, async (tx) => {
    // Calls that arrive together add one entry.
    await sql`select pg_advisory_xact_lock(hashtextextended(${`refused calls of ${entry.actorId}`}, 0))`.execute(tx)
    if (!(await isRecorded(tx, entry))) await recordAudit(tx, entry)
  })
}

async function isRecorded(db: Db, { actorId, action, outcome, at }: AuditEntry & { actorId: bigint }): Promise<boolean> {
  const since = at.getTime() - HOUR_MS
  const latest = await latestActions(db, actorId, MAX_ENTRIES)
  return latest.some((one) => one.action === action && one.outcome === outcome && one.at.getTime() > since)
}
