import * as v from 'valibot'
import { memberRead } from './route.ts'

/* Separate from the other calls about notifications, because every member page shows the number. */

/** The count stops here, so that its cost is bounded. */
export const UNREAD_MAX = 100

export const unreadNotices = memberRead({
  name: 'unreadNotices',
  path: '/notices/unread',
  summary: `Counts the unread notifications of the inbox, up to ${UNREAD_MAX}.`,
  reply: v.object({ count: v.number() }),
})
