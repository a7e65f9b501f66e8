import { AppError } from '../../platform/runtime/app-error.ts'
import type { Tx } from '../../platform/db/database.ts'

/**
 * Closes a ticket (API-91, ST-61). A closed ticket does not change.
 * @throws AppError NOT_FOUND for an unknown or foreign ticket
 */
export async function closeTicket(tx: Tx, input: { ticketId: string; ownerId: bigint | null; at: Date }): Promise<void> {
  const ticket = await tx.selectFrom('ticket').select(['id', 'member_id']).where('public_id', '=', input.ticketId).executeTakeFirst()
  if (ticket === undefined || (input.ownerId !== null && ticket.member_id !== input.ownerId)) throw new AppError('NOT_FOUND')
  await tx
    .updateTable('ticket')
    .set({ status: 'CLOSED', closed_at: input.at, awaits_staff: false })
    .where('id', '=', ticket.id)
    .where('status', '=', 'OPEN')
    .execute()
}
