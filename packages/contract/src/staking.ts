import * as v from 'valibot'
import { inputErrors } from './errors.ts'
import { amount, answerId, coinInput, echoed, extra, id, moment, wholeInQuery } from './fields.ts'
import { STAKE_ABOVE } from './limits.ts'
import { listOf, listQueryEntries, ownList } from './paging.ts'
import { memberAct, memberRead, route } from './route.ts'
import { asset } from './wallet-keys.ts'
import { done, rowExtras } from './wallets.ts'

/** Wallets that can pay for a stake: nativeWallet and icoWallet (API-47, VA-70). */
export const stakeWallets = ['nativewallet', 'mywallet'] as const
export type StakeWallet = (typeof stakeWallets)[number]

/** Stake plan (EN-30): duration in days; apy is the plan's total percent (VA-68). */
export const stakePlan = v.object({
  id: answerId,
  planName: v.string(),
  duration: v.number(),
  minimum: amount,
  apy: amount,
  status: v.string(),
  /** Stakes in an Omega plan are stake logs (RW-09). */
  omega: extra(v.boolean()),
  /** Percent of the full level shares that a stake pays the upline (RW-02). */
  levelShare: extra(amount),
  /** Planned next values, with their start. */
  next: extra(v.object({ startsAt: moment, planName: v.string(), duration: v.number(), minimum: amount, apy: amount, status: v.string() })),
})
export type StakePlan = v.InferOutput<typeof stakePlan>

export const stakePlans = memberRead({
  name: 'stakePlans',
  path: '/stack-coin-settings',
  summary: 'Lists the stake plans. The member app requests status ACTIVE (API-67).',
  query: v.object({ ...listQueryEntries, status: v.optional(v.pipe(v.string(), v.maxLength(20, 'Invalid status'))) }),
  reply: listOf(stakePlan),
})

export const openStake = memberAct({
  name: 'openStake',
  path: '/stack-now',
  money: true,
  summary: "Stakes coin in a plan (API-47, MF-13). The plan's figures in the request must be current (VA-89).",
  body: v.object({
    dailyRoy: echoed,
    planName: v.pipe(v.string('This field is required'), v.maxLength(200, 'Maximum length is 200')),
    duration: v.pipe(
      v.number('This field is required'),
      v.integer('Must be a whole number'),
      v.minValue(1, 'Must be at least 1'),
      v.maxValue(36_500, 'Must be at most 36500'),
    ),
    apy: echoed,
    stakeAmount: v.pipe(
      coinInput,
      v.check((coin) => coin > STAKE_ABOVE, inputErrors.STAKE_TOO_SMALL.message),
    ),
    planId: id,
    wallet: v.picklist(stakeWallets, 'Please Select wallet'),
  }),
  reply: done('stake', 'stake-log'),
  errors: ['PLAN_NOT_AVAILABLE', 'FIGURES_CHANGED', 'BELOW_MINIMUM_STAKE', 'INSUFFICIENT_BALANCE', 'NOT_COVERED'],
})

/** Stake or stake log (EN-31); `ACTIVE` while it runs. */
export const stakeRow = v.object({
  planName: v.string(),
  wallet: v.string(),
  stakeAmount: amount,
  duration: v.number(),
  apy: amount,
  dailyRoy: amount,
  createdAt: moment,
  status: v.string(),
  startDate: extra(moment),
  maturesAt: extra(moment),
  paidDays: extra(v.number()),
  paidTotal: extra(amount),
  ...rowExtras('stake', 'stake-log'),
})
export type StakeRow = v.InferOutput<typeof stakeRow>

export const myStakes = ownList({
  name: 'myStakes',
  path: '/stack-now',
  history: 'stake',
  summary: "Lists the member's stakes (API-66).",
  reply: listOf(stakeRow),
})

export const myStakeLogs = ownList({
  name: 'myStakeLogs',
  path: '/stake-logs',
  history: 'stake-log',
  summary: "Lists the member's Omega stakes (API-80).",
  reply: listOf(stakeRow),
})

/** Item due on a future day. */
export const upcomingItem = v.object({
  at: moment,
  kind: v.picklist(['daily-reward', 'stake-log-reward', 'maturity', 'nft-reward', 'release']),
  label: v.string(),
  asset,
  amount,
  sourceId: v.optional(id),
})

export const upcoming = memberRead({
  name: 'upcoming',
  path: '/staking/upcoming',
  summary: 'Lists the coming payments and returns of the active stakes and NFTs, earliest first.',
  query: v.object({ days: wholeInQuery(730, 30) }),
  reply: v.object({ items: v.array(upcomingItem) }),
})

export const calendarLink = memberAct({
  name: 'calendarLink',
  path: '/staking/calendar-link',
  summary: 'Creates a private calendar address with the due days. It replaces the previous one.',
  reply: v.object({ url: v.string() }),
})

export const calendarFeed = route({
  name: 'calendarFeed',
  method: 'GET',
  path: '/staking/calendar.ics',
  access: 'public',
  summary: 'Returns the due days as an iCalendar feed, for the token of the private address.',
  query: v.object({ token: v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{16,128}$/, 'Not found')) }),
  bare: true,
  media: 'text/calendar',
  reply: v.string(),
  errors: ['NOT_FOUND'],
})
