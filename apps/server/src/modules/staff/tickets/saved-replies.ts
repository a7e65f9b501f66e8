import { MOST_SAVED_REPLIES, type SavedReply } from '@tizara/contract/staff-tickets'
import { sql } from 'kysely'
import { AppError } from '../../../platform/runtime/app-error.ts'
import type { Db, Tx } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { assertStaff, auditStaff, type StaffActor } from '../access/actor.ts'
import { omitUndefined } from '../access/omit-undefined.ts'

/** Replies that are kept, the most used first. */
export async function listSavedReplies(db: Db): Promise<SavedReply[]> {
  const rows = await db
    .selectFrom('saved_reply')
    .select(['public_id', 'name', 'text', 'tags', 'uses'])
    .where('dropped_at', 'is', null)
    .orderBy('uses', 'desc')
    .orderBy('id')
    .limit(MOST_SAVED_REPLIES)
    .execute()
  return rows.map(({ public_id: id, ...row }) => ({ id, ...row }))
}

/**
 * Keeps a reply.
 * @returns its id on the wire
 * @throws AppError STAFF_ONLY, TOO_MANY_REQUESTS when no more are kept
 */
export async function saveReply(
  tx: Tx,
  deps: Deps,
  actor: StaffActor,
  reply: { name: string; text: string; tags: string[] },
): Promise<string> {
  await assertStaff(tx, actor, 'saveReply')
  const kept = tx
    .selectFrom('saved_reply')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('dropped_at', 'is', null)
  if ((await kept.executeTakeFirstOrThrow()).count >= MOST_SAVED_REPLIES) throw new AppError('TOO_MANY_REQUESTS')
  const id = deps.ids.publicId()
  await tx
    .insertInto('saved_reply')
    .values({ public_id: id, ...reply, written_by: actor.memberId, updated_at: deps.clock.now() })
    .execute()
  await auditStaff(tx, deps, actor, { action: 'reply.save', subject: { type: 'saved_reply', id }, detail: { after: reply } })
  return id
}

/**
 * Changes a kept reply, or drops it.
 * @throws AppError STAFF_ONLY, NOT_FOUND
 */
export async function changeReply(
  tx: Tx,
  deps: Deps,
  actor: StaffActor,
  input: { id: string; name?: string | undefined; text?: string | undefined; tags?: string[] | undefined; gone?: true | undefined },
): Promise<void> {
  await assertStaff(tx, actor, 'changeReply')
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
  // Colleagues send its words in the name of the house: what it said in between stays, also when it is changed back.
  await auditStaff(tx, deps, actor, {
    action: gone === true ? 'reply.drop' : 'reply.change',
    subject: { type: 'saved_reply', id },
    detail: gone === true ? { before } : { before, after: { ...before, ...omitUndefined(fields) } },
  })
}

/** Notes that an answer began with a reply; one that was dropped meanwhile counts no more. */
export async function countUse(tx: Tx, id: string): Promise<void> {
  await tx
    .updateTable('saved_reply')
    .set((row) => ({ uses: row('uses', '+', 1) }))
    .where('public_id', '=', id)
    .where('dropped_at', 'is', null)
    .execute()
}
