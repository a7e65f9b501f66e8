import * as v from 'valibot'
import { amount, answerId, extra, id, idParams, moment, wholeInQuery } from './fields.ts'
import { listOf, listQueryEntries } from './paging.ts'
import { nothing, staffAct, staffRead } from './route.ts'
import { nft } from './nfts.ts'
import { person, reason } from './staff.ts'
import { bound, startsAt } from './staff-bounds.ts'
import { simulation, resultMark } from './staff-programme.ts'
import { stakePlan } from './staking.ts'
import { coverValue, limitsValue, nftValue, planValue, popupValue, priceValue, programmeValue, settingsValue } from './staff-values.ts'

/**
 * Changes of what the house promises: one person proposes, another approves (four eyes). What is proposed holds from the
 * approval on, or from its start; what was bought before keeps its own figures.
 */

/** What a change says; `reason` and the rest apart. */
const wanted = [
  v.strictObject({ subject: v.literal('price'), value: priceValue, startsAt }),
  v.strictObject({ subject: v.literal('settings'), value: settingsValue, startsAt }),
  v.strictObject({ subject: v.literal('plan'), value: planValue, startsAt }),
  v.strictObject({ subject: v.literal('nft'), value: nftValue, startsAt }),
  v.strictObject({ subject: v.literal('popup'), value: popupValue, startsAt }),
  v.strictObject({ subject: v.literal('limits'), value: limitsValue, startsAt }),
  v.strictObject({ subject: v.literal('programme'), value: programmeValue, startsAt }),
  v.strictObject({ subject: v.literal('cover'), value: coverValue }),
] as const

export const proposal = v.variant('subject', [
  v.strictObject({ ...wanted[0].entries, reason }),
  v.strictObject({ ...wanted[1].entries, reason }),
  v.strictObject({ ...wanted[2].entries, reason }),
  v.strictObject({ ...wanted[3].entries, reason }),
  v.strictObject({ ...wanted[4].entries, reason }),
  v.strictObject({ ...wanted[5].entries, reason }),
  // A programme is proposed on the strength of a simulation that its maker has seen.
  v.strictObject({ ...wanted[6].entries, reason, simulation: v.optional(resultMark) }),
  v.strictObject({ ...wanted[7].entries, reason }),
])
export type Proposal = v.InferOutput<typeof proposal>

/**
 * What a change can be about: a proposal, or an act that its own call filed: coin or a standing for a member (`credit`, `special`,
 * `rank`), money for the pool (`fund`), the undoing of a purchase (`undo`), rewards that are taken back (`cancel-rewards`), a transfer
 * that is (`reversal`) or a role of staff (`staff`).
 */
export const changeSubjects = [
  'price',
  'settings',
  'plan',
  'nft',
  'popup',
  'limits',
  'programme',
  'cover',
  'credit',
  'fund',
  'staff',
  'undo',
  'cancel-rewards',
  'second-factor',
  'sessions',
  'status',
  'lift-stop',
  'chain-answer',
  'reversal',
  'special',
  'rank',
] as const
export type ChangeSubject = (typeof changeSubjects)[number]

/** How far a change is. A planned one is in force from its start on; an outdated one rested on something that no longer holds. */
export const changeStatuses = ['PENDING', 'PLANNED', 'IN_FORCE', 'REFUSED', 'CANCELLED', 'OUTDATED'] as const

/** One thing that a change does, by the server's figures: what it was before, and what it is after. */
export const effectRow = v.object({
  label: v.string(),
  before: v.optional(v.string()),
  after: v.string(),
  unit: v.optional(v.string()),
  /** Whether the house is better off by it; left out where it is neither. */
  good: v.optional(v.boolean()),
})
/** What a change does by the figures of a moment. `hash` names it; it is another one when a figure is. */
const effect = v.object({ rows: v.array(effectRow), restsOn: v.string(), hash: v.string(), at: moment })

/** A proposed change; `before` and `value` are JSON as they stood, amounts as plain decimals. */
export const changeRow = v.object({
  id: answerId,
  subject: v.picklist(changeSubjects),
  /** What it does in a few words, such as `Gold 365: 11 → 9.5 %`. */
  title: v.string(),
  value: v.unknown(),
  before: v.unknown(),
  reason: v.string(),
  status: v.picklist(changeStatuses),
  proposedBy: person,
  /** Whether the reader proposed it and so cannot approve it. */
  mine: v.boolean(),
  /** Whether it names the reader's own account, so that somebody else decides. */
  aboutYou: v.optional(v.boolean()),
  decidedBy: v.nullish(person),
  decisionReason: v.nullish(v.string()),
  createdAt: moment,
  decidedAt: v.nullish(moment),
  /** When it begins, or began; absent: on approval. */
  startsAt: v.nullish(moment),
  /** Who took it back before its start, or why it fell. */
  endedBy: v.nullish(person),
  endedAt: v.nullish(moment),
  endReason: v.nullish(v.string()),
})

/** Another change that stands on the same value. */
const rival = v.object({ id: answerId, title: v.string(), status: v.picklist(changeStatuses), by: person, startsAt: v.nullish(moment) })

