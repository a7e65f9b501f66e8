import * as v from 'valibot'
import { answerId, id, moment } from './fields.ts'
import { listQueryEntries } from './paging.ts'
import { staffAct, staffRead } from './route.ts'
import { filter } from './staff.ts'
import { businessPeriods } from './staff-business.ts'
import { jobStarted } from './staff-jobs.ts'
import { memberStates } from './staff-members.ts'
import { segmentEntries } from './staff-segments.ts'

/** A row that breaks the chain of the audit log. */
const brokenRow = v.object({
  row: answerId,
  /** The fault: a changed row, a deleted row, or a different saved head. */
  what: v.picklist(['CHANGED', 'CUT', 'FORGED', 'UNSIGNED']),
})

export const staffAuditChain = staffRead({
  name: 'staffAuditChain',
  role: 'records',
  keyReads: 'state',
  path: '/staff/audit/chain',
  summary: "Returns the result of the last full check of the audit log's chain, its newest row, and the head stored outside the database.",
  reply: v.object({
    rows: v.number(),
    since: v.optional(moment),
    head: v.optional(v.object({ row: answerId, hash: v.string(), at: moment })),
    checkedAt: v.optional(moment),
    tookMs: v.optional(v.number()),
    ok: v.optional(v.boolean()),
    firstBad: v.optional(brokenRow),
    /** Newest head saved outside the database, with the result of the last check. */
    anchor: v.optional(v.object({ row: answerId, hash: v.string(), at: moment, matches: v.optional(v.boolean()) })),
  }),
})

export const checkAuditChain = staffAct({
  name: 'checkAuditChain',
  role: 'records',
  path: '/staff/audit/check',
  summary: 'Checks every row of the audit log against its chain and the stored heads, in a background job.',
  reply: jobStarted,
  errors: ['TOO_MANY_REQUESTS'],
})

/** Lists available as a file. */
export const exportLists = ['audit', 'members', 'entries', 'timeline', 'money', 'runs', 'business', 'teams'] as const

export const startExport = staffAct({
  name: 'startExport',
  role: 'records',
  personal: 'reveal',
  path: '/staff/exports',
  summary:
    'Exports a list to a CSV file in a background job: audit log, members, entries of a ledger account, timeline of a member, money by day, reward runs, business figures by day, or the largest teams of a period.',
  body: v.strictObject({
    list: v.picklist(exportLists, 'Invalid list'),
    filter: v.optional(
      v.strictObject({
        q: filter,
        from: listQueryEntries.from,
        to: listQueryEntries.to,
        who: v.optional(v.picklist(['staff', 'member', 'system'])),
        kind: v.optional(v.pipe(v.string(), v.regex(/^[A-Za-z]{1,40}$/, 'Not a kind'))),
        /** Number of the ledger account to export. */
        account: v.optional(v.pipe(v.string(), v.regex(/^-?[1-9]\d{0,18}$/, 'Not an account'))),
        /** Period and level of the teams to export. */
        period: v.optional(v.picklist(businessPeriods, 'Invalid period')),
        level: v.optional(v.picklist(['0', '1'], 'Invalid level')),
        /** Member whose timeline to export. */
        member: v.optional(id),
        /** State and segment of the members to export. */
        state: v.optional(v.picklist(memberStates, 'Invalid state')),
        ...segmentEntries,
      }),
      {},
    ),
  }),
  reply: jobStarted,
  errors: ['NOT_FOUND', 'TOO_MANY_REQUESTS'],
})
