import * as v from 'valibot'
import { idParams } from './fields.ts'
import { memberAct, memberRead, nothing } from './route.ts'

/**
 * Number of unread notifications. The call is separate from the others about notifications, because every member page shows the number, and
 * tickets change it.
 */

/** Maximum of the count, so that the cost has a limit. */
export const UNREAD_MAX = 100

export const unreadNotices = memberRead({
  name: 'unreadNotices',
  path: '/notices/unread',
  summary: `Counts the unread notifications of the inbox, up to ${UNREAD_MAX}.`,
  reply: v.object({ count: v.number() }),
})

export const readTicketNotices = memberAct({
  name: 'readTicketNotices',
  path: '/notices/ticket/:id/read',
  summary: 'Marks the notifications about a ticket as read, as the member has opened it. A repeated call changes nothing.',
  params: idParams,
  reply: nothing,
})
