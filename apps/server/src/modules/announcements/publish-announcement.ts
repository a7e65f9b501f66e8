import type { Tx } from '../../platform/database.ts'

/** Puts an announcement in force; the one before it stays as history. */
export async function publishAnnouncement(
  tx: Tx,
  input: { title: string; message: string; isActive: boolean; authorId: bigint | null; at: Date },
): Promise<void> {
  await tx
    .insertInto('announcement')
    .values({ title: input.title, message: input.message, is_active: input.isActive, created_at: input.at, created_by: input.authorId })
    .execute()
}
