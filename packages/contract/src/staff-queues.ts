import * as v from 'valibot'
import { amount, answerId, echoed, id, idParams, line, moment } from './fields.ts'
import { listOf, listQueryEntries } from './paging.ts'
import { nothing, staffAct, staffRead } from './route.ts'
import { filter, person, reason } from './staff.ts'
import { asset, balances } from './wallet-keys.ts'

const yes = v.optional(v.literal('true', 'Must be true'))
const seen = v.optional(v.pipe(v.string(), v.regex(/^[0-9a-f]{16}$/, 'Not a mark')))

/** The queues that wait for a decision: USD payouts, coin payouts, payments that need a look. */
export const queueKinds = ['withdrawals', 'bridges', 'deposits'] as const
export type QueueKind = (typeof queueKinds)[number]
const queueParams = v.object({ kind: v.picklist(queueKinds, 'Not found') })
/** What is listed: a queue, or both kinds of payouts together by age. */
export const queueLists = [...queueKinds, 'payouts'] as const
export type QueueList = (typeof queueLists)[number]
const queueItemParams = v.object({ ...queueParams.entries, ...idParams.entries })

/** Something that deserves a second look: a word for machines, one for people, and what it rests on. */
const queueSign = v.object({
  code: v.string(),
  text: v.string(),
  detail: v.optional(v.string()),
  /** Since when it is so, and when it goes away by itself. */
  since: v.optional(moment),
  until: v.optional(moment),
  /** Where it is looked up: a path of the console. */
  href: v.optional(v.string()),
})

/** What one person of the staff said. */
const approval = v.object({ by: person, at: moment, reason: v.optional(v.string()) })

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
  /** How many approvals it needs if the reader decides, with what was decided alone in 24 hours; and who gave one. */
  approvalsNeeded: v.optional(v.number()),
  approvedBy: v.optional(v.array(v.string())),
  decidedBy: v.optional(v.string()),
  reason: v.optional(v.string()),
  /** What deserves a second look, in words. */
  flags: v.array(v.string()),
  createdAt: moment,
  decidedAt: v.optional(moment),
  /** Stands for amount, fees, address and approvals as shown; a decision that carries it is refused once they are others. */
  seen: v.optional(v.string()),
  /** Who approved it so far, or decided it; a first approval's reason stands in the item. */
  approvals: v.optional(v.array(approval)),
  /** Of a deposit: what was decided about payments of it before, oldest first, and by whom. */
  earlierDecisions: v.optional(v.array(v.object({ outcome: v.picklist(['APPROVED', 'REJECTED']), by: v.array(approval) }))),
  /** What deserves a second look: two approvals are no such thing. */
  signs: v.optional(v.array(queueSign)),
  /** When it should be decided. */
  dueAt: v.optional(moment),
  /** Whether the reader may decide it now; if not, why. While payouts are stopped (`STOPPED`) it can still be rejected. */
  canDecide: v.optional(v.boolean()),
  whyNot: v.optional(v.picklist(['OWN', 'FIRST_WAS_YOU', 'ROLE', 'TRACES', 'DECIDED', 'STOPPED'])),
  /** How often the member was paid to this address before. */
  addressUsed: v.optional(v.number()),
  /** Only what lies above it needs two people in any case. */
  limit: v.optional(amount),
})

/** It goes back to its owner, or has arrived in another way. */
const sendingAnswers = ['GIVE_BACK', 'ARRIVED'] as const

/** How far the product is with sending an approved payout on the chain. */
const sendingStates = ['QUEUED', 'SIGNED', 'MINED', 'DONE', 'FAILED', 'CANCELLED'] as const

/** One request with all that a decision rests on. */
export const queueDetail = v.object({
  ...queueItem.entries,
  /** What an approval by the reader does: `pays`, or only `counts` until a second person approves too. */
  effect: v.optional(v.picklist(['pays', 'counts'])),
  /** What was looked at and is as usual. */
  checks: v.array(v.string()),
  about: v.object({
    since: moment,
    status: v.boolean(),
    rank: v.nullish(v.string()),
    sponsor: v.nullish(person),
    teamSize: v.number(),
    timeZone: v.optional(v.string()),
    balances,
    /** Sums since the start. */
    deposited: amount,
    paidOut: amount,
    bought: amount,
    /** USD spent on it; absent where there are too many purchases to add up. */
    boughtUsd: v.optional(amount),
    /** By rewards of every kind, held ones among them; without what was taken back. */
    earned: v.object({ usd: amount, coin: amount }),
    /** Payouts that wait, by asset. */
    held: v.object({ usd: amount, coin: amount }),
    earlier: v.array(
      v.object({ id: answerId, at: moment, asset, amount, address: v.string(), status: v.picklist(['PENDING', 'APPROVED', 'REJECTED']) }),
    ),
    lately: v.array(v.object({ at: moment, text: v.string() })),
  }),
  /** Of a payout that the product sends itself. */
  sending: v.optional(
    v.object({
      state: v.picklist(sendingStates),
      /** What two people may decide where the chain leaves it open, and what they have decided. */
      answers: v.optional(v.array(v.picklist(sendingAnswers))),
      answer: v.optional(v.picklist(sendingAnswers)),
      queuedAt: moment,
      signedAt: v.optional(moment),
      endedAt: v.optional(moment),
      /** Place in the line of the hot wallet's transactions. */
      nonce: v.optional(v.number()),
      wallet: v.optional(v.string()),
      /** Why it does not go on. */
      problem: v.optional(v.string()),
      cancelAskedAt: v.optional(moment),
      /** All of its transactions, the oldest first; one of them can get into a block at most. */
      transactions: v.array(
        v.object({
          hash: v.string(),
          url: v.optional(v.string()),
          purpose: v.picklist(['PAYMENT', 'CANCEL']),
          block: v.optional(v.number()),
        }),
      ),
    }),
  ),
  /** What the provider says of a deposit. */
  payments: v.optional(
    v.array(
      v.object({
        id: v.string(),
        status: v.string(),
        currency: v.string(),
        paid: amount,
        credited: v.nullish(amount),
        review: v.nullish(v.string()),
        at: moment,
      }),
    ),
  ),
})

