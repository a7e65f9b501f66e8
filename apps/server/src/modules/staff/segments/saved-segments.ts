import type { ReplyOf } from '@tizara/contract'
import { MAX_SAVED_SEGMENTS, type staffSegments } from '@tizara/contract/staff-saved-segments'
import { sql } from 'kysely'
import { AppError } from '../../../platform/runtime/app-error.ts'
import type { Db, Tx } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { assertStaff, auditStaff, type StaffActor } from '../access/actor.ts'
import { assertSegment, isSegment, type Segment } from './segment.queries.ts'

/** Lists the saved segments by name. */
export async function listSegments(db: Db): Promise<ReplyOf<typeof staffSegments>> {
  const rows = await db
    .selectFrom('saved_segment')
    .selectAll()
    .orderBy(sql`lower(name)`)
    .limit(MAX_SAVED_SEGMENTS)
    .execute()
  return rows.map(({ public_id: id, name, criteria }) => ({ id, name, criteria: criteria as Segment }))
}

/**
 * Saves the criteria of a segment under a name, and replaces those of the same name.
 * @returns its public id
 * @throws AppError STAFF_ONLY, INVALID_INPUT for criteria that are empty or that no member can meet, TOO_MANY_REQUESTS at the limit
 */
export async function saveSegment(
  tx: Tx,
  deps: Deps,
  actor: StaffActor,
  { name, criteria }: { name: string; criteria: Segment },
): Promise<string> {
  await assertStaff(tx, deps, actor, 'saveSegment')
  if (!isSegment(criteria)) throw new AppError('INVALID_INPUT', {}, [{ path: 'criteria', message: 'Choose a criterion first' }])
  assertSegment(criteria)
  // Serializes the inserts, so that two concurrent segments cannot exceed the limit together.
  await sql`select pg_advisory_xact_lock(hashtextextended('saved segments', 0))`.execute(tx)
  const values = { criteria: JSON.stringify(criteria), saved_by: actor.memberId, saved_at: deps.clock.now() }
  const replaced = await tx
    .updateTable('saved_segment')
    .set(values)
    .where(sql<boolean>`lower(name) = lower(${name})`)
    .returning('public_id as id')
    .executeTakeFirst()
  const id = replaced?.id ?? deps.ids.publicId()
  if (replaced === undefined) {
    const { count } = await tx
      .selectFrom('saved_segment')
      .select(sql<number>`count(*)::int`.as('count'))
      .executeTakeFirstOrThrow()
    if (count >= MAX_SAVED_SEGMENTS) throw new AppError('TOO_MANY_REQUESTS')
    await tx
      .insertInto('saved_segment')
      .values({ public_id: id, name, ...values })
      .execute()
  }
  await auditStaff(tx, deps, actor, { action: 'segment.save', subject: { type: 'segment', id }, detail: { name, criteria } })
  return id
}

/**
 * Deletes a saved segment.
 * @throws AppError STAFF_ONLY, NOT_FOUND
 */
export async function deleteSegment(tx: Tx, deps: Deps, actor: StaffActor, { id }: { id: string }): Promise<void> {
  await assertStaff(tx, deps, actor, 'deleteSegment')
  const deleted = await tx.deleteFrom('saved_segment').where('public_id', '=', id).returning('name').executeTakeFirst()
  if (deleted === undefined) throw new AppError('NOT_FOUND')
  await auditStaff(tx, deps, actor, { action: 'segment.delete', subject: { type: 'segment', id }, detail: { name: deleted.name } })
}
