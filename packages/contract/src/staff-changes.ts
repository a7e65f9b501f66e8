import * as v from 'valibot'
import { amount, answerId, extra, id, idParams, moment, wholeInQuery } from './fields.ts'
import { listOf, listQueryEntries } from './paging.ts'
import type { RoleGroup } from './role-groups.ts'
import { nothing, staffAct, staffRead } from './route.ts'
import { nft } from './nfts.ts'
import { apiKeyValue } from './staff-api-keys.ts'
import { webhookValue } from './staff-webhooks.ts'
import { payoutRulesValue } from './staff-payout-rules.ts'
import { person, reason } from './staff.ts'
import { maxGain, startsAt } from './staff-proposal-fields.ts'
import { simulation, resultMark } from './staff-programme.ts'
import { stakePlan } from './staking.ts'
import {
  brandValue,
  commitmentValue,
  importValue,
  limitsValue,
  messageValue,
  nftValue,
  planValue,
  popupValue,
  priceValue,
  programmeValue,
  screeningListValue,
  settingsValue,
  termsOfUseValue,
  valuesValue,
} from './staff-values.ts'

/**
 * Proposals: one person proposes, another approves (four eyes). A proposal takes effect on approval or at its start. Earlier
 * purchases keep their own terms.
 */

/** Subject, value and start of catalogue proposals. */
const proposable = [
  v.strictObject({ subject: v.literal('price'), value: priceValue, startsAt }),
  v.strictObject({ subject: v.literal('settings'), value: settingsValue, startsAt }),
  v.strictObject({ subject: v.literal('plan'), value: planValue, startsAt }),
  v.strictObject({ subject: v.literal('nft'), value: nftValue, startsAt }),
  v.strictObject({ subject: v.literal('popup'), value: popupValue, startsAt }),
  v.strictObject({ subject: v.literal('limits'), value: limitsValue, startsAt }),
  v.strictObject({ subject: v.literal('programme'), value: programmeValue, startsAt }),
  v.strictObject({ subject: v.literal('commitment'), value: commitmentValue }),
  v.strictObject({ subject: v.literal('values'), value: valuesValue, startsAt }),
  v.strictObject({ subject: v.literal('import'), value: importValue }),
  v.strictObject({ subject: v.literal('payout-rules'), value: payoutRulesValue, startsAt }),
  v.strictObject({ subject: v.literal('api-key'), value: apiKeyValue }),
  v.strictObject({ subject: v.literal('brand'), value: brandValue, startsAt }),
  v.strictObject({ subject: v.literal('message'), value: messageValue }),
  v.strictObject({ subject: v.literal('webhook'), value: webhookValue }),
  v.strictObject({ subject: v.literal('screening-list'), value: screeningListValue }),
  v.strictObject({ subject: v.literal('terms-of-use'), value: termsOfUseValue, startsAt }),
] as const

export const proposal = v.variant('subject', [
  v.strictObject({ ...proposable[0].entries, reason }),
  v.strictObject({ ...proposable[1].entries, reason }),
  v.strictObject({ ...proposable[2].entries, reason }),
  v.strictObject({ ...proposable[3].entries, reason }),
  v.strictObject({ ...proposable[4].entries, reason }),
  v.strictObject({ ...proposable[5].entries, reason }),
  // A programme proposal names the simulation shown to its maker.
  v.strictObject({ ...proposable[6].entries, reason, simulation: v.optional(resultMark) }),
  v.strictObject({ ...proposable[7].entries, reason }),
  v.strictObject({ ...proposable[8].entries, reason }),
  v.strictObject({ ...proposable[9].entries, reason }),
  v.strictObject({ ...proposable[10].entries, reason }),
  v.strictObject({ ...proposable[11].entries, reason }),
  v.strictObject({ ...proposable[12].entries, reason }),
  v.strictObject({ ...proposable[13].entries, reason }),
  v.strictObject({ ...proposable[14].entries, reason }),
  v.strictObject({ ...proposable[15].entries, reason }),
  v.strictObject({ ...proposable[16].entries, reason }),
])
export type Proposal = v.InferOutput<typeof proposal>

/**
 * Subjects of proposals, with the roles to propose, approve, reject and cancel them. Those that are not in `proposable` have their own call
 * instead of `proposeChange`, such as `credit` and `fund`.
 */
export const proposalRoles = {
  price: 'money',
  settings: 'admin',
  plan: 'money',
  nft: 'money',
  popup: 'money',
  limits: 'admin',
  programme: 'money',
  commitment: 'admin',
  // Values may contain settings and limits. An import creates members and balances.
  values: 'admin',
  import: 'admin',
  'payout-rules': 'admin',
  'api-key': 'admin',
  brand: 'admin',
  message: 'money',
  webhook: 'admin',
  'screening-list': 'admin',
  screening: 'money',
  'terms-of-use': 'admin',
  credit: 'money',
  fund: 'money',
  staff: 'admin',
  'purchase-reversal': 'money',
  'cancel-rewards': 'money',
  'account-recovery': 'admin',
  sessions: 'admin',
  status: 'admin',
  'case-closing': 'money',
  suspension: 'admin',
  'separate-people': 'admin',
  'resume-platform': 'admin',
  'chain-answer': 'admin',
  reversal: 'money',
  'cold-move': 'money',
  'payment-return': 'money',
  proceeds: 'money',
  special: 'admin',
  rank: 'admin',
} as const satisfies Readonly<Record<string, RoleGroup>>
export type ProposalSubject = keyof typeof proposalRoles
export const proposalSubjects = Object.keys(proposalRoles) as ProposalSubject[]

