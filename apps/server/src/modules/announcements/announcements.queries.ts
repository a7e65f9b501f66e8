import { sql } from 'kysely'
import type { Db } from '../../platform/database.ts'

/** SQL for which announcement is in force. */
export const announcementMark = sql<string>`(select coalesce(max(id), 0)::text from announcement)`

/** The announcement in force, active or not, or null when there never was one (API-53, API-54). */
export async function currentAnnouncement(db: Db): Promise<{ id: string; title: string; message: string; isActive: boolean } | null> {
  const row = await db
    .selectFrom('announcement')
    .select(['id', 'title', 'message', 'is_active'])
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row === undefined ? null : { id: String(row.id), title: row.title, message: row.message, isActive: row.is_active }
}
