import * as v from 'valibot'
import { amount, answerId, coinInput, echoed, email, extra, id, idParams, line, moment, personName, wholeInQuery } from './fields.ts'
import { NAME_MAX_LENGTH, REASON_MAX_LENGTH } from './limits.ts'
import { listOf, listQueryEntries } from './paging.ts'
import { nothing, route } from './route.ts'
import { asset, balances } from './wallets.ts'

/** Why a member of staff did something; every decision carries one and it stands in the audit trail. */
export const reason = line(REASON_MAX_LENGTH)

/** A word of a filter, such as a status. */
export const filter = v.optional(v.pipe(v.string(), v.trim(), v.maxLength(100, 'Maximum length is 100')))

/** A person in a row. */
export const person = v.object({ id: answerId, name: v.string(), email: v.string() })

export const staffOverview = route({
  name: 'staffOverview',
  method: 'GET',
  path: '/staff/overview',
  access: 'staff',
  summary: 'What waits for a decision, and liabilities against reserves by UTC day, oldest first.',
  query: v.object({ days: wholeInQuery(730, 90) }),
  reply: v.object({
    waiting: v.object({
      withdrawals: v.number(),
      bridges: v.number(),
      deposits: v.number(),
      changes: v.number(),
      tickets: v.number(),
    }),
    members: v.number(),
    rewardPool: v.array(v.object({ asset, balance: amount, owed: amount })),
    reserves: v.array(v.object({ day: v.string(), asset, liabilities: amount, reserves: amount })),
  }),
  errors: [],
})

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

/** A member as staff see one. */
export const staffMember = v.object({
  ...person.entries,
  phone: v.string(),
  status: v.boolean(),
  isVerified: v.boolean(),
  isActive: v.boolean(),
  isSpecialRcm: v.boolean(),
  rank: v.nullish(v.string()),
  myReferralCode: v.string(),
  sponsor: v.nullish(person),
  referralCount: v.number(),
  createdAt: moment,
})

export const staffMembers = route({
  name: 'staffMembers',
  method: 'GET',
  path: '/staff/members',
  access: 'staff',
  summary: 'Members by name, mail address, phone or referral code.',
  query: v.object({ ...listQueryEntries, q: filter }),
  reply: listOf(staffMember),
  errors: [],
})

export const staffMemberDetail = route({
  name: 'staffMemberDetail',
  method: 'GET',
  path: '/staff/members/:id',
  access: 'staff',
  summary: 'One member with balances and live sessions.',
  params: idParams,
  reply: v.object({ member: staffMember, balances, sessions: v.number(), teamStake: v.optional(amount) }),
  errors: ['NOT_FOUND'],
})

export const setMemberStatus = route({
  name: 'setMemberStatus',
  method: 'POST',
  path: '/staff/members/:id/status',
  access: 'staff',
  summary: 'Blocks a member (status false), which ends all sessions, or lets the member in again (RO-16, RO-17).',
  params: idParams,
  body: v.strictObject({ status: v.boolean(), reason }),
  /** About somebody of the staff: the change that waits for another person. */
  reply: v.nullish(v.object({ changeId: v.optional(id) })),
  errors: ['NOT_FOUND', 'FOUR_EYES'],
})

export const setSpecialRcm = route({
  name: 'setSpecialRcm',
  method: 'POST',
  path: '/staff/members/:id/special-rcm',
  access: 'staff',
  summary: 'Makes a member special or ordinary (RO-17).',
  params: idParams,
  body: v.strictObject({ isSpecialRcm: v.boolean(), reason }),
  reply: nothing,
  errors: ['NOT_FOUND', 'FOUR_EYES'],
})

export const creditRcm = route({
  name: 'creditRcm',
  method: 'POST',
  path: '/staff/members/:id/credit-rcm',
  access: 'staff',
  money: true,
  summary: 'Credits coin to the RCM wallet of a special member (MF-25, RW-10); above the four-eyes limit it is filed as a change.',
  params: idParams,
  body: v.strictObject({ amount: coinInput, reason }),
  /** The change that waits for another person; absent when it was done at once. */
  reply: v.nullish(v.object({ changeId: v.optional(id) })),
  errors: ['NOT_FOUND', 'SPECIAL_MEMBERS_ONLY', 'NOT_COVERED', 'FOUR_EYES'],
})

