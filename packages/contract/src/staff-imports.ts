import * as v from 'valibot'
import { amount, moment } from './fields.ts'
import { nothing, staffAct, staffRead } from './route.ts'
import { reason } from './staff.ts'

/** Imports of members from another platform (docs/import.md). Two admins approve each by the hash of its files. */

/** Steps of an import, in this order. */
export const importStages = ['verify', 'members', 'balances', 'stakes', 'nfts', 'compare'] as const

/** Limits of the ceiling of mails per hour. A batch goes out each minute. */
export const MIN_MAILS_PER_HOUR = 60
export const MAX_MAILS_PER_HOUR = 60_000

const hash = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/, 'Not found'))
const params = v.object({ hash })

export const staffImports = staffRead({
  name: 'staffImports',
  role: 'admin',
  path: '/staff/imports',
  summary: 'Lists the last 10 imports of members from another platform, newest first, with progress, sums and mails.',
  reply: v.object({
    /** Reserves minus liabilities now, in USD: what is not covered is negative. */
    free: amount,
    imports: v.array(
      v.object({
        hash: v.string(),
        status: v.picklist(['STAGED', 'APPROVED', 'DONE', 'REFUSED']),
        stagedAt: moment,
        approvedAt: v.nullable(moment),
        endedAt: v.nullable(moment),
        members: v.number(),
        /** Amounts owed to the members. */
        usd: amount,
        coin: amount,
        refusal: v.nullable(v.string()),
        /** Members whose address an account of this platform has. They are added without it. */
        withoutAddress: v.number(),
        /** Progress of an approved import; absent otherwise. `done` and `total` are rows. */
        progress: v.optional(
          v.object({
            stage: v.picklist(importStages),
            done: v.number(),
            total: v.number(),
            /** False while no worker applies it, such as after an error or during an emergency pause. */
            isRunning: v.boolean(),
            /** Starts, and the error of the last run. */
            attempts: v.number(),
            error: v.nullable(v.string()),
          }),
        ),
        /** Control sums of the old platform as in `totals.json`, beside those of the added rows; null before the import. */
        totals: v.array(v.object({ key: v.string(), expected: v.string(), imported: v.nullable(v.string()) })),
        /** What the import raised the operator's commitment by; null before the import. */
        raised: v.nullable(v.object({ coin: amount, usd: amount })),
        hasReport: v.boolean(),
        /** Mails to the imported members; null before the import. */
        mails: v.nullable(v.object({ waiting: v.number(), sent: v.number(), perHour: v.nullable(v.number()) })),
      }),
    ),
  }),
})

export const staffImportReport = staffRead({
  name: 'staffImportReport',
  role: 'admin',
  path: '/staff/imports/:hash/report',
  summary: 'Returns the signed report of an applied import as CSV text. `verify-export` checks its signature.',
  params,
  reply: v.object({ report: v.string() }),
  errors: ['NOT_FOUND'],
})

export const sendImportMails = staffAct({
  name: 'sendImportMails',
  role: 'admin',
  path: '/staff/imports/:hash/mails',
  summary: 'Starts the mails to the members of an applied import, with a ceiling per hour; 0 stops them. Each member gets one mail.',
  params,
  body: v.strictObject({
    perHour: v.union(
      [v.literal(0), v.pipe(v.number(), v.integer(), v.minValue(MIN_MAILS_PER_HOUR), v.maxValue(MAX_MAILS_PER_HOUR))],
      `Must be 0, or ${MIN_MAILS_PER_HOUR} to ${MAX_MAILS_PER_HOUR} mails per hour`,
    ),
    reason,
  }),
  reply: nothing,
  errors: ['NOT_FOUND'],
})