/** `PLANNED`: approved, takes effect at its start. `OUTDATED`: expired, or the value that it changes has changed meanwhile. */
export const changeStatuses = ['PENDING', 'PLANNED', 'IN_FORCE', 'REFUSED', 'CANCELLED', 'OUTDATED'] as const

/** One line of an effect by the server's figures: before and after. */
export const effectRow = v.object({
  label: v.string(),
  before: v.optional(v.string()),
  after: v.string(),
  unit: v.optional(v.string()),
  /** True if the operator gains; absent if neither side does. */
  good: v.optional(v.boolean()),
})
/** An effect by the figures of a moment. Its `hash` differs when a figure does. */
const effect = v.object({ rows: v.array(effectRow), basedOn: v.string(), hash: v.string(), at: moment })

/** A proposal. `before` and `value` are JSON, amounts as plain decimals. */
export const changeRow = v.object({
  id: answerId,
  subject: v.picklist(proposalSubjects),
  /** A few words, such as `Gold 365: 11 → 9.5 %`. */
  title: v.string(),
  value: v.unknown(),
  before: v.unknown(),
  reason: v.string(),
  status: v.picklist(changeStatuses),
  proposedBy: person,
  /** True if the reader made it and so cannot approve it. */
  mine: v.boolean(),
  /** True if it concerns the reader's own or a linked account, so another person decides. */
  aboutYou: v.optional(v.boolean()),
  decidedBy: v.nullish(person),
  decisionReason: v.nullish(v.string()),
  createdAt: moment,
  decidedAt: v.nullish(moment),
  /** Its start; absent: on approval. */
  startsAt: v.nullish(moment),
  /** The person who cancelled it before its start, or why it expired. */
  endedBy: v.nullish(person),
  endedAt: v.nullish(moment),
  endReason: v.nullish(v.string()),
})

/** Another open proposal for the same fields. */
const overlap = v.object({ id: answerId, title: v.string(), status: v.picklist(changeStatuses), by: person, startsAt: v.nullish(moment) })

/** The start and deciders of a current value, and the open proposals for it. */
const valueDecisions = v.object({
  since: v.nullable(moment),
  by: v.array(person),
  pending: v.array(
    v.object({
      proposalId: answerId,
      title: v.string(),
      status: v.picklist(['PENDING', 'PLANNED']),
      startsAt: v.nullable(moment),
      value: v.unknown(),
      by: person,
      mine: v.boolean(),
    }),
  ),
})

export const priceHistory = staffRead({
  name: 'priceHistory',
  role: 'all',
  path: '/staff/price-history',
  summary: 'Returns the coin price at the end of each UTC day, oldest first. The last row is the current price.',
  query: v.object({ days: wholeInQuery(730, 90) }),
  reply: v.array(v.object({ day: v.string(), coinPrice: amount })),
})

export const staffCatalogue = staffRead({
  name: 'staffCatalogue',
  role: 'all',
  path: '/staff/catalogue',
  summary: 'Returns the current values that proposals can change, such as price, settings, limits, plans and NFTs, with open proposals.',
  reply: v.object({
    version: v.string(),
    coinPrice: amount,
    settings: v.required(settingsValue),
    limits: v.required(limitsValue),
    programme: v.required(programmeValue),
    commitment: v.required(commitmentValue),
    popup: v.nullable(popupValue),
    brand: brandValue,
    plans: v.array(
      v.object({
        ...stakePlan.entries,
        /** Running stakes of the plan under any terms, and their total. */
        running: extra(v.object({ stakes: v.number(), coin: amount })),
      }),
    ),
    nfts: v.array(nft),
    maxGain,
    /** Keyed by setting name, `plan ID`, `nft ID`, `programme`, `popup` or `brand`. A value without changes is absent. */
    decisions: extra(v.record(v.string(), valueDecisions)),
  }),
})

export const staffChanges = staffRead({
  name: 'staffChanges',
  role: 'all',
  personal: 'page',
  path: '/staff/changes',
  summary: 'Lists proposals, newest first. `status` and `subject` filter them. `before` is the id of the last row of the previous page.',
  query: v.object({
    ...listQueryEntries,
    status: v.optional(v.picklist(changeStatuses, 'Invalid status')),
    subject: v.optional(v.picklist(proposalSubjects, 'Invalid subject')),
    before: v.optional(id),
  }),
  reply: listOf(changeRow),
})

