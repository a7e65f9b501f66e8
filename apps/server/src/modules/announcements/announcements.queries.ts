import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'

/** SQL for which announcement is in force at a moment. */
export const announcementMark = (at: Date) =>
  sql<string>`coalesce((select id::text from announcement where starts_at <= ${at}::timestamptz order by starts_at desc, id desc limit 1), '0')`

/** The announcement in force at a moment, active or not, or null when there never was one (API-53, API-54). */
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
