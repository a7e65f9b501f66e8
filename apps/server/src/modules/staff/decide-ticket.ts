import type { Tx } from '../../platform/database.ts'
import type { Deps } from '../../platform/deps.ts'
import { addReply, closeTicket } from '../support/index.ts'
import { assertStaff, auditStaff, type StaffActor } from './actor.ts'

/** The house's answer to a ticket. */
export interface TicketAnswer {
  /** The ticket's id on the wire. */
  ticketId: string
  message: string
  /** The newest message that the writer has read. */
  seen?: string | undefined
  /** Decoded and encoded anew. */
  picture?: Parameters<typeof addReply>[2]['picture']
}

/**
 * Answers a ticket as the house (RO-13).
 * @throws AppError STAFF_ONLY, NOT_FOUND, TICKET_CLOSED, TICKET_MOVED_ON
 */
export async function answerTicket(tx: Tx, deps: Deps, actor: StaffActor, answer: TicketAnswer): Promise<void> {
  await assertStaff(tx, actor, 'answerTicket')
  await addReply(tx, deps, { ...answer, authorId: actor.memberId, role: actor.role === 'ADMIN' ? 'ADMIN' : 'SUPPORT' })
  await auditStaff(tx, deps, actor, { action: 'ticket.answer', subject: { type: 'ticket', id: answer.ticketId } })
}

/**
 * Closes a ticket.
 * @throws AppError STAFF_ONLY, NOT_FOUND
 */
export async function closeTicketAsStaff(
  tx: Tx,
  deps: Deps,
  actor: StaffActor,
  input: { ticketId: string; reason?: string | undefined },
): Promise<void> {
  await assertStaff(tx, actor, 'closeTicketAsStaff')
  await closeTicket(tx, { ticketId: input.ticketId, ownerId: null, at: deps.clock.now() })
  await auditStaff(tx, deps, actor, { action: 'ticket.close', subject: { type: 'ticket', id: input.ticketId }, reason: input.reason })
}
