import * as v from 'valibot'
import { amount, answerId, extra, id, line, moment, wholeInQuery } from './fields.ts'
import { REASON_MAX_LENGTH } from './limits.ts'
import { listOf, listQueryEntries } from './paging.ts'
import { type StaffRole, staffRoles } from './role-groups.ts'
import { staffRead } from './route.ts'
import { isPlain } from './text.ts'
import { asset } from './wallet-keys.ts'

export { type StaffRole, staffRoles }

/** Reason of a staff action. Every decision carries one for the audit log. */
export const reason = line(REASON_MAX_LENGTH)

/** A filter value, such as a status. */
export const filter = v.optional(
  v.pipe(v.string(), v.trim(), v.maxLength(100, 'Maximum length is 100'), v.check(isPlain, 'Invalid characters')),
)

export const person = v.object({ id: answerId, name: v.string(), email: v.string() })

/** Response of an action with a possible second approval: the pending proposal; absent if done at once. */
export const filed = v.nullish(v.object({ proposalId: v.optional(id) }))

export const staffMe = staffRead({
  name: 'staffMe',
  role: 'all',
  path: '/staff/me',
  summary: 'Returns the signed-in staff member, the rights of the role, and the end of the session.',
  reply: v.object({
    person,
    role: v.picklist(staffRoles),
    /** Rights of the role: names of calls, and `change.` with subjects. */
    rights: v.array(v.string()),
    /** Roles with each right, so that a disabled control can name them. */
    whoCan: v.optional(v.record(v.string(), v.array(v.picklist(staffRoles)))),
    /** Seconds without a call before the session expires. */
    idleSeconds: v.number(),
    /** Latest end of the session. */
    endsAt: moment,
  }),
})

const work = v.object({ count: v.number(), forMe: v.number(), oldestAt: v.nullable(moment), targetHours: v.number() })

export const staffOverview = staffRead({
  name: 'staffOverview',
  role: 'all',
  keyReads: 'figures',
  path: '/staff/overview',
  summary: 'Returns the open requests, and liabilities against reserves by UTC day, oldest first.',
  query: v.object({ days: wholeInQuery(730, 90) }),
  reply: v.object({
    waiting: v.object({
      withdrawals: v.number(),
      bridges: v.number(),
      deposits: v.number(),
      changes: v.number(),
      tickets: v.number(),
    }),
    /** The reader's pending work: total, decidable, oldest, and target hours. */
    work: v.optional(v.object({ payouts: work, deposits: work, changes: work, tickets: work })),
    /** Jobs of the worker: the start and number of consecutive failures, and the last success. */
    jobs: v.optional(
      v.array(
        v.object({
          name: v.string(),
          lastDoneAt: v.nullable(moment),
          error: v.nullable(v.string()),
          failingSince: v.optional(v.nullable(moment)),
          failures: v.optional(v.number()),
        }),
      ),
    ),
    /** Time at which the figures were read. */
    at: v.optional(moment),
    /** Coverage in percent: pool and commitment against liabilities and debts; null if there are none. */
    rewardPool: v.array(
      v.object({
        asset,
        balance: amount,
        owed: amount,
        promised: v.optional(amount),
        committed: v.optional(amount),
        coverage: v.optional(v.nullable(amount)),
        /** UTC day until which the pool alone pays; null if it pays all liabilities. */
        poolDepletionDate: v.optional(v.nullable(v.string())),
        /** Cumulative liabilities by month, for the chart. */
        forecast: v.optional(v.array(v.object({ month: v.string(), amount }))),
      }),
    ),
    /** Members' deposits and the platform's payouts by UTC day, oldest first. */
    flows: v.optional(v.array(v.object({ day: v.string(), asset, in: amount, out: amount }))),
    /** Last ledger balance check, and its result. */
    ledger: v.optional(v.nullable(v.object({ at: moment, ok: v.boolean(), transfers: v.number(), differences: v.number() }))),
    /** Emergency pause of payouts, credits and reward runs. */
    paused: v.optional(v.object({ since: moment, why: v.string() })),
    /** Balance sheet in USD at the end of each UTC day, oldest first. */
    balanceSheet: v.array(v.object({ day: v.string(), asset, liabilities: amount, reserves: amount })),
  }),
})

export const staffAudit = staffRead({
  name: 'staffAudit',
  role: 'records',
  personal: 'page',
  path: '/staff/audit',
  summary:
    'Lists the audit log, newest first. `q` matches an actor, an action or a subject. `before` is the id of the last row of the previous page. One call searches 50,000 rows, and says with `searchedTo` how far it came.',
  query: v.object({
    ...listQueryEntries,
    q: filter,
    who: v.optional(v.picklist(['staff', 'member', 'system'], 'Invalid filter')),
    kind: v.optional(v.picklist(['decision', 'view', 'refused'], 'Invalid filter')),
    before: v.optional(v.pipe(v.string(), v.regex(/^\d{1,18}$/, 'Not a row'))),
  }),
  reply: v.object({
    ...listOf(
      v.object({
        id: answerId,
        createdAt: moment,
        /** Email, or the role of an actor without one. */
        actor: v.string(),
        name: extra(v.nullable(v.string())),
        role: extra(v.string()),
        /** `ok`, or the error code. */
        outcome: extra(v.string()),
        ip: extra(v.nullable(v.string())),
        requestId: extra(v.nullable(v.string())),
        hash: extra(v.string()),
        previousHash: extra(v.string()),
        action: v.string(),
        /** The action in words. */
        text: extra(v.string()),
        subject: v.string(),
        /** Name of the subject: a member or a page by name, a payout by amount and member. */
        about: extra(v.string()),
        reason: v.nullish(v.string()),
        /** Values before and after, as far as the reader may see them. */
        details: extra(v.unknown()),
      }),
    ).entries,
    /** Row down to which the log was searched, if the page is not full and older rows are left. Continue with `before` its id. */
    searchedTo: extra(v.object({ id: answerId, at: moment })),
  }),
})
