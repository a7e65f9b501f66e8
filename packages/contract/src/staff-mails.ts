import * as v from 'valibot'
import { staffAct, staffRead } from './route.ts'

/** The mails that the house writes: what stands in each, and when it is sent. */

const mail = v.object({
  /** Names it in addresses: `payout-paid`. */
  name: v.string(),
  title: v.string(),
  /** When it is sent. */
  when: v.string(),
  /** Whether the operator gave it own words (MAIL_TEXTS). */
  own: v.boolean(),
  /** Whether members can switch it off. */
  optional: v.boolean(),
})

export const staffMails = staffRead({
  name: 'staffMails',
  role: 'all',
  path: '/staff/mails',
  summary: 'The mails that the house writes.',
  reply: v.array(mail),
})

export const previewMail = staffAct({
  name: 'previewMail',
  role: 'all',
  path: '/staff/mails/:name/preview',
  summary: 'One mail as a member would get it, filled with invented figures; nothing is sent.',
  params: v.object({ name: v.pipe(v.string(), v.regex(/^[a-z-]{1,40}$/, 'Not found')) }),
  body: v.strictObject({}),
  reply: v.object({ ...mail.entries, from: v.string(), subject: v.string(), text: v.string() }),
  errors: ['NOT_FOUND'],
})