/** Since when a value is as it is, who made it so, and what is proposed or planned for it. */
const standing = v.object({
  since: v.nullable(moment),
  by: v.array(person),
  pending: v.array(
    v.object({
      changeId: answerId,
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
  path: '/staff/price-history',
  summary: 'The price of the coin at the end of each UTC day, oldest first; the last one is the price now.',
  query: v.object({ days: wholeInQuery(730, 90) }),
  reply: v.array(v.object({ day: v.string(), coinPrice: amount })),
})

export const staffCatalogue = staffRead({
  name: 'staffCatalogue',
  path: '/staff/catalogue',
  summary: 'Everything that can be changed as it holds now: price, settings, limits, programme, its cover, announcement, plans, NFTs.',
  reply: v.object({
    version: v.string(),
    coinPrice: amount,
    settings: v.required(settingsValue),
    limits: v.required(limitsValue),
    programme: v.required(programmeValue),
    cover: v.required(coverValue),
    popup: v.nullable(popupValue),
    plans: v.array(
      v.object({
        ...stakePlan.entries,
        /** Stakes of it that run, whatever they were sold with, and what they hold together. */
        running: extra(v.object({ stakes: v.number(), coin: amount })),
      }),
    ),
    nfts: v.array(nft),
    bound,
    /** By the name of a setting, by `plan ID`, `nft ID`, `programme` and `popup`; what was never changed is absent. */
    standing: extra(v.record(v.string(), standing)),
  }),
})

export const staffChanges = staffRead({
  name: 'staffChanges',
  path: '/staff/changes',
  summary: 'Proposed changes, newest first; `status` and `subject` narrow it, `before` pages back from a change by its id.',
  query: v.object({
    ...listQueryEntries,
    status: v.optional(v.picklist(changeStatuses, 'Invalid status')),
    subject: v.optional(v.picklist(changeSubjects, 'Invalid subject')),
    before: v.optional(id),
  }),
  reply: listOf(changeRow),
})

export const staffChange = staffRead({
  name: 'staffChange',
  path: '/staff/changes/:id',
  summary: 'A change in full: all fields as they hold, what it was to do when it was proposed, and what it does by the figures of now.',
  params: idParams,
  reply: v.object({
    ...changeRow.entries,
    /** All fields of what it changes as they are, or are planned to be, just before it; null for something new. */
    holds: v.unknown(),
    /** Since when that holds; absent where nobody ever changed it. */
    holdsSince: v.nullish(moment),
    /** What it was to do when it was proposed. */
    effect: v.nullish(effect),
    /** What it does by the figures of now; absent once it was decided. */
    effectNow: v.nullish(effect),
    /** What whoever approves sends back. */
    seen: v.string(),
    /** Why it could not be put in force as things stand. */
    blocks: v.array(v.string()),
    rivals: v.array(rival),
    /** Of the programme: the newest simulation of its draft that may stand behind an approval; absent when it has to be run again. */
    simulation: v.optional(simulation),
    /** Whether the reader may approve it. */
    canDecide: v.boolean(),
    whyNot: v.optional(v.picklist(['OWN', 'ROLE', 'OUTDATED', 'DECIDED'])),
  }),
  errors: ['NOT_FOUND'],
})

export const previewChange = staffAct({
  name: 'previewChange',
  path: '/staff/changes/preview',
  summary: 'What a change would do, by the server, without a trace; `blocks` says why it could not be put in force.',
  body: v.variant('subject', wanted),
  reply: v.object({
    ...effect.entries,
    title: v.string(),
    before: v.unknown(),
    holds: v.unknown(),
    blocks: v.array(v.string()),
    rivals: v.array(rival),
    bound: v.optional(bound),
  }),
  errors: ['NOT_FOUND', 'START_IN_PAST'],
})

export const proposeChange = staffAct({
  name: 'proposeChange',
  path: '/staff/changes',
  summary: 'Proposes a change for another member of staff to approve, in force on approval or from `startsAt` on.',
  body: proposal,
  reply: v.object({ id: answerId, bound: v.optional(bound), rivals: v.optional(v.array(rival)) }),
  errors: ['CONVERT_RATE_TOO_LOW', 'NOT_FOUND', 'NOT_COVERED', 'START_IN_PAST', 'SIMULATION_NEEDED', 'PRICE_STEP'],
})

export const approveChange = staffAct({
  name: 'approveChange',
  path: '/staff/changes/:id/approve',
  summary:
    'Puts a proposed change in force, or plans it for its start; never by the one who proposed it. `seen` is the mark of what was shown.',
  params: idParams,
  body: v.strictObject({ reason: v.optional(reason), seen: v.optional(resultMark) }),
  reply: nothing,
  errors: [
    'NOT_FOUND',
    'ALREADY_DECIDED',
    'FOUR_EYES',
    'APPROVAL_FORGED',
    'CHANGE_OUTDATED',
    'SIMULATION_NEEDED',
    'START_IN_PAST',
    'PRICE_STEP',
    'CONVERT_RATE_TOO_LOW',
    'NOT_COVERED',
    'SPECIAL_MEMBERS_ONLY',
    'UNDO_REFUSED',
    'REVERSAL_REFUSED',
    'INSUFFICIENT_BALANCE',
    'COIN_SOLD_OUT',
  ],
})

export const refuseChange = staffAct({
  name: 'refuseChange',
  path: '/staff/changes/:id/refuse',
  summary: 'Refuses a proposed change, or takes back an own one.',
  params: idParams,
  body: v.strictObject({ reason }),
  reply: nothing,
  errors: ['NOT_FOUND', 'ALREADY_DECIDED'],
})

export const cancelChange = staffAct({
  name: 'cancelChange',
  path: '/staff/changes/:id/cancel',
  summary:
    'Cancels a planned change before its start. One person suffices, except where the change lowers a limit or lengthens a wait: the first of two is refused with FOUR_EYES.',
  params: idParams,
  body: v.strictObject({ reason }),
  reply: nothing,
  errors: ['NOT_FOUND', 'ALREADY_DECIDED', 'FOUR_EYES'],
})
