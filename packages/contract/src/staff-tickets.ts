import * as v from 'valibot'
import { amount, answerId, id, idParams, line, moment, prose } from './fields.ts'
import { MESSAGE_MAX_LENGTH, UPLOAD_MAX_BYTES } from './limits.ts'
import { listOf, listQueryEntries } from './paging.ts'
import { nothing, route, staffAct, staffRead } from './route.ts'
import { filter, person, reason } from './staff.ts'
import { ledgerLine } from './staff-member-pages.ts'
import { queueDetail } from './staff-queues.ts'
import { rowName, threadQuery, ticket, ticketMessage, ticketUpdate } from './support.ts'
import { asset } from './wallet-keys.ts'

const lastRead = v.pipe(v.string(), v.regex(/^(none|[1-9]\d{0,17})$/, 'Not a message'))

const tags = v.pipe(v.array(line(24)), v.maxLength(5, 'At most 5'))

/** References to receipts in an answer, separated by spaces. */
const receipts = v.pipe(
  v.string(),
  v.maxLength(600),
  v.check((text) => text.split(' ').length <= 5 && text.split(' ').every((name) => v.is(rowName, name)), 'Not found'),
)

/** Placeholders of a saved reply. The server rejects a reply with an unfilled one. */
export const PLACEHOLDER = /\{(firstName|amount|receipt)\}/g

const staffTicket = v.object({
  ...ticket.entries,
  member: person,
  /** Number for use on the phone. */
  number: v.optional(v.number()),
  /** True if staff must answer, and since when. Each message from the member restarts the time. */
  awaitsStaff: v.optional(v.boolean()),
  waitingSince: v.optional(moment),
  lastMessageAt: v.optional(moment),
  lastFrom: v.optional(v.picklist(['member', 'staff'])),
  assignee: v.nullish(person),
  tags: v.optional(v.array(v.string()), []),
})

const staffTicketWhole = v.object({
  ...staffTicket.entries,
  updates: v.array(v.object({ ...ticketUpdate.entries, by: v.optional(person) })),
  /** Newest message, or `none` for a ticket without answers. */
  seen: lastRead,
  /** Staff notes: the newest 200, oldest first. */
  notes: v.array(v.object({ id: answerId, by: person, text: v.string(), at: moment })),
  /** The row reported by the member, as on its receipt. */
  attached: v.optional(
    v.object({
      kind: v.string(),
      id,
      title: v.string(),
      status: v.optional(v.string()),
      asset,
      amount,
      at: moment,
      from: v.string(),
      to: v.string(),
      transferId: v.optional(v.string()),
    }),
  ),
  /** Movements within 48 hours of that row, or of the ticket; newest first. */
  money: v.array(ledgerLine),
  pane: v.object({ ...queueDetail.entries.about.entries, ticketsBefore: v.number() }),
  flags: v.array(v.object({ code: v.string(), text: v.string(), detail: v.optional(v.string()) })),
})

export const ticketViews = ['waiting', 'mine', 'answered', 'closed'] as const
export type TicketView = (typeof ticketViews)[number]

export const staffTickets = staffRead({
  name: 'staffTickets',
  role: 'all',
  personal: 'page',
  path: '/staff/tickets',
  summary:
    "Lists tickets of all members: open ones, longest wait first; the caller's; answered ones; closed ones. `before` is the id of the last row of the previous page.",
  query: v.object({
    limit: listQueryEntries.limit,
    view: v.optional(v.picklist(ticketViews, 'Invalid view'), 'waiting'),
    assignee: v.optional(id),
    tag: filter,
    before: v.optional(id),
  }),
  reply: listOf(staffTicket),
})

export const staffTicketFigures = staffRead({
  name: 'staffTicketFigures',
  role: 'all',
  keyReads: 'figures',
  path: '/staff/ticket-figures',
  summary: 'Returns how many tickets of the last 30 days got their first answer in time, of those with an answer or an expired deadline.',
  reply: v.object({
    days: v.number(),
    /** Target time for the first answer, in hours. */
    targetHours: v.number(),
    inTime: v.number(),
    /** Tickets answered, and tickets past their target time. */
    of: v.number(),
  }),
})

export const staffTicketDetail = staffRead({
  name: 'staffTicketDetail',
  role: 'all',
  personal: 'page',
  path: '/staff/tickets/:id',
  summary: 'Returns a ticket with its newest messages, or those before a given one, its notes, and the related transfers.',
  params: idParams,
  query: threadQuery,
  reply: staffTicketWhole,
  errors: ['NOT_FOUND'],
})

