import { AppError } from '../../platform/runtime/app-error.ts'
import type { Tx } from '../../platform/db/database.ts'

export interface TicketForStaff {
  id: bigint
  memberId: bigint
  status: string
  assigneeId: bigint | null
}

/**
 * Locks and returns the ticket. If two staff members assign it at the same time, the second one sees the first assignment.
 * @throws AppError NOT_FOUND
 */
export async function ticketForDecision(tx: Tx, publicId: string): Promise<TicketForStaff> {
  const row = await tx
    .selectFrom('ticket')
    .select(['id', 'member_id', 'status', 'assignee_id'])
    .where('public_id', '=', publicId)
    .forUpdate()
    .executeTakeFirst()
  if (row === undefined) throw new AppError('NOT_FOUND')
  return { id: row.id, memberId: row.member_id, status: row.status, assigneeId: row.assignee_id }
}

/** Assigns a ticket to a staff member, or to none (null). */
export async function assignTicket(tx: Tx, ticketId: bigint, assigneeId: bigint | null): Promise<void> {
  await tx.updateTable('ticket').set({ assignee_id: assigneeId }).where('id', '=', ticketId).execute()
}

/** Replaces a ticket's tags. */
export async function tagTicket(tx: Tx, ticketId: bigint, tags: readonly string[]): Promise<void> {
  await tx
    .updateTable('ticket')
    .set({ tags: [...new Set(tags)] })
    .where('id', '=', ticketId)
    .execute()
}
