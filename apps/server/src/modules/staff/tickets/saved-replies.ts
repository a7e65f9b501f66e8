import { MAX_SAVED_REPLIES, type SavedReply } from '@tizara/contract/staff-tickets'
import { sql } from 'kysely'
import { AppError } from '../../../platform/runtime/app-error.ts'
import type { Db, Tx } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { assertStaff, auditStaff, type StaffActor } from '../access/actor.ts'
import { omitUndefined } from '../access/omit-undefined.ts'

/** Lists the saved replies, most used first. */
export async function listSavedReplies(db: Db): Promise<SavedReply[]> {
  const rows = await db
    .selectFrom('saved_reply')
    .select(['public_id', 'name', 'text', 'tags', 'uses'])
    .where('dropped_at', 'is', null)
    .orderBy('uses', 'desc')
    .orderBy('id')
    .limit(MAX_SAVED_REPLIES)
    .execute()
  return rows.map(({ public_id: id, ...row }) => ({ id, ...row }))
}

/**
 * Saves a reply.
 * @returns its public id
 * @throws AppError STAFF_ONLY, TOO_MANY_REQUESTS at the reply limit
 */
export async function saveReply(
  tx: Tx,
  deps: Deps,
  actor: StaffActor,
  reply: { name: string; text: string; tags: string[] },
): Promise<string> {
  await assertStaff(tx, deps, actor, 'saveReply')
  // Serializes the inserts, so that two concurrent replies cannot exceed the limit together.
  await sql`select pg_advisory_xact_lock(hashtextextended('saved replies', 0))`.execute(tx)
  const countQuery = tx
    .selectFrom('saved_reply')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('dropped_at', 'is', null)
  if ((await countQuery.executeTakeFirstOrThrow()).count >= MAX_SAVED_REPLIES) throw new AppError('TOO_MANY_REQUESTS')
  const id = deps.ids.publicId()
  await tx
    .insertInto('saved_reply')
    .values({ public_id: id, ...reply, written_by: actor.memberId, updated_at: deps.clock.now() })
    .execute()
  await auditStaff(tx, deps, actor, { action: 'reply.save', subject: { type: 'saved_reply', id }, detail: { after: reply } })
  return id
}

/**
 * Updates or deletes a saved reply.
 * @throws AppError STAFF_ONLY, NOT_FOUND
 */
export async function changeReply(
  tx: Tx,
  deps: Deps,
  actor: StaffActor,
  input: { id: string; name?: string | undefined; text?: string | undefined; tags?: string[] | undefined; gone?: true | undefined },
): Promise<void> {
  await assertStaff(tx, deps, actor, 'changeReply')
  const at = deps.clock.now()
  const { id, gone, ...fields } = input
  const before = await tx
    .selectFrom('saved_reply')
    .select(['name', 'text', 'tags'])
    .where('public_id', '=', id)
    .where('dropped_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  if (before === undefined) throw new AppError('NOT_FOUND')
  await tx
    .updateTable('saved_reply')
    .set({ ...fields, updated_at: at, written_by: actor.memberId, ...(gone === true ? { dropped_at: at } : {}) })
    .where('public_id', '=', id)
    .execute()
  // The audit entry keeps each version, because other staff send this text to members.
  await auditStaff(tx, deps, actor, {
    action: gone === true ? 'reply.delete' : 'reply.change',
    subject: { type: 'saved_reply', id },
    detail: gone === true ? { before } : { before, after: { ...before, ...omitUndefined(fields) } },
  })
}

/** Counts an answer that was written from a saved reply. Deleted replies are ignored. */
export async function countUse(tx: Tx, id: string): Promise<void> {
  await tx
    .updateTable('saved_reply')
    .set((row) => ({ uses: row('uses', '+', 1) }))
    .where('public_id', '=', id)
    .where('dropped_at', 'is', null)
    .execute()
}
