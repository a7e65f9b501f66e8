import * as v from 'valibot'
import { answerId, extra, id, idParams, line, maybeText, moment, prose } from './fields.ts'
import { MESSAGE_MAX_LENGTH, TITLE_MAX_LENGTH, UPLOAD_MAX_BYTES } from './limits.ts'
import { listOf, ownList } from './paging.ts'
import { nothing, memberAct, memberRead, route } from './route.ts'

/** Row reference, as in receipts: `bridge.Xy12`. */
export const rowName = v.pipe(v.string(), v.regex(/^[a-z]+(?:-[a-z]+){0,5}\.[A-Za-z0-9_-]{1,64}$/, 'Not found'))

const namedRow = v.object({ kind: v.string(), id: v.string() })

/** Ticket message (EN-51, EN-53): role USER is the member, SUPPORT and ADMIN are staff. */
export const ticketUpdate = v.object({
  id: answerId,
  message: v.string(),
  image: maybeText,
  role: v.string(),
  createdAt: v.nullish(moment),
  /** The member's receipts that staff attached. */
  receipts: extra(v.array(v.object({ ...namedRow.entries, title: v.string() }))),
})

/** Ticket (EN-51, EN-52): OPEN or CLOSED. */
export const ticket = v.object({
  id: answerId,
  title: v.string(),
  description: v.string(),
  image: maybeText,
  status: v.string(),
  createdAt: moment,
  updates: v.nullish(v.array(ticketUpdate), []),
  /** True if an open ticket's newest message is from support. */
  answered: extra(v.boolean()),
  /** Row that the member reported. */
  about: extra(namedRow),
  /** True if the thread has earlier messages; load them with `before`. */
  hasEarlier: v.optional(v.boolean()),
})
export type Ticket = v.InferOutput<typeof ticket>

/** Messages per response: the newest, or those before a given message. */
export const THREAD_PAGE = 200
export const threadQuery = v.object({ before: v.optional(v.pipe(v.string(), v.regex(/^[1-9]\d{0,17}$/, 'Invalid value'))) })

/** Ticket or reply text. */
export const ticketMessage = prose(MESSAGE_MAX_LENGTH)

export const tickets = ownList({
  name: 'tickets',
  path: '/ticket',
  history: 'ticket',
  summary: "Lists the member's tickets (API-89).",
  reply: listOf(ticket),
})

export const getTicket = memberRead({
  name: 'getTicket',
  path: '/ticket/:id',
  summary: 'Returns a ticket with its newest messages, or those before a given one (API-90).',
  params: idParams,
  query: threadQuery,
  reply: ticket,
  errors: ['NOT_FOUND'],
})

export const closeTicket = route({
  name: 'closeTicket',
  method: 'PATCH',
  path: '/ticket/:id',
  access: 'member',
  summary: "Closes one of the member's tickets (API-91). A closed ticket stays closed.",
  params: idParams,
  body: v.object({ status: v.literal('CLOSED', 'Invalid status') }),
  reply: nothing,
  errors: ['NOT_FOUND'],
})

export const createTicket = memberAct({
  name: 'createTicket',
  path: '/ticket/create',
  summary: "Opens a ticket with an image (API-92, VA-79 to VA-87), optionally about a row of one of the member's lists.",
  body: v.object({ title: line(TITLE_MAX_LENGTH), description: ticketMessage, about: v.optional(rowName) }),
  upload: { field: 'image', required: true, maxBytes: UPLOAD_MAX_BYTES },
  reply: v.nullish(v.object({ id: v.optional(answerId) })),
  errors: ['NOT_FOUND', 'FILE_REQUIRED', 'FILE_TOO_LARGE', 'FILE_NOT_AN_IMAGE', 'TOO_MANY_REQUESTS'],
})

export const replyToTicket = memberAct({
  name: 'replyToTicket',
  path: '/ticket/create-replay',
  summary: "Adds a message, optionally with an image, to one of the member's open tickets (API-93).",
  body: v.object({ message: ticketMessage, ticketId: id }),
  upload: { field: 'image', required: false, maxBytes: UPLOAD_MAX_BYTES },
  reply: nothing,
  errors: ['NOT_FOUND', 'TICKET_CLOSED', 'FILE_TOO_LARGE', 'FILE_NOT_AN_IMAGE', 'TOO_MANY_REQUESTS'],
})

export const ticketImage = memberRead({
  name: 'ticketImage',
  path: '/ticket-images/:id',
  summary: 'Returns an image of a ticket to its member or to staff, as a file.',
  params: idParams,
  bare: true,
  media: 'image/*',
  reply: v.unknown(),
  errors: ['NOT_FOUND'],
})
