import * as v from 'valibot'
import { amount, answerId, extra, looseAmount, maybeText, moment } from './fields.ts'
import { listOf, listQuery, listQueryEntries } from './paging.ts'
import { memberRead } from './route.ts'

/** Replaces unreadable text from other servers by a dash, so that one damaged person does not hide the team. */
const shown = v.fallback(v.string(), '–')
/** Null if unreadable. */
const teamStakeRow = v.fallback(
  v.object({ stakeAmount: v.fallback(v.nullable(amount), null), createdAt: v.fallback(v.nullable(moment), null) }),
  { stakeAmount: null, createdAt: null },
)

const teamNodeEntries = {
  id: answerId,
  name: shown,
  email: shown,
  rank: v.fallback(maybeText, undefined),
  /** Code used at this person's sign-up (EN-48). */
  referralCode: v.fallback(maybeText, undefined),
  myReferralCode: shown,
  stakes: v.fallback(v.nullish(v.array(teamStakeRow), []), []),
  /** Direct referral count, loaded or not, and the branch's staked coin (API-83). */
  childCount: extra(v.number()),
  /** True with a running stake, an active NFT or a recent coin purchase (EN-10). */
  isActive: extra(v.boolean()),
  teamStake: extra(amount),
}
const teamNodeAlone = v.object(teamNodeEntries)

/** Person in the team tree with their downline (EN-47). */
export interface TeamNode extends v.InferOutput<typeof teamNodeAlone> {
  children: TeamNode[]
}
interface WireTeamNode extends v.InferInput<typeof teamNodeAlone> {
  children?: WireTeamNode[] | null | undefined
}

export const teamNode: v.GenericSchema<WireTeamNode, TeamNode> = v.object({
  ...teamNodeEntries,
  children: v.fallback(v.nullish(v.array(v.lazy(() => memberOfTree)), []), []),
})
const memberOfTree = v.fallback(teamNode, () => ({
  id: `unreadable-${crypto.randomUUID()}`,
  name: 'Somebody who cannot be read',
  email: '–',
  myReferralCode: '–',
  stakes: [],
  children: [],
}))

const person = v.optional(v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{1,64}$/, 'Invalid value')))

export const teamTree = memberRead({
  name: 'teamTree',
  path: '/test',
  summary:
    'Returns the team below the member, or below `root` in that team: three levels, at most 100 people (API-82, API-83). `after`, a direct referral of the root, returns the referrals after it. Another server may return a flat list.',
  query: v.object({ root: person, after: person }),
  reply: v.union([teamNode, v.array(memberOfTree)]),
  errors: ['NOT_FOUND'],
})

export const countDownlineStake = memberRead({
  name: 'countDownlineStake',
  path: '/stake-logs/count-my-downline-stake',
  summary: 'Returns the coin staked by the whole downline, active or ended (API-84, API-85).',
  /** `runningStake`: currently staked part, which determines ranks (RW-05). */
  reply: v.object({ totalStake: looseAmount, runningStake: extra(amount) }),
})

/** Direct referral with their deposits (EN-49). */
export const specialReferral = v.object({
  name: v.string(),
  email: v.string(),
  createdAt: moment,
  payment: v.nullish(v.array(v.object({ id: answerId, payAmountNum: looseAmount, createdAt: moment })), []),
  deposit: v.nullish(v.array(v.object({ id: answerId, amount: looseAmount, createdAt: moment })), []),
})

export const lastReferrals = memberRead({
  name: 'lastReferrals',
  path: '/special-rcm/last-refferer',
  summary: 'Lists the direct referrals of a special member, newest first; empty for others (API-86, API-87, UI-RCM-11).',
  query: listQuery,
  reply: listOf(specialReferral),
})

export const teamTotals = memberRead({
  name: 'teamTotals',
  path: '/special-rcm/get-total-team-stake',
  summary: "Returns the team's stakes in coin and NFT purchases in USD, for this and the last UTC month (API-88, EN-50).",
  reply: v.object({
    lastMonthStakeSumTotal: looseAmount,
    currentMonthStakeSumTotal: looseAmount,
    lastMonthNFTSum: looseAmount,
    currentMonthNFTSum: looseAmount,
  }),
})

export const searchTeam = memberRead({
  name: 'searchTeam',
  path: '/team/search',
  summary: "Finds people of the member's downline by name, mail address or referral code.",
  query: v.object({
    ...listQueryEntries,
    q: v.pipe(
      v.string('This field is required'),
      v.trim(),
      v.minLength(2, 'Minimum length is 2'),
      v.maxLength(100, 'Maximum length is 100'),
    ),
  }),
  reply: listOf(
    v.object({
      id: answerId,
      name: v.string(),
      email: v.string(),
      myReferralCode: v.string(),
      level: v.number(),
      teamStake: v.optional(amount),
      /** From the direct referral down to the person, to open these branches. */
      path: v.array(v.object({ id: answerId, name: v.string() })),
    }),
  ),
})
