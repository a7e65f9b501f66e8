import type { Tx } from '../../platform/db/database.ts'

export interface NewAnnouncement {
  title: string
  message: string
  isActive: boolean
  decidedBy: bigint | null
}

/** Publishes an announcement. Earlier announcements stay in the table. */
export async function publishAnnouncement(tx: Tx, input: NewAnnouncement & { at: Date }): Promise<void> {
  await insert(tx, input, input.at, input.at)
}

/** Replaces the planned announcements. */
export async function scheduleAnnouncements(tx: Tx, now: Date, planned: readonly (NewAnnouncement & { startsAt: Date })[]): Promise<void> {
  await tx.deleteFrom('announcement').where('starts_at', '>', now).execute()
  for (const one of planned) await insert(tx, one, now, one.startsAt)
}

async function insert(tx: Tx, { title, message, isActive, decidedBy }: NewAnnouncement, at: Date, startsAt: Date): Promise<void> {
  await tx
    .insertInto('announcement')
    .values({ title, message, is_active: isActive, created_at: at, created_by: decidedBy, starts_at: startsAt })
    .execute()
}
