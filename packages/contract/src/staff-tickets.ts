import * as v from 'valibot'
import { idParams, moment } from './fields.ts'
import { UPLOAD_MAX_BYTES } from './limits.ts'
import { listOf, listQueryEntries } from './paging.ts'
import { nothing, route } from './route.ts'
import { filter, person, reason } from './staff.ts'
import { threadQuery, ticket, ticketMessage } from './support.ts'

const lastRead = v.pipe(v.string(), v.regex(/^(none|[1-9]\d{0,17})$/, 'Not a message'))

const staffTicket = v.object({
  ...ticket.entries,
  member: person,
  /** Whether the house has to answer, and since when. */
  awaitsStaff: v.optional(v.boolean()),
  lastMessageAt: v.optional(moment),
})

export const staffTickets = route({
  name: 'staffTickets',
  method: 'GET',
  path: '/staff/tickets',
  access: 'staff',
  summary: 'Tickets of all members, those that wait for an answer first; `status` OPEN or CLOSED narrows it.',
  query: v.object({ ...listQueryEntries, status: filter }),
  reply: listOf(staffTicket),
})

export const staffTicketDetail = route({
  name: 'staffTicketDetail',
  method: 'GET',
  path: '/staff/tickets/:id',
  access: 'staff',
  summary: 'One ticket with its newest messages, or with those before one of them.',
  params: idParams,
  query: threadQuery,
  reply: staffTicket,
  errors: ['NOT_FOUND'],
})

export const answerTicket = route({
  name: 'answerTicket',
  method: 'POST',
  path: '/staff/tickets/:id/reply',
  access: 'staff',
  summary: 'Answers a ticket as the house (RO-13).',
  params: idParams,
  body: v.strictObject({
    message: ticketMessage,
    /** The newest message that the writer has read; `none` for the ticket alone. */ seen: v.optional(lastRead),
  }),
  upload: { field: 'image', required: false, maxBytes: UPLOAD_MAX_BYTES },
  reply: nothing,
  errors: ['NOT_FOUND', 'TICKET_CLOSED', 'TICKET_MOVED_ON', 'FILE_TOO_LARGE', 'FILE_NOT_AN_IMAGE'],
})

export const closeTicketAsStaff = route({
  name: 'closeTicketAsStaff',
  method: 'POST',
  path: '/staff/tickets/:id/close',
  access: 'staff',
  summary: 'Closes a ticket.',
  params: idParams,
  body: v.strictObject({ reason: v.optional(reason) }),
  reply: nothing,
  errors: ['NOT_FOUND'],
})
