import * as v from 'valibot'
import { idParams, year } from './fields.ts'
import { memberAct, memberRead } from './route.ts'
import { jobStarted, jobState } from './staff-jobs.ts'

/** A UTC month. */
export const statementMonth = v.pipe(
  v.string('This field is required'),
  v.regex(/^20\d{2}-(0[1-9]|1[0-2])$/, 'Must be a month such as 2026-01'),
)

export const startStatement = memberAct({
  name: 'startStatement',
  path: '/statements',
  summary:
    'Writes the movements of a UTC month on the seven wallets to a CSV file, or a PDF file with at most 2,000 movements, with opening and closing balances, in a background job.',
  body: v.strictObject({ month: statementMonth, format: v.optional(v.picklist(['csv', 'pdf'], 'Must be csv or pdf')) }),
  reply: jobStarted,
  errors: ['TOO_MANY_REQUESTS'],
})

export const startEarningsStatement = memberAct({
  name: 'startEarningsStatement',
  path: '/rewards/statements',
  summary:
    'Writes the rewards of a UTC year to a file in a background job: as CSV by day, with each reward for one event, or as PDF by month and kind.',
  body: v.strictObject({ year, format: v.picklist(['csv', 'pdf'], 'Must be csv or pdf') }),
  reply: jobStarted,
  errors: ['TOO_MANY_REQUESTS'],
})

export const ownJob = memberRead({
  name: 'ownJob',
  path: '/jobs/:id',
  summary: "Returns the progress of the member's background job.",
  params: idParams,
  reply: jobState,
  errors: ['NOT_FOUND'],
})

export const ownJobFile = memberRead({
  name: 'ownJobFile',
  path: '/jobs/:id/file',
  summary: 'Returns the file of a completed background job.',
  params: idParams,
  bare: true,
  reply: v.unknown(),
  errors: ['NOT_FOUND'],
})