export const staffQueue = staffRead({
  name: 'staffQueue',
  role: 'all',
  path: '/staff/queues/:kind',
  summary:
    'The requests of a queue, oldest open ones first; `status` narrows it. With `for` those that wait for the reader (`me`), for somebody else (`others`), or that are decided; `before` is the id of the last row there was.',
  params: v.object({ kind: v.picklist(queueLists, 'Not found') }),
  query: v.object({
    ...listQueryEntries,
    status: filter,
    for: v.optional(v.picklist(['me', 'others', 'decided'], 'Invalid view')),
    flagged: yes,
    aboveLimit: yes,
    before: v.optional(id),
  }),
  reply: listOf(queueItem),
})

export const staffQueueItem = staffRead({
  name: 'staffQueueItem',
  role: 'all',
  path: '/staff/queues/:kind/:id',
  summary: 'One request with its member, what is unusual about it and what is not.',
  params: queueItemParams,
  reply: queueDetail,
  errors: ['NOT_FOUND'],
})

export const takeBackApproval = staffAct({
  name: 'takeBackApproval',
  role: 'money',
  path: '/staff/queues/:kind/:id/take-back',
  summary: 'Takes the own first approval back, until the second one is given.',
  params: queueItemParams,
  body: v.strictObject({ reason: v.optional(reason) }),
  reply: nothing,
  errors: ['NOT_FOUND', 'ALREADY_DECIDED', 'ITEM_CHANGED'],
})

export const approveRequest = staffAct({
  name: 'approveRequest',
  role: 'money',
  path: '/staff/queues/:kind/:id/approve',
  money: true,
  summary:
    'Approves a request. A second person has to do the same where what one person decided alone in 24 hours passes the limit, and for a deposit for which the provider reports less than is credited, or other money than a coin of a dollar. `amount`: what is credited or arrives, as shown.',
  params: queueItemParams,
  body: v.strictObject({ reason: v.optional(reason), amount: v.optional(echoed), txHash: v.optional(line(200)), seen }),
  /** With the ledger's transfer that paid or credited it; the first of several. */
  reply: v.nullish(v.object({ status: v.string(), transferId: v.optional(answerId) })),
  errors: [
    'NOT_FOUND',
    'ALREADY_DECIDED',
    'ITEM_CHANGED',
    'FOUR_EYES',
    'INVALID_AMOUNT',
    'PAYOUT_HELD',
    'PAYOUTS_STOPPED',
    'PAYOUT_UNCONFIRMED',
    'PAYOUT_CHANGED',
    'APPROVAL_FORGED',
    'TRANSFER_FORGED',
    'PAYOUT_DAY_LIMIT',
  ],
})

export const nameTransaction = staffAct({
  name: 'nameTransaction',
  role: 'money',
  path: '/staff/queues/:kind/:id/transaction',
  summary: 'Names the transaction on the chain of a payout that was approved without one; once.',
  params: queueItemParams,
  body: v.strictObject({ txHash: line(200), reason: v.optional(reason) }),
  reply: nothing,
  errors: ['NOT_FOUND', 'NOT_APPROVED', 'ALREADY_DECIDED'],
})

export const stopSending = staffAct({
  name: 'stopSending',
  role: 'money',
  path: '/staff/queues/:kind/:id/stop-sending',
  money: true,
  summary:
    'Takes an approved payout back that has not arrived. RETURNED: it was not signed yet. ASKED: it goes back once the chain has proved that it cannot arrive; it may still arrive.',
  params: queueItemParams,
  body: v.strictObject({ reason }),
  reply: v.object({ status: v.picklist(['RETURNED', 'ASKED']) }),
  errors: ['NOT_FOUND', 'NOT_APPROVED', 'ALREADY_DECIDED', 'FOUR_EYES'],
})

export const rejectRequest = staffAct({
  name: 'rejectRequest',
  role: 'money',
  path: '/staff/queues/:kind/:id/reject',
  money: true,
  summary: 'Rejects a request; a payout that was held goes back to the member in full.',
  params: queueItemParams,
  body: v.strictObject({ reason, seen }),
  reply: nothing,
  errors: ['NOT_FOUND', 'ALREADY_DECIDED', 'ITEM_CHANGED', 'FOUR_EYES'],
})
