/**
 * Manages tickets, their messages and images (GN-29). Owns `ticket`, `ticket_message` and `ticket_image`. The server decodes and
 * re-encodes each image without metadata before it stores it.
 * A member's message returns the ticket to the staff queue. A closed ticket accepts no messages (ST-62).
 */
export { addReply } from './add-reply.ts'
export { assignTicket, tagTicket, type TicketForStaff, ticketForDecision } from './assign-ticket.ts'
export { supportHistories } from './history.ts'
export { namedRow } from './named-row.ts'
export { openTicket } from './open-ticket.ts'
export { closeTicket } from './close-ticket.ts'
export {
  firstAnswers,
  listTicketsOf,
  staffTicketPage,
  ticketForStaff,
  ticketsFound,
  countWaitingTickets,
  ticketWorkMark,
  waitingTickets,
  waitingTicketsOf,
} from './staff-tickets.queries.ts'
export { type NamedReceipt, imageOfTicket } from './support.queries.ts'
export { type SupportPorts, supportRoutes } from './support.routes.ts'