export const staffChange = staffRead({
  name: 'staffChange',
  role: 'all',
  personal: 'page',
  path: '/staff/changes/:id',
  summary: 'Returns a proposal: all current values, its effect when it was proposed, and its effect at current figures.',
  params: idParams,
  reply: v.object({
    ...changeRow.entries,
    /** All fields of its object just before the start, current or scheduled; null for a new object. */
    current: v.unknown(),
    /** The start of those values; absent if no proposal set them. */
    currentSince: v.nullish(moment),
    /** The effect when it was proposed. */
    effect: v.nullish(effect),
    /** The effect by today's figures; absent once it was decided. */
    effectNow: v.nullish(effect),
    /** Cover of promised rewards, and the sales fund, before and after; absent once it was decided (RW-10). */
    coverage: v.optional(v.array(effectRow)),
    /** Version for the approver to send back. */
    seen: v.string(),
    /** Reasons against approval now. */
    blocks: v.array(v.string()),
    overlaps: v.array(overlap),
    /** Staff who share a network or another trace with the account that gets a role. */
    linkedStaff: v.optional(v.array(person)),
    /** Newest simulation valid for an approval of the programme; absent if it must run again. */
    simulation: v.optional(simulation),
    /** True if the reader may approve it. */
    canDecide: v.boolean(),
    whyNot: v.optional(v.picklist(['OWN', 'ROLE', 'OUTDATED', 'DECIDED'])),
  }),
  errors: ['NOT_FOUND'],
})

export const previewChange = staffAct({
  name: 'previewChange',
  role: 'money',
  path: '/staff/changes/preview',
  summary: 'Previews the effect of a change without storing anything. `blocks` lists the reasons why it could not take effect.',
  body: v.variant('subject', proposable),
  reply: v.object({
    ...effect.entries,
    coverage: v.optional(v.array(effectRow)),
    title: v.string(),
    before: v.unknown(),
    current: v.unknown(),
    blocks: v.array(v.string()),
    /** Text of the refusal that blocks the proposal. */
    blockText: v.optional(v.string()),
    overlaps: v.array(overlap),
    maxGain: v.optional(maxGain),
  }),
  errors: ['NOT_FOUND', 'START_IN_PAST'],
})

export const proposeChange = staffAct({
  name: 'proposeChange',
  role: 'money',
  path: '/staff/changes',
  summary: 'Proposes a change. It takes effect when a second staff member approves it, or at `startsAt`.',
  body: proposal,
  reply: v.object({ id: answerId, maxGain: v.optional(maxGain), overlaps: v.optional(v.array(overlap)) }),
  errors: [
    'CONVERT_RATE_TOO_LOW',
    'NOT_FOUND',
    'PROGRAMME_NOT_COVERED',
    'START_IN_PAST',
    'SIMULATION_NEEDED',
    'PRICE_STEP',
    'API_KEYS_FULL',
    'WEBHOOKS_FULL',
  ],
})

export const approveChange = staffAct({
  name: 'approveChange',
  role: 'money',
  path: '/staff/changes/:id/approve',
  summary:
    'Approves a proposal, which takes effect now or at its start. The proposer cannot approve it. `seen` is the version that the approver saw.',
  params: idParams,
  body: v.strictObject({ reason: v.optional(reason), seen: v.optional(resultMark) }),
  reply: nothing,
  errors: [
    'NOT_FOUND',
    'ALREADY_DECIDED',
    'FOUR_EYES',
    'APPROVAL_FORGED',
    'IMPORT_CHANGED',
    'CHANGE_OUTDATED',
    'SIMULATION_NEEDED',
    'START_IN_PAST',
    'PRICE_STEP',
    'CONVERT_RATE_TOO_LOW',
    'NOT_COVERED',
    'PROGRAMME_NOT_COVERED',
    'COMMITMENT_TOO_LOW',
    'SPECIAL_MEMBERS_ONLY',
    'PURCHASE_NOT_REVERSIBLE',
    'REVERSAL_REFUSED',
    'INSUFFICIENT_BALANCE',
    'COIN_SOLD_OUT',
    'API_KEYS_FULL',
    'WEBHOOKS_FULL',
    'SALES_FUND_SHORT',
    'NO_SURPLUS',
    'PROCEEDS_SHORT',
    'INVALID_ADDRESS',
    'ACCOUNT_ERASED',
  ],
})

export const rejectChange = staffAct({
  name: 'rejectChange',
  role: 'money',
  path: '/staff/changes/:id/reject',
  summary: "Rejects a proposal, or withdraws the caller's own.",
  params: idParams,
  body: v.strictObject({ reason }),
  reply: nothing,
  errors: ['NOT_FOUND', 'ALREADY_DECIDED'],
})

export const cancelChange = staffAct({
  name: 'cancelChange',
  role: 'money',
  path: '/staff/changes/:id/cancel',
  summary:
    'Cancels an approved change before its start. One person suffices, unless the cancellation raises a limit or shortens a delay: then the first of two calls answers FOUR_EYES.',
  params: idParams,
  body: v.strictObject({ reason }),
  reply: nothing,
  errors: ['NOT_FOUND', 'ALREADY_DECIDED', 'FOUR_EYES'],
})
