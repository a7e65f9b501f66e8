/**
 * Notifications: mails about incoming money, and the member's choice of them.
 * - Wire: `GET` and `PUT /notices`, `POST /notices/unsubscribe`.
 * - Owns: `notice`, `notification_opt_out`.
 * - Rules: a notification is written once, in the transaction of its cause. Mails about security and outgoing money are
 *   sent by their own modules and cannot be switched off. A member gets one mail in ten minutes at most.
 */
export { recordEvents, type NoticeEvent } from './note-events.ts'
export { noticeRoutes } from './notices.routes.ts'
export { noticeRetention, noticeJobs } from './send-notices.ts'
