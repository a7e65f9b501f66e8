import * as v from 'valibot'
import { staffAct, staffRead } from './route.ts'

/** The mails sent by the platform, with their contents and triggers. */

const mail = v.object({
  /** Name in URLs, such as `payout-paid`. */
  name: v.string(),
  title: v.string(),
  /** Event that triggers the mail. */
  when: v.string(),
  /** True if the operator replaced its text (MAIL_TEXTS). */
  isCustomized: v.boolean(),
  /** True if members can unsubscribe. */
  optional: v.boolean(),
})

export const staffMails = staffRead({
  name: 'staffMails',
  role: 'all',
  path: '/staff/mails',
  summary: 'Lists the mails that the platform sends.',
  reply: v.array(mail),
})

export const previewMail = staffAct({
  name: 'previewMail',
  role: 'all',
  path: '/staff/mails/:name/preview',
  summary: 'Returns a mail as a member would get it, with sample data. Nothing is sent.',
  params: v.object({ name: v.pipe(v.string(), v.regex(/^[a-z-]{1,40}$/, 'Not found')) }),
  body: v.strictObject({}),
  reply: v.object({ ...mail.entries, from: v.string(), subject: v.string(), text: v.string() }),
  errors: ['NOT_FOUND'],
})
