import type { QueryOf, ReplyOf } from '@tizara/contract'
import type { inbox, NoticeContent } from '@tizara/contract/notices'
import { UNREAD_MAX } from '@tizara/contract/notices-unread'
import type { Units } from '@tizara/money'
import { sql } from 'kysely'
import { AppError } from '../../platform/runtime/app-error.ts'
import type { DataKeys } from '../../platform/crypto/encrypt.ts'
import type { Db, Tx } from '../../platform/db/database.ts'
import { readMomentCursor, writeMomentCursor } from '../../platform/db/moment-cursor.ts'
import { isGenuineNotice } from './message-mac.ts'
import { nameSenders } from './name-senders.ts'

const PAGE = 25
/** Maximum number of rows that a page of one kind reads. */
const SCAN = 500

/** Content columns of a notification row. */
export interface NoticeColumns {
  event: string
  amount: Units | null
  asset: string | null
  facts: unknown
}

/** Converts columns to the content of the contract. `recordEvents` has checked the same types. */
export const contentOf = ({ event, amount, asset, facts }: NoticeColumns): NoticeContent =>
  ({ event, ...(amount === null ? {} : { amount, asset }), facts }) as NoticeContent

/**
 * Reads a page of a member's inbox, newest first, in one query by index. Ids do not follow the time of the events: a job inserts
 * them in the order of the event table's free space. The next page of one kind begins after the last row that this page
 * read. A message that SQL inserted is not shown.
 */
export async function readInbox(
  db: Db,
  keys: DataKeys,
  memberId: bigint,
  { before, kind }: QueryOf<typeof inbox>,
): Promise<ReplyOf<typeof inbox>> {
  const limit = kind === undefined ? PAGE + 1 : SCAN
  let query = db
    .selectFrom('notice')
    .select(['id', 'event', 'cause', 'amount', 'asset', 'facts', 'message_mac', 'created_at', 'read_at'])
    // Part of this statement, so that it names no notification that was written after the rows were read.
    .select((eb) =>
      eb
        .selectFrom('notice as unread')
        .select((row) => row.fn.max('unread.id').as('id'))
        .where('unread.member_id', '=', memberId)
        .where('unread.read_at', 'is', null)
        .as('through'),
    )
    .where('member_id', '=', memberId)
    .where('in_inbox', '=', true)
  if (before !== undefined) {
    const { at, id } = readMomentCursor(before)
    query = query.where(({ eb, refTuple, tuple }) => eb(refTuple('created_at', 'id'), '<', tuple(at, id)))
  }
  const found = await query.orderBy('created_at', 'desc').orderBy('id', 'desc').limit(limit).execute()
  const matching = found.filter(
    ({ message_mac: mac, ...row }) => (kind === undefined || row.event === kind) && isGenuineNotice(keys, { ...row, memberId, mac }),
  )
  const page = matching.slice(0, PAGE)
  const through = found[0]?.through ?? null
  const last = matching.length > PAGE ? page.at(-1) : found.length === limit ? found.at(-1) : undefined
  return {
    rows: (await nameSenders(db, page)).map((row) => ({
      ...contentOf(row),
      id: String(row.id),
      createdAt: row.created_at,
      read: row.read_at !== null,
    })),
    ...(last === undefined ? {} : { next: writeMomentCursor({ at: last.created_at, id: last.id }) }),
    ...(through === null ? {} : { through: String(through) }),
  }
}

/** Counts a member's unread notifications, up to `UNREAD_MAX`: one index scan. A message that SQL inserted does not count. */
export async function countUnread(db: Db, keys: DataKeys, memberId: bigint): Promise<number> {
  const { rows } = await sql<{ event: string; cause: string; facts: unknown; mac: Buffer | null }>`
    select event, case event when 'message' then cause end as cause, case event when 'message' then facts end as facts, message_mac as mac
    from notice where member_id = ${memberId} and read_at is null limit ${UNREAD_MAX}`.execute(db)
  return rows.filter((row) => isGenuineNotice(keys, { ...row, memberId })).length
}

/**
 * Marks one notification as read.
 * @throws AppError NOT_FOUND if the member has no such notification
 */
export async function markRead(tx: Tx, at: Date, memberId: bigint, noticeId: string): Promise<void> {
  const marked = /^\d{1,18}$/.test(noticeId)
    ? await tx
        .updateTable('notice')
        .set((row) => ({ read_at: row.fn.coalesce('read_at', row.val(at)) }))
        .where('id', '=', BigInt(noticeId))
        .where('member_id', '=', memberId)
        .where('in_inbox', '=', true)
        .executeTakeFirst()
    : undefined
  if (marked?.numUpdatedRows !== 1n) throw new AppError('NOT_FOUND')
}

/** Marks a member's notifications about a ticket as read. */
export async function markTicketRead(tx: Tx, at: Date, memberId: bigint, ticketId: string): Promise<void> {
  await tx
    .updateTable('notice')
    .set({ read_at: at })
    .where('member_id', '=', memberId)
    .where('read_at', 'is', null)
    .where('event', '=', 'support-answer')
    .where(sql`facts ->> 'ticket'`, '=', ticketId)
    .execute()
}

/**
 * Marks a member's notifications up to an id as read. Ids follow the time of writing, not of the event: one job writes all notifications.
 * So a notification of an earlier event that was written after the reading stays unread.
 */
export async function markAllRead(tx: Tx, at: Date, memberId: bigint, through: string): Promise<void> {
  await tx
    .updateTable('notice')
    .set({ read_at: at })
    .where('member_id', '=', memberId)
    .where('read_at', 'is', null)
    .where('id', '<=', BigInt(through))
    .execute()
}

/** SQL: version of a member's inbox for the change stream, by two index look-ups: the last unread row, and the time of the latest read. */
export const inboxMark = sql<string>`(select coalesce((select max(n.id) from notice n where n.member_id = m.id and n.read_at is null)::text, '') || '.'
  || coalesce((select max(n.read_at) from notice n where n.member_id = m.id and n.read_at is not null)::text, ''))`
