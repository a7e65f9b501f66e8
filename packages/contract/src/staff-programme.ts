import * as v from 'valibot'
import { amount, answerId, moment } from './fields.ts'
import { staffAct } from './route.ts'
import { person } from './staff.ts'
import { maxGain, startsAt } from './staff-proposal-fields.ts'
import { jobStarted } from './staff-jobs.ts'
import { programmeValue } from './staff-values.ts'
import { asset } from './wallet-keys.ts'

/** Simulates a draft programme over past days, as required before a proposal. */

/** Whole days in a simulation. */
export const SIMULATED_DAYS = 30
/** Hours for which a result supports a proposal or its approval. */
export const SIMULATION_HOURS = 24

/** Version of a result, 16 hexadecimal digits. */
export const resultMark = v.pipe(v.string(), v.regex(/^[0-9a-f]{16}$/, 'Not a mark'))

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

/** Coverage of promised rewards. `coverage` is in percent of liabilities and debts; null if there are none. */
const coverageFigures = v.object({
  pool: amount,
  promised: amount,
  owed: amount,
  committed: amount,
  coverage: v.nullable(amount),
  /** UTC day on which the pool alone is depleted; null if it lasts. */
  poolDepletionDate: v.nullable(v.string()),
})

/** Result of a draft: `before` is the actual amount paid, pending or due. */
export const simulationResult = v.object({
  /** First and last UTC day. */
  from: v.string(),
  to: v.string(),
  /** Hash of the draft, the days, the maximum group gain and the figures. */
  hash: resultMark,
  totals: v.array(v.object({ kind: v.picklist(rewardKinds), asset, before: amount, after: amount })),
  /** Coverage now and under the draft. */
  coverage: v.array(v.object({ asset, before: coverageFigures, after: coverageFigures })),
  /** Maximum group gain [RW-14]. */
  maxGain: v.object({ before: maxGain, after: maxGain }),
  /** Members with higher, lower and equal rewards. */
  more: v.number(),
  less: v.number(),
  same: v.number(),
  /** Members by change, in steps of 5 percent; each step starts at its figure. */
  buckets: v.array(v.object({ fromPercent: v.number(), members: v.number() })),
  /** The largest changes, by asset. */
  top: v.array(v.object({ member: person, asset, before: amount, after: amount })),
})

/** A fresh result that allows a proposal. */
export const simulation = v.object({ jobId: answerId, hash: resultMark, at: moment, by: person })

export const simulateProgramme = staffAct({
  name: 'simulateProgramme',
  role: 'money',
  path: '/staff/programme/simulate',
  summary:
    'Simulates a draft programme over the last 30 paid and closed days, in a background job: results by member and kind, nothing is stored. Omitted fields have their current value, or the value planned for `startsAt`.',
  body: v.strictObject({ rules: programmeValue, startsAt, days: v.optional(v.literal(SIMULATED_DAYS), SIMULATED_DAYS) }),
  reply: jobStarted,
  errors: ['START_IN_PAST', 'TOO_MANY_REQUESTS'],
})
