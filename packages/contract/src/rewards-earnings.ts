import * as v from 'valibot'
import { amount, id, moment, momentCursor, year } from './fields.ts'
import { rewardKind } from './rewards.ts'
import { memberRead } from './route.ts'
import { asset } from './wallet-keys.ts'
import { receiptRef } from './wallets.ts'

/** A UTC month. */
const month = v.pipe(v.string('This field is required'), v.regex(/^20\d{2}-(0[1-9]|1[0-2])$/, 'Must be a month such as 2026-01'))

const sum = { kind: rewardKind, asset, amount }
/** Sums by UTC month (`2026-01`) and kind, oldest month first. */
const months = v.array(v.object({ month: v.string(), ...sum }))

/** Kinds of rewards for single events. The daily runs pay the other kinds. */
export const instantKinds = ['referral', 'level', 'nft-level', 'rank'] as const

export const earnings = memberRead({
  name: 'earnings',
  path: '/rewards/earnings',
  summary:
    "Sums the member's rewards of a UTC year by month and kind, oldest month first. Daily and monthly rewards count on their day, the others when they are paid.",
  query: v.object({ year: v.optional(year) }),
  reply: v.object({
    year: v.number(),
    /** Year of the registration: no earlier year has rewards. */
    firstYear: v.number(),
    months,
    /** Earned and not yet funded, now. */
    owed: v.array(v.object({ asset, amount })),
  }),
})

export const earningRows = memberRead({
  name: 'earningRows',
  path: '/rewards/earnings/rows',
  summary: 'Lists the referral, level or rank rewards that were paid in a UTC month, newest first, in pages with a cursor.',
  query: v.object({
    month,
    kind: v.picklist(instantKinds, 'Unknown kind'),
    before: v.optional(momentCursor),
  }),
  reply: v.object({
    rows: v.array(
      v.object({
        id,
        receipt: receiptRef,
        paidAt: moment,
        asset,
        amount,
        /** Email address of the member who caused it; null for a rank. */
        from: v.nullable(v.string()),
      }),
    ),
    next: v.optional(v.string()),
  }),
})

/** Maximum size of a team that is listed by level. Of a larger team only the direct referrals are listed. */
export const EARNING_TEAM = 5000

export const earningPeople = memberRead({
  name: 'earningPeople',
  path: '/rewards/earnings/people',
  summary: `Lists the people of the member's five levels with the rewards from each in a UTC month, nearest level first, in pages with a cursor. Of a team above ${EARNING_TEAM.toLocaleString('en-US')} people it lists the direct referrals. Amounts are null for a person with more than 2,000 rewards in the month.`,
  query: v.object({ month, after: v.optional(v.pipe(v.string(), v.regex(/^[1-5]-\d{1,18}$/, 'Not a row'))) }),
  reply: v.object({
    rows: v.array(
      v.object({
        id: v.string(),
        name: v.string(),
        email: v.string(),
        level: v.number(),
        sums: v.nullable(v.array(v.object({ asset, amount }))),
      }),
    ),
    next: v.optional(v.string()),
    /** True if only direct referrals are listed. */
    direct: v.boolean(),
  }),
})

export const promisedRewards = memberRead({
  name: 'promisedRewards',
  path: '/rewards/promised',
  summary:
    "Sums the rewards promised to the member by UTC month and kind: the remaining payments of the member's stakes and NFTs, and pending rewards. The first month includes overdue payments. `later` is the sum after the twelve months.",
  reply: v.object({ months, later: v.array(v.object(sum)) }),
})