export const answerTicket = staffAct({
  name: 'answerTicket',
  role: 'desk',
  path: '/staff/tickets/:id/reply',
  summary: 'Answers a ticket as the platform (RO-13), and closes it on request. Rejects a saved reply with an unfilled placeholder.',
  params: idParams,
  body: v.strictObject({
    message: ticketMessage,
    /** Newest message read by the author; `none` for a ticket without answers. */ seen: v.optional(lastRead),
    close: v.optional(v.literal('true', 'Must be true')),
    receipts: v.optional(receipts),
    /** Saved reply used as a draft. */ saved: v.optional(id),
  }),
  upload: { field: 'image', required: false, maxBytes: UPLOAD_MAX_BYTES },
  reply: nothing,
  errors: ['NOT_FOUND', 'FOUR_EYES', 'TICKET_CLOSED', 'TICKET_MOVED_ON', 'FILE_TOO_LARGE', 'FILE_NOT_AN_IMAGE'],
})

export const closeTicketAsStaff = staffAct({
  name: 'closeTicketAsStaff',
  role: 'desk',
  path: '/staff/tickets/:id/close',
  summary: 'Closes a ticket.',
  params: idParams,
  body: v.strictObject({ reason: v.optional(reason) }),
  reply: nothing,
  errors: ['NOT_FOUND', 'FOUR_EYES'],
})

export const assignTicket = staffAct({
  name: 'assignTicket',
  role: 'desk',
  path: '/staff/tickets/:id/assign',
  summary: 'Assigns a ticket to a staff member, or to none. Reassigning a ticket requires the current assignee in `from`.',
  params: idParams,
  body: v.strictObject({ to: v.optional(id), from: v.optional(id) }),
  reply: nothing,
  errors: ['NOT_FOUND', 'FOUR_EYES', 'TICKET_CLOSED', 'ITEM_CHANGED'],
})

export const tagTicket = staffAct({
  name: 'tagTicket',
  role: 'desk',
  path: '/staff/tickets/:id/tags',
  summary: 'Replaces the tags of a ticket, at most five.',
  params: idParams,
  body: v.strictObject({ tags }),
  reply: nothing,
  errors: ['NOT_FOUND'],
})

export const noteOnTicket = staffAct({
  name: 'noteOnTicket',
  role: 'desk',
  path: '/staff/tickets/:id/notes',
  summary: 'Adds a staff note to a ticket. The member never sees it.',
  params: idParams,
  body: v.strictObject({ text: prose(MESSAGE_MAX_LENGTH) }),
  reply: nothing,
  errors: ['NOT_FOUND', 'FOUR_EYES'],
})

export const openTicketImage = staffAct({
  name: 'openTicketImage',
  role: 'all',
  personal: 'reveal',
  path: '/staff/tickets/:id/images',
  summary: 'Returns an image of a ticket to staff. The view is recorded in the audit log and shown to the member.',
  params: idParams,
  body: v.strictObject({ image: v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{1,64}$/, 'Not found')) }),
  reply: v.object({ type: v.string(), base64: v.string() }),
  errors: ['NOT_FOUND'],
})

const savedReply = v.object({
  id: answerId,
  name: v.string(),
  text: v.string(),
  tags: v.array(v.string()),
  uses: v.number(),
})
export type SavedReply = v.InferOutput<typeof savedReply>

export const MAX_SAVED_REPLIES = 200

export const savedReplies = staffRead({
  name: 'savedReplies',
  role: 'all',
  path: '/staff/saved-replies',
  summary: 'Lists the saved replies, most used first. `{firstName}`, `{amount}` and `{receipt}` are filled before sending.',
  reply: v.array(savedReply),
})

const replyBody = v.strictObject({ name: line(60), text: prose(MESSAGE_MAX_LENGTH), tags: v.optional(tags, []) })

export const saveReply = staffAct({
  name: 'saveReply',
  role: 'desk',
  path: '/staff/saved-replies',
  summary: 'Saves a reply.',
  body: replyBody,
  reply: v.object({ id: answerId }),
  errors: ['TOO_MANY_REQUESTS'],
})

export const changeReply = route({
  name: 'changeReply',
  role: 'desk',
  method: 'PATCH',
  path: '/staff/saved-replies/:id',
  access: 'staff',
  summary: 'Changes a saved reply, or deletes it (`gone`).',
  params: idParams,
  body: v.strictObject({ ...v.partial(v.object(replyBody.entries)).entries, gone: v.optional(v.literal(true)) }),
  reply: nothing,
  errors: ['NOT_FOUND'],
})
