/**
 * Notifications: the member's inbox, mails about incoming money and support answers, and the choice between them.
 * - Wire: `GET` and `PUT /notices`, `POST /notices/unsubscribe`, `GET /notices/inbox` and `/notices/unread`, `POST
 *   /notices/inbox/read` and `/notices/inbox/:id/read`.
 * - Owns: `notice`, `notification_choice`.
 * - Rules: a notification is written once, in the transaction of its cause, by kind and figures. Mails about security and outgoing
 *   money are sent by their own modules and cannot be switched off. A member gets one optional mail in ten minutes at most.
 */
export { inboxMark, markTicketRead } from './inbox.queries.ts'
export { auditMessages, deletePendingMessages, messageMacs, recordMessages } from './message-mac.ts'
export { recordEvent, recordEventRows, recordEvents, type NoticeEvent } from './record-events.ts'
export { noticeRoutes } from './notices.routes.ts'
export { noticeRetention, noticeJobs } from './send-notices.ts'
