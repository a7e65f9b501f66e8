import type { ReplyOf } from '@tizara/contract'
import { EVENT_DAYS, type EventKind, type staffEvents } from '@tizara/contract/staff-events'
import { AppError } from '../../platform/runtime/app-error.ts'
import { DAY_MS } from '../../platform/runtime/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { lastRestore } from '../audit/index.ts'

/** Position of a reader: the last restore, the last event that the reader has, and the time of the answer. */
interface Cursor {
  restore: string
  id: bigint
  at: number
}

const writeCursor = ({ restore, id, at }: Cursor): string => `${restore}.${id}.${at}`

function readCursor(text: string): Cursor | undefined {
  const [, restore, id, at] = /^(\w{1,64})\.(\d{1,18})\.(\d{1,13})$/.exec(text) ?? []
  return restore === undefined || id === undefined || at === undefined ? undefined : { restore, id: BigInt(id), at: Number(at) }
}

/**
 * Reads the events after a cursor, oldest first. The cursor contains the id of the last restore and its own time. A reader may have missed
 * events after a restore, or after the days for which events are stored, and then has to begin again.
 * @throws AppError EVENT_CURSOR_INVALID
 */
export async function readEvents(
  db: Db,
  { after, limit }: { after?: string | undefined; limit: number },
  now: Date,
): Promise<ReplyOf<typeof staffEvents>> {
  const restore = await lastRestore(db)
  const cursor = after === undefined ? { restore, id: 0n, at: now.getTime() } : readCursor(after)
  if (cursor === undefined || cursor.restore !== restore || now.getTime() - cursor.at >= EVENT_DAYS * DAY_MS)
    throw new AppError('EVENT_CURSOR_INVALID')
  const rows = await db
    .selectFrom('event as e')
    .leftJoin('member as m', 'm.id', 'e.member_id')
    .select(['e.id as rowId', 'e.event_id as id', 'e.kind', 'e.subject', 'm.public_id as memberId', 'e.at'])
    .where('e.id', '>', cursor.id)
    .orderBy('e.id')
    .limit(limit + 1)
    .execute()
  const shown = rows.slice(0, limit)
  return {
    events: shown.map(({ id, kind, subject, memberId, at }) => ({
      id,
      kind: kind as EventKind,
      subject,
      ...(memberId === null ? {} : { memberId }),
      at,
    })),
    cursor: writeCursor({ restore, id: shown.at(-1)?.rowId ?? cursor.id, at: now.getTime() }),
    more: rows.length > limit,
  }
}