export const endMemberSessions = route({
  name: 'endMemberSessions',
  method: 'POST',
  path: '/staff/members/:id/end-sessions',
  access: 'staff',
  summary: 'Ends all sessions of a member.',
  params: idParams,
  body: v.strictObject({ reason }),
  reply: nothing,
  errors: ['NOT_FOUND', 'FOUR_EYES'],
})

export const fundRewardPool = route({
  name: 'fundRewardPool',
  method: 'POST',
  path: '/staff/reward-pool/fund',
  access: 'staff',
  money: true,
  summary:
    'Moves coin stock or USD of the house into the reward pool; above the four-eyes limit, and for money of the operator from outside, it is filed as a change.',
  body: v.strictObject({
    asset,
    amount: coinInput,
    reason,
    source: v.optional(v.picklist(['stock', 'operator'], 'Invalid source'), 'stock'),
  }),
  /** The change that waits for another person; absent when it was done at once. */
  reply: v.nullish(v.object({ changeId: v.optional(id) })),
  errors: ['INSUFFICIENT_BALANCE', 'COIN_SOLD_OUT', 'FOUR_EYES'],
})

export const grantRole = route({
  name: 'grantRole',
  method: 'POST',
  path: '/staff/roles',
  access: 'staff',
  summary:
    'Gives a role of staff, or takes it; filed as a change unless there is nobody else to ask. A new account sets its password by a mailed link.',
  body: v.strictObject({
    email,
    name: v.optional(personName(NAME_MAX_LENGTH)),
    phone: v.optional(v.pipe(v.string(), v.maxLength(40)), ''),
    role: v.picklist(['MEMBER', 'SUPPORT', 'ADMIN'], 'Invalid role'),
    reason,
  }),
  reply: v.nullish(v.object({ changeId: v.optional(id) })),
  errors: ['FOUR_EYES'],
})

export const resetSecondFactor = route({
  name: 'resetSecondFactor',
  method: 'POST',
  path: '/staff/second-factor-resets',
  access: 'staff',
  summary: 'Files that somebody lost the authenticator app; another admin takes it off.',
  body: v.strictObject({ email, reason }),
  reply: v.object({ changeId: answerId }),
  errors: ['USER_NOT_FOUND', 'SECOND_FACTOR_OFF', 'FOUR_EYES'],
})

export const staffRewardPool = route({
  name: 'staffRewardPool',
  method: 'GET',
  path: '/staff/reward-pool',
  access: 'staff',
  summary: 'What the reward pool holds, commits, promises and owes; since when runs wait for a person.',
  reply: v.object({
    assets: v.array(v.object({ asset, pool: amount, committed: amount, promised: amount, owed: amount })),
    haltedSince: v.nullable(v.string()),
  }),
  errors: [],
})

export const staffRewardRuns = route({
  name: 'staffRewardRuns',
  method: 'GET',
  path: '/staff/reward-runs',
  access: 'staff',
  summary: 'The reward runs, newest first (RW-12).',
  query: v.object(listQueryEntries),
  reply: listOf(
    v.object({
      id: answerId,
      status: v.string(),
      dueUntil: moment,
      payments: v.number(),
      paid: v.array(v.object({ asset, amount })),
      owed: v.array(v.object({ asset, amount })),
      startedBy: v.nullish(v.string()),
      error: v.nullish(v.string()),
      startedAt: moment,
      finishedAt: v.nullish(moment),
    }),
  ),
  errors: [],
})

export const startRewardRun = route({
  name: 'startRewardRun',
  method: 'POST',
  path: '/staff/reward-runs',
  access: 'staff',
  summary: 'Pays what is due now instead of at the next hour; a payment that was made is never made again (RW-12).',
  reply: v.nullish(v.object({ id: v.optional(id) })),
  errors: ['RUN_IN_PROGRESS'],
})

export const staffAudit = route({
  name: 'staffAudit',
  method: 'GET',
  path: '/staff/audit',
  access: 'staff',
  summary: 'Who did what, when and why, newest first; `q` finds an actor, an action or a subject; `before` pages back from a row.',
  query: v.object({ ...listQueryEntries, q: filter, before: v.optional(v.pipe(v.string(), v.regex(/^\d{1,18}$/, 'Not a row'))) }),
  reply: listOf(
    v.object({
      id: answerId,
      createdAt: moment,
      actor: v.string(),
      action: v.string(),
      subject: v.string(),
      reason: v.nullish(v.string()),
      /** What changed, before and after, as far as it may be shown. */
      details: extra(v.unknown()),
    }),
  ),
  errors: [],
})
