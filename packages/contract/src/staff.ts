import * as v from 'valibot'
import { amount, answerId, extra, id, line, moment, wholeInQuery } from './fields.ts'
import { REASON_MAX_LENGTH } from './limits.ts'
import { listOf, listQueryEntries } from './paging.ts'
import { type StaffRole, staffRoles } from './role-groups.ts'
import { staffRead } from './route.ts'
import { isPlain } from './text.ts'
import { asset } from './wallet-keys.ts'

export { type StaffRole, staffRoles }

/** Why a member of staff did something; every decision carries one and it stands in the audit trail. */
export const reason = line(REASON_MAX_LENGTH)

/** A word of a filter, such as a status. */
export const filter = v.optional(
  v.pipe(v.string(), v.trim(), v.maxLength(100, 'Maximum length is 100'), v.check(isPlain, 'Invalid characters')),
)

export const person = v.object({ id: answerId, name: v.string(), email: v.string() })

/** What an act answers that may need a second person: the change that waits; absent when it was done at once. */
export const filed = v.nullish(v.object({ changeId: v.optional(id) }))

export const staffMe = staffRead({
  name: 'staffMe',
  role: 'all',
  path: '/staff/me',
  summary: 'Who is signed in, what the role may do, and how long the session lasts.',
  reply: v.object({
    person,
    role: v.picklist(staffRoles),
    /** Names of calls, and `change.` with the subjects of changes that the role may propose and decide. */
    rights: v.array(v.string()),
    /** Which roles have each of them: a control that the reader may not press says who may. */
    whoCan: v.optional(v.record(v.string(), v.array(v.picklist(staffRoles)))),
    /** After so long without a call the session ends. */
    idleSeconds: v.number(),
    /** When it ends in any case. */
    endsAt: moment,
  }),
})

const work = v.object({ count: v.number(), forMe: v.number(), oldestAt: v.nullable(moment), targetHours: v.number() })

export const staffOverview = staffRead({
  name: 'staffOverview',
  role: 'all',
  path: '/staff/overview',
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
    /** The same for the reader: how many in all and to decide, the oldest of them, and the hours in which it should be done. */
    work: v.optional(v.object({ payouts: work, deposits: work, changes: work, tickets: work })),
    /** The jobs of the worker: since when one fails, and when it was last done. */
    jobs: v.optional(
      v.array(
        v.object({
          name: v.string(),
          lastDoneAt: v.nullable(moment),
          error: v.nullable(v.string()),
          failingSince: v.optional(v.nullable(moment)),
          tries: v.optional(v.number()),
        }),
      ),
    ),
    /** When these figures were read. */
    at: v.optional(moment),
    /** Coverage in percent: the pool with what the operator committed against what is promised and owed; null when nothing is. */
    rewardPool: v.array(
      v.object({
        asset,
        balance: amount,
        owed: amount,
        promised: v.optional(amount),
        committed: v.optional(amount),
        coverage: v.optional(v.nullable(amount)),
        /** UTC day up to which the pool alone pays; null when it pays all that is promised. */
        aloneUntil: v.optional(v.nullable(v.string())),
        /** What is promised by month, as it adds up: for the picture. */
        forecast: v.optional(v.array(v.object({ month: v.string(), amount }))),
      }),
    ),
    /** What members paid in and what left the house, by UTC day, oldest first. */
    money: v.optional(v.array(v.object({ day: v.string(), asset, in: amount, out: amount }))),
    /** When the whole ledger was last added up, and what came of it. */
    ledger: v.optional(v.nullable(v.object({ at: moment, ok: v.boolean(), transfers: v.number(), differences: v.number() }))),
    /** What pays, credits and runs is stopped. */
    stopped: v.optional(v.object({ since: moment, why: v.string() })),
    reserves: v.array(v.object({ day: v.string(), asset, liabilities: amount, reserves: amount })),
  }),
})

export const staffAudit = staffRead({
  name: 'staffAudit',
  role: 'records',
  path: '/staff/audit',
  summary: 'Who did what, when and why, newest first; `q` finds an actor, an action or a subject; `before` pages back from a row.',
  query: v.object({
    ...listQueryEntries,
    q: filter,
    who: v.optional(v.picklist(['staff', 'member', 'system'], 'Invalid filter')),
    kind: v.optional(v.picklist(['decision', 'view', 'refused'], 'Invalid filter')),
    before: v.optional(v.pipe(v.string(), v.regex(/^\d{1,18}$/, 'Not a row'))),
  }),
  reply: listOf(
    v.object({
      id: answerId,
      createdAt: moment,
      /** The mail address, or the role of one who has none. */
      actor: v.string(),
      name: extra(v.nullable(v.string())),
      role: extra(v.string()),
      /** `ok`, or the code of the refusal. */
      outcome: extra(v.string()),
      ip: extra(v.nullable(v.string())),
      requestId: extra(v.nullable(v.string())),
      hash: extra(v.string()),
      previousHash: extra(v.string()),
      action: v.string(),
      subject: v.string(),
      /** What it is called: a member by name, a payout by amount and member. */
      about: extra(v.string()),
      reason: v.nullish(v.string()),
      /** What changed, before and after, as far as it may be shown. */
      details: extra(v.unknown()),
    }),
  ),
})
