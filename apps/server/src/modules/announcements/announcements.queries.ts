import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'

/** SQL: identifies the announcement in force at a given time. */
export const announcementMark = (at: Date) =>
  sql<string>`coalesce((select id::text from announcement where starts_at <= ${at}::timestamptz order by starts_at desc, id desc limit 1), '0')`

/** Returns the announcement in force at a given time, active or not, or null if none exists (API-53, API-54). */
export async function currentAnnouncement(
  db: Db,
  at: Date,
): Promise<{ id: string; title: string; message: string; isActive: boolean } | null> {
  const row = await db
    .selectFrom('announcement')
    .select(['id', 'title', 'message', 'is_active'])
    .where('starts_at', '<=', at)
    .orderBy('starts_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row === undefined ? null : { id: String(row.id), title: row.title, message: row.message, isActive: row.is_active }
}
