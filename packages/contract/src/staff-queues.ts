import * as v from 'valibot'
import { amount, answerId, echoed, id, idParams, line, moment } from './fields.ts'
import { returnable } from './returnable.ts'
import { listOf, listQueryEntries } from './paging.ts'
import { nothing, staffAct, staffRead } from './route.ts'
import { filter, person, reason } from './staff.ts'
import { paymentReturn } from './staff-payment-returns.ts'
import { asset, balances } from './wallet-keys.ts'

const yes = v.optional(v.literal('true', 'Must be true'))
const seen = v.optional(v.pipe(v.string(), v.regex(/^[0-9a-f]{16}$/, 'Not a mark')))

/** Queues of requests: USD payouts, coin payouts, payments under review. */
export const queueKinds = ['withdrawals', 'bridges', 'deposits'] as const
export type QueueKind = (typeof queueKinds)[number]
const queueParams = v.object({ kind: v.picklist(queueKinds, 'Not found') })
/** Lists: one queue, or both payout kinds by age. */
export const queueLists = [...queueKinds, 'payouts'] as const
export type QueueList = (typeof queueLists)[number]
const queueItemParams = v.object({ ...queueParams.entries, ...idParams.entries })

/** A warning: a code for programs, a text for people, and its detail. */
const queueSign = v.object({
  code: v.string(),
  text: v.string(),
  detail: v.optional(v.string()),
  /** Start of the warning, and its expiry. */
  since: v.optional(moment),
  until: v.optional(moment),
  /** Console path with the details. */
  href: v.optional(v.string()),
})

const approval = v.object({ by: person, at: moment, reason: v.optional(v.string()) })

export const queueItem = v.object({
  id: answerId,
  kind: v.picklist(queueKinds),
  member: person,
  asset,
  amount,
  platformFee: v.optional(amount),
  networkFee: v.optional(amount),
  /** Amount of a payout, or the amount received for a deposit. */
  received: v.optional(amount),
  /** Amount credited on approval. */
  credit: v.optional(amount),
  /** Masked except for the first six and last four characters; `revealRequestAddress` shows it. */
  address: v.optional(v.string()),
  network: v.optional(v.number()),
  txHash: v.optional(v.string()),
  status: v.string(),
  /** Approvals required if the reader decides, given 24 hours of solo decisions; and the first approver. */
  approvalsNeeded: v.optional(v.number()),
  approvedBy: v.optional(v.array(v.string())),
  decidedBy: v.optional(v.string()),
  /** The rule that decided, held or queued a payout, or would have approved it within its ceilings. */
  rule: v.optional(
    v.object({
      name: v.string(),
      version: v.number(),
      outcome: v.picklist(['APPROVED', 'HELD', 'QUEUED', 'CEILING']),
      /** Ceiling that the payout exceeded when it was checked: units left of its sum (absent if the number is used up), and its end. */
      ceiling: v.optional(v.object({ of: v.picklist(['rule', 'member', 'address']), left: v.optional(amount), freeAt: moment })),
    }),
  ),
  reason: v.optional(v.string()),
  /** Texts of the warnings. */
  flags: v.array(v.string()),
  createdAt: moment,
  decidedAt: v.optional(moment),
  /** Version of amount, fees, address and approvals. The server rejects a decision with an older version. */
  seen: v.optional(v.string()),
  /** Approvals so far, or the decision. The item holds the first approval's reason. */
  approvals: v.optional(v.array(approval)),
  /** Earlier decisions about the deposit's payments, oldest first. */
  earlierDecisions: v.optional(v.array(v.object({ outcome: v.picklist(['APPROVED', 'REJECTED']), by: v.array(approval) }))),
  /** Warnings. The need for two approvals is not one. */
  signs: v.optional(v.array(queueSign)),
  /** Target time for the decision. */
  dueAt: v.optional(moment),
  /** True if the reader may decide now; otherwise the reason. During an emergency pause (`STOPPED`) staff may still reject. */
  canDecide: v.optional(v.boolean()),
  whyNot: v.optional(v.picklist(['OWN', 'FIRST_WAS_YOU', 'ROLE', 'TRACES', 'DECIDED', 'STOPPED'])),
  /** Earlier payouts to this address. */
  addressUsed: v.optional(v.number()),
  /** Larger amounts always require two people. */
  limit: v.optional(amount),
})

/** The payout returns to its owner, or has arrived in another way. */
const sendingAnswers = ['GIVE_BACK', 'ARRIVED'] as const

/** Stages of sending an approved payout on the chain. */
const sendingStates = ['QUEUED', 'SIGNED', 'MINED', 'DONE', 'FAILED', 'CANCELLED'] as const

