/**
 * Notices: what members are told by mail when money comes in, and their choice of it.
 * - Wire: `GET` and `PUT /notices`, `POST /notices/unsubscribe`.
 * - Owns: `notice`, `notice_off`.
 * - Rules: a notice is written in the transaction of its cause, once; mails about security and about money that leaves are
 *   sent by those who know of it, and cannot be switched off; a member gets one mail in ten minutes at most.
 */
export { recordEvents, type NoticeEvent } from './note-events.ts'
export { noticeRoutes } from './notices.routes.ts'
export { noticeRetention, noticeSweeps } from './send-notices.ts'
