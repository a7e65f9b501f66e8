import * as v from 'valibot'
import { nothing, memberRead, route } from './route.ts'

/** Events with optional email: incoming money and support answers. */
export const optionalNotices = ['deposit', 'received', 'stake-ended', 'support-answer'] as const
export type OptionalNotice = (typeof optionalNotices)[number]

/** Events that always send an email, because they concern account security or payouts. */
export const lockedNotices = ['sign-in', 'password', 'second-factor', 'payout', 'payout-address', 'staff'] as const

const event = v.picklist([...optionalNotices, ...lockedNotices])

export const noticeChoices = memberRead({
  name: 'noticeChoices',
  path: '/notices',
  summary: 'Lists the mail notifications of the member and which ones can be turned off. All are on by default.',
  reply: v.array(v.object({ event, on: v.boolean(), locked: v.boolean() })),
})

export const chooseNotice = route({
  name: 'chooseNotice',
  method: 'PUT',
  path: '/notices',
  access: 'member',
  summary: 'Turns the mails about one kind of event on or off.',
  body: v.strictObject({ event: v.picklist(optionalNotices, 'Cannot be switched off'), on: v.boolean() }),
  reply: nothing,
})

export const unsubscribe = route({
  name: 'unsubscribe',
  method: 'POST',
  path: '/notices/unsubscribe',
  access: 'public',
  form: true,
  summary: 'Turns mails off with the token of their List-Unsubscribe header (one-click unsubscribe, RFC 8058).',
  query: v.object({ token: v.pipe(v.string(), v.maxLength(300)) }),
  reply: nothing,
  errors: ['NOT_FOUND'],
})
