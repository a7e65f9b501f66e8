import * as v from 'valibot'
import { amount, answerId, echoed, idParams, line, moment } from './fields.ts'
import { listOf, listQueryEntries } from './paging.ts'
import { nothing, route } from './route.ts'
import { filter, person, reason } from './staff.ts'
import { asset } from './wallets.ts'

/** The queues that wait for a decision: USD payouts, coin payouts, payments that need a look. */
export const queueKinds = ['withdrawals', 'bridges', 'deposits'] as const
export type QueueKind = (typeof queueKinds)[number]
const queueParams = v.object({ kind: v.picklist(queueKinds, 'Not found') })
const queueItemParams = v.object({ ...queueParams.entries, ...idParams.entries })

/** One request in a queue. */
export const queueItem = v.object({
  id: answerId,
  kind: v.picklist(queueKinds),
  member: person,
  asset,
  amount,
  platformFee: v.optional(amount),
  networkFee: v.optional(amount),
  /** What is paid out, or what has arrived of a deposit. */
  received: v.optional(amount),
  /** What approving a deposit credits. */
  credit: v.optional(amount),
  address: v.optional(v.string()),
  network: v.optional(v.number()),
  txHash: v.optional(v.string()),
  status: v.string(),
  /** How many approvals it needs and who gave one. */
  approvalsNeeded: v.optional(v.number()),
  approvedBy: v.optional(v.array(v.string())),
  decidedBy: v.optional(v.string()),
  reason: v.optional(v.string()),
  /** What deserves a second look, in words. */
  flags: v.array(v.string()),
  createdAt: moment,
  decidedAt: v.optional(moment),
})

export const staffQueue = route({
  name: 'staffQueue',
  method: 'GET',
  path: '/staff/queues/:kind',
  access: 'staff',
  summary: 'The requests of a queue, oldest open ones first; `status` narrows it.',
  params: queueParams,
  query: v.object({ ...listQueryEntries, status: filter }),
  reply: listOf(queueItem),
  errors: [],
})

export const approveRequest = route({
  name: 'approveRequest',
  method: 'POST',
  path: '/staff/queues/:kind/:id/approve',
  access: 'staff',
  money: true,
  summary:
    'Approves a request. A second person has to do the same where what one person decided alone in 24 hours passes the limit, and for a deposit that the provider knows no payment of. `amount`: what is credited or arrives, as shown.',
  params: queueItemParams,
  body: v.strictObject({ reason: v.optional(reason), amount: v.optional(echoed), txHash: v.optional(line(200)) }),
  reply: v.nullish(v.object({ status: v.string() })),
  errors: ['NOT_FOUND', 'ALREADY_DECIDED', 'FOUR_EYES', 'INVALID_AMOUNT', 'PAYOUT_HELD'],
})

export const rejectRequest = route({
  name: 'rejectRequest',
  method: 'POST',
  path: '/staff/queues/:kind/:id/reject',
  access: 'staff',
  money: true,
  summary: 'Rejects a request; a payout that was held goes back to the member in full.',
  params: queueItemParams,
  body: v.strictObject({ reason }),
  reply: nothing,
  errors: ['NOT_FOUND', 'ALREADY_DECIDED', 'FOUR_EYES'],
})
