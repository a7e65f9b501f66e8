import * as v from 'valibot'
import { amount, answerId, id, idParams, moment } from './fields.ts'
import { listOf, listQueryEntries } from './paging.ts'
import { nothing, staffAct, staffRead } from './route.ts'
import { person, reason } from './staff.ts'

/** Staff's verdict on a linked account: a household, or a person to monitor. */
export const traceVerdicts = ['harmless', 'watch'] as const

export const staffLinkedAccounts = staffRead({
  name: 'staffLinkedAccounts',
  role: 'all',
  personal: 'page',
  path: '/staff/linked-accounts',
  summary:
    'Lists members who share an IP address, browser or payout address with one of the five levels above them; newest first. `before` is the id of the last row of the previous page.',
  query: v.object({
    limit: listQueryEntries.limit,
    view: v.optional(v.picklist(['open', ...traceVerdicts], 'Invalid view'), 'open'),
    member: v.optional(id),
    before: v.optional(v.pipe(v.string(), v.regex(/^\d{1,18}$/, 'Not a row'))),
  }),
  reply: v.object({
    ...listOf(
      v.object({
        id: answerId,
        member: person,
        upline: person,
        level: v.number(),
        sameAddress: v.boolean(),
        sameDevice: v.boolean(),
        samePayoutAddress: v.boolean(),
        /**
         * Earnings of the upper member from the lower one: referral and level rewards, and the bounties of all counted days, as
         * if neither had been blocked. Absent above the purchase limit.
         */
        earned: v.optional(v.object({ coin: amount, usd: amount })),
        /** Number of batches of sessions and payouts with the trace. */
        times: v.number(),
        firstSeenAt: moment,
        lastSeenAt: moment,
        verdict: v.optional(v.picklist(traceVerdicts)),
        reviewedBy: v.optional(person),
        reviewedAt: v.optional(moment),
        reason: v.optional(v.string()),
      }),
    ).entries,
    /** Number of traces per verdict, at most 1,000 each. */
    counts: v.object({ open: v.number(), harmless: v.number(), watch: v.number() }),
  }),
})

export const reviewLinkedAccount = staffAct({
  name: 'reviewLinkedAccount',
  role: 'desk',
  path: '/staff/linked-accounts/:id/review',
  summary:
    'Classifies linked accounts. `harmless` removes the warning from requests, but staff linked to a member still cannot decide about that member.',
  params: idParams,
  body: v.strictObject({ verdict: v.picklist(traceVerdicts, 'Invalid verdict'), reason }),
  reply: nothing,
  errors: ['NOT_FOUND', 'FOUR_EYES'],
})