/** One request with all data needed for a decision. */
export const queueDetail = v.object({
  ...queueItem.entries,
  /** Effect of the reader's approval: it pays, or is the first of two. */
  effect: v.optional(v.picklist(['pays', 'first-approval'])),
  /** Checks without findings. */
  checks: v.array(v.string()),
  about: v.object({
    since: moment,
    status: v.boolean(),
    rank: v.nullish(v.string()),
    sponsor: v.nullish(person),
    teamSize: v.number(),
    timeZone: v.optional(v.string()),
    balances,
    /** Totals since registration. */
    deposited: amount,
    paidOut: amount,
    bought: amount,
    /** USD spent on coin; absent above the purchase limit. */
    boughtUsd: v.optional(amount),
    /** Rewards of every kind, including pending ones and excluding revoked ones. */
    earned: v.object({ usd: amount, coin: amount }),
    /** Pending payouts, by asset. */
    held: v.object({ usd: amount, coin: amount }),
    earlierPayouts: v.array(
      v.object({ id: answerId, at: moment, asset, amount, address: v.string(), status: v.picklist(['PENDING', 'APPROVED', 'REJECTED']) }),
    ),
    recentActions: v.array(v.object({ at: moment, text: v.string() })),
  }),
  /** For a payout sent by the platform. */
  sending: v.optional(
    v.object({
      state: v.picklist(sendingStates),
      /** Resolutions available to two people for an unresolved payout, and their decision. */
      answers: v.optional(v.array(v.picklist(sendingAnswers))),
      answer: v.optional(v.picklist(sendingAnswers)),
      queuedAt: moment,
      signedAt: v.optional(moment),
      endedAt: v.optional(moment),
      /** Nonce of the hot wallet. */
      nonce: v.optional(v.number()),
      wallet: v.optional(v.string()),
      /** Reason for the delay. */
      problem: v.optional(v.string()),
      cancelAskedAt: v.optional(moment),
      /** All its transactions, oldest first. At most one can get into a block. */
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
  /** For an in-app invoice: uncredited payments that two people can return, and the newest 20 returns. */
  returnable: v.optional(v.array(returnable)),
  returns: v.optional(v.array(paymentReturn)),
  /** Payments of a deposit according to the provider. */
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
  personal: 'page',
  path: '/staff/queues/:kind',
  summary:
    'Lists the requests of a queue, oldest open ones first. `status` filters them. `for`: those that the caller can decide (`me`), those that wait for others (`others`), or decided ones. `before` is the id of the last row of the previous page.',
  params: v.object({ kind: v.picklist(queueLists, 'Not found') }),
  query: v.object({
    ...listQueryEntries,
    status: filter,
    for: v.optional(v.picklist(['me', 'others', 'decided'], 'Invalid view')),
    flagged: yes,
    aboveLimit: yes,
    /** Only payouts that the rule with this name decided, held or queued, or left to staff at a ceiling. */
    rule: v.optional(line(60)),
    before: v.optional(id),
  }),
  reply: listOf(queueItem),
})

export const staffQueueItem = staffRead({
  name: 'staffQueueItem',
  role: 'all',
  personal: 'page',
  path: '/staff/queues/:kind/:id',
  summary: 'Returns a request with its member, its warnings and its passed checks.',
  params: queueItemParams,
  reply: queueDetail,
  errors: ['NOT_FOUND'],
})

export const revokeApproval = staffAct({
  name: 'revokeApproval',
  role: 'money',
  path: '/staff/queues/:kind/:id/revoke-approval',
  summary: "Revokes the caller's first approval, as long as no second one exists.",
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
    "Approves a request. A second person must approve as well if the caller's 24-hour total exceeds the solo limit, or if the provider reports less for a deposit than is credited, or a currency other than a dollar stablecoin. `amount`: the amount credited or sent, as shown.",
  params: queueItemParams,
  body: v.strictObject({ reason: v.optional(reason), amount: v.optional(echoed), txHash: v.optional(line(200)), seen }),
  /** First ledger transfer of the payment or credit. */
  reply: v.nullish(v.object({ status: v.string(), transferId: v.optional(answerId) })),
  errors: [
    'NOT_FOUND',
    'ALREADY_DECIDED',
    'ITEM_CHANGED',
    'FOUR_EYES',
    'INVALID_AMOUNT',
    'PAYOUT_HELD',
    'SCREENING_OPEN',
    'PAYOUTS_STOPPED',
    'PAYOUT_UNCONFIRMED',
    'PAYOUT_CHANGED',
    'APPROVAL_FORGED',
    'TRANSFER_FORGED',
    'PAYOUT_DAY_LIMIT',
  ],
})

export const revealRequestAddress = staffAct({
  name: 'revealRequestAddress',
  role: 'all',
  personal: 'reveal',
  path: '/staff/queues/:kind/:id/reveal',
  summary: "Returns a payout's full address. The view is recorded in the audit log and shown to the member.",
  params: queueItemParams,
  body: v.strictObject({}),
  reply: v.object({ address: v.string() }),
  errors: ['NOT_FOUND'],
})

export const nameTransaction = staffAct({
  name: 'nameTransaction',
  role: 'money',
  path: '/staff/queues/:kind/:id/transaction',
  summary: 'Records the transaction of a payout that was approved without one; once.',
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
    'Cancels an approved payout that has not arrived. RETURNED: it was not signed yet, and the money is back in the wallet. CANCEL_REQUESTED: the money returns once the chain proves that the payout cannot arrive; until then it may still arrive.',
  params: queueItemParams,
  body: v.strictObject({ reason }),
  reply: v.object({ status: v.picklist(['RETURNED', 'CANCEL_REQUESTED']) }),
  errors: ['NOT_FOUND', 'NOT_APPROVED', 'ALREADY_DECIDED', 'PAYOUT_AFTER_RESTORE', 'FOUR_EYES'],
})

export const rejectRequest = staffAct({
  name: 'rejectRequest',
  role: 'money',
  path: '/staff/queues/:kind/:id/reject',
  money: true,
  summary: 'Rejects a request. The full amount of a payout returns to the member.',
  params: queueItemParams,
  body: v.strictObject({ reason, seen }),
  reply: nothing,
  errors: ['NOT_FOUND', 'ALREADY_DECIDED', 'ITEM_CHANGED', 'FOUR_EYES'],
})
