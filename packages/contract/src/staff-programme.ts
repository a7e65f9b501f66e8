import * as v from 'valibot'
import { amount, answerId, moment } from './fields.ts'
import { staffAct } from './route.ts'
import { person } from './staff.ts'
import { bound, startsAt } from './staff-bounds.ts'
import { jobStarted } from './staff-jobs.ts'
import { programmeValue } from './staff-values.ts'
import { asset } from './wallet-keys.ts'

/** A draft of the programme is run over days that are over, before it may be proposed. */

/** Whole days that a draft is run over. */
export const SIMULATED_DAYS = 30
/** A result may stand behind a proposal, or its approval, for so many hours. */
export const SIMULATION_HOURS = 24

/** A mark of what somebody has seen, 16 hexadecimal digits. */
export const resultMark = v.pipe(v.string(), v.regex(/^[0-9a-f]{16}$/, 'Not a mark'))

/** Kinds of reward. */
export const rewardKinds = [
  'daily',
  'level',
  'profit-bounty',
  'referral',
  'stake-log',
  'stake-log-bounty',
  'rank',
  'nft-monthly',
  'nft-level',
  'nft-profit-bounty',
] as const

/** What stands against promised rewards; `coverage` in percent of what is promised and owed, null where nothing is. */
const cover = v.object({
  pool: amount,
  promised: amount,
  owed: amount,
  committed: amount,
  coverage: v.nullable(amount),
  /** The UTC day on which the pool alone would be used up; null when it lasts. */
  aloneUntil: v.nullable(v.string()),
})

/** What a draft would have come to: `before` is what really was paid, is held or due. */
export const simulationResult = v.object({
  /** UTC days, the first and the last one. */
  from: v.string(),
  to: v.string(),
  /** Stands for the draft, the days, what a group could take out, and the figures. */
  hash: resultMark,
  totals: v.array(v.object({ kind: v.picklist(rewardKinds), asset, before: amount, after: amount })),
  /** How the house would stand now. */
  cover: v.array(v.object({ asset, before: cover, after: cover })),
  /** What a group of members could take out (RW-14). */
  bound: v.object({ before: bound, after: bound }),
  /** Members who would have got more, less and the same. */
  more: v.number(),
  less: v.number(),
  same: v.number(),
  /** Members by how much more or less they would have got, in steps of 5 percent from the figure on. */
  buckets: v.array(v.object({ fromPercent: v.number(), members: v.number() })),
  /** The largest changes, by asset. */
  top: v.array(v.object({ member: person, asset, before: amount, after: amount })),
})

/** A result that a proposal may stand on. */
export const simulation = v.object({ jobId: answerId, hash: resultMark, at: moment, by: person })

export const simulateProgramme = staffAct({
  name: 'simulateProgramme',
  role: 'money',
  path: '/staff/programme/simulate',
  summary:
    'Runs a draft of the programme over the last 30 days that are paid and closed, as long work: by member and kind, without a trace. What the draft leaves out is as it holds, or is planned to hold at `startsAt`.',
  body: v.strictObject({ rules: programmeValue, startsAt, days: v.optional(v.literal(SIMULATED_DAYS), SIMULATED_DAYS) }),
  reply: jobStarted,
  errors: ['START_IN_PAST', 'TOO_MANY_REQUESTS'],
})
