import * as v from 'valibot'
import { listQueryEntries } from './paging.ts'
import { staffAct, staffRead } from './route.ts'
import { jobStarted } from './staff-jobs.ts'

/** Formats of the accounting export. */
export const accountingFormats = ['csv', 'hledger', 'beancount'] as const
export type AccountingFormat = (typeof accountingFormats)[number]

const month = v.pipe(v.string(), v.regex(/^20\d\d-(?:0[1-9]|1[0-2])$/, 'Not a month'))

export const staffAccounting = staffRead({
  name: 'staffAccounting',
  role: 'records',
  keyReads: 'figures',
  path: '/staff/accounting',
  summary: 'Lists the closed months that can be exported for accounting, newest first. `before` is the last month of the previous page.',
  query: v.object({ limit: listQueryEntries.limit, before: v.optional(month) }),
  /** The id of a row is its month, `YYYY-MM`. */
  reply: v.object({ data: v.array(v.object({ id: v.string(), transfers: v.number(), hash: v.string() })) }),
})

export const startAccountingExport = staffAct({
  name: 'startAccountingExport',
  role: 'records',
  path: '/staff/accounting/exports',
  summary:
    "Exports the journal of a closed month with the operator's chart of accounts, in a background job. Without `month`, exports the file that declares the accounts.",
  body: v.strictObject({ month: v.optional(month), format: v.picklist(accountingFormats, 'Invalid format') }),
  reply: jobStarted,
  errors: ['NOT_FOUND', 'TOO_MANY_REQUESTS'],
})
