/**
 * Support: tickets, their messages and pictures (GN-29). Owns `ticket`, `ticket_message` and `ticket_image`. A picture is
 * stored only after it was decoded and encoded anew, without its metadata; a member's message puts a ticket back into the
 * staff's queue; a closed ticket takes no more messages (ST-62).
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
  ticketsThatWait,
  ticketWorkMark,
  waitingTickets,
  waitingTicketsOf,
} from './staff-tickets.queries.ts'
export { type NamedReceipt, pictureOfTicket } from './support.queries.ts'
export { reencode } from './picture.ts'
export { type SupportPorts, supportRoutes } from './support.routes.ts'
