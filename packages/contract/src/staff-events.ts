import * as v from 'valibot'
import { answerId, moment, wholeInQuery } from './fields.ts'
import { staffRead } from './route.ts'

/** Events of the platform, for software that polls with an API key of the operator. */

/** Days for which events are stored. */
export const EVENT_DAYS = 30
const PAGE_MAX = 500

/** Kinds of events. `subject` is the public id of the object; for `reward-day` the day. */
export const eventKinds = [
  'member.verified',
  'member.activated',
  'member.deactivated',
  'deposit.approved',
  'deposit.rejected',
  'payout.requested',
  'payout.approved',
  'payout.rejected',
  'purchase.created',
  'purchase.reversed',
  'stake.created',
  'stake.completed',
  'stake.reversed',
  'nft.created',
  'nft.reversed',
  'reward-day.paid',
  'ticket.opened',
  'ticket.message',
  'ticket.closed',
  'incident.opened',
  'incident.ended',
] as const
export type EventKind = (typeof eventKinds)[number]

export const staffEvents = staffRead({
  name: 'staffEvents',
  role: 'records',
  keyReads: 'events',
  path: '/events',
  summary:
    'Lists events of the last 30 days, oldest first. `after` is the cursor of the previous answer. An event can be repeated only with the same `id`.',
  query: v.object({
    after: v.optional(v.pipe(v.string(), v.maxLength(120))),
    limit: wholeInQuery(PAGE_MAX, 100),
  }),
  reply: v.object({
    events: v.array(
      v.object({
        id: answerId,
        kind: v.picklist(eventKinds),
        subject: v.string(),
        /** Public id of the member. */
        memberId: v.optional(answerId),
        at: moment,
      }),
    ),
    cursor: v.string(),
    /** True if further events exist now. */
    more: v.boolean(),
  }),
  errors: ['EVENT_CURSOR_INVALID'],
})
