import { type RawBuilder, sql, type SqlBool } from 'kysely'
import { DAY_MS } from '../../../platform/runtime/clock.ts'
import type { Db, Tx } from '../../../platform/db/database.ts'

/** Time in ms after which an undecided proposal expires. */
const EXPIRES_MS = 14 * DAY_MS

/** Returns true if the deadline for a decision is over, because a later approver would see outdated data. */
export const isExpired = (row: { status: string; created_at: Date }, now: Date): boolean =>
  row.status === 'PENDING' && row.created_at.getTime() + EXPIRES_MS <= now.getTime()

/** SQL: a row of `staff_proposal` is pending at a moment, as defined by `statusOf`. */
export const isPendingAt = (now: Date): RawBuilder<SqlBool> =>
  sql`(status = 'PENDING' and created_at > ${new Date(now.getTime() - EXPIRES_MS)} and (starts_at is null or starts_at > ${now}))`

/** Returns the status shown to staff, from the row and the clock. */
export function statusOf(row: { status: string; starts_at: Date | null; created_at: Date }, now: Date) {
  const isFuture = row.starts_at !== null && row.starts_at > now
  if (row.status === 'APPROVED') return isFuture ? 'PLANNED' : 'IN_FORCE'
  if (row.status === 'PENDING') return isExpired(row, now) || (row.starts_at !== null && !isFuture) ? 'OUTDATED' : 'PENDING'
  return (['REFUSED', 'CANCELLED'] as const).find((status) => status === row.status) ?? 'OUTDATED'
}

/** Selects all pending or scheduled proposals at a moment. */
export const openProposals = (db: Db, now: Date) =>
  db
    .selectFrom('staff_proposal')
    .selectAll()
    .where((row) => row.or([isPendingAt(now), row.and([row('status', '=', 'APPROVED'), row('starts_at', '>', now)])]))
    .orderBy('id')

/** Ends a pending or scheduled proposal before it takes effect. */
export async function endProposal(
  tx: Tx,
  id: bigint,
  end: { status: 'CANCELLED' | 'OUTDATED'; at: Date; by: bigint | null; reason: string },
): Promise<void> {
  await tx
    .updateTable('staff_proposal')
    .set({ status: end.status, ended_at: end.at, ended_by: end.by, end_reason: end.reason })
    .where('id', '=', id)
    .execute()
}
