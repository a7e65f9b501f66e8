import * as v from 'valibot'
import { amount, coinInput, email, id, idParams, line, moment, personName } from './fields.ts'
import { NAME_MAX_LENGTH } from './limits.ts'
import { listOf, listQueryEntries } from './paging.ts'
import { staffAct, staffRead } from './route.ts'
import { caseRow } from './staff-case-row.ts'
import { openItem } from './staff-member-pages.ts'
import { filed, filter, person, reason, staffRoles } from './staff.ts'
import { segmentEntries } from './staff-segments.ts'
import { balances } from './wallet-keys.ts'

export const staffMember = v.object({
  ...person.entries,
  /** Masked except for the last two digits; `revealMember` shows it. */
  phone: v.string(),
  status: v.boolean(),
  isVerified: v.boolean(),
  isActive: v.boolean(),
  isSpecialRcm: v.boolean(),
  rank: v.nullish(v.string()),
  myReferralCode: v.string(),
  sponsor: v.nullish(person),
  referralCount: v.number(),
  createdAt: moment,
  /** For a segment: USD in the wallets, coin in stakes, and the time of the last request. */
  segment: v.optional(v.object({ usd: amount, staked: amount, seenAt: v.nullable(moment) })),
})

export const memberStates = ['active', 'blocked', 'unverified', 'special', 'staff'] as const

export const staffMembers = staffRead({
  name: 'staffMembers',
  role: 'all',
  personal: 'page',
  path: '/staff/members',
  summary:
    'Finds members by the beginning of a name or mail address, or by a complete phone number, referral code, id, payout address or transaction; newest first. `before` is the id of the last row of the previous page. The total stops at 10,000. The criteria of a segment filter the 10,000 newest members of a page, and exclude a search.',
  query: v.object({
    limit: listQueryEntries.limit,
    q: filter,
    state: v.optional(v.picklist(memberStates, 'Invalid state')),
    before: v.optional(id),
    ...segmentEntries,
  }),
  reply: listOf(staffMember),
})

export const staffMemberDetail = staffRead({
  name: 'staffMemberDetail',
  role: 'all',
  personal: 'member',
  path: '/staff/members/:id',
  summary: 'Returns a member: balances, warnings, open requests, and the number of rows of each list.',
  params: idParams,
  reply: v.object({
    member: v.object({
      ...staffMember.entries,
      secondFactor: v.boolean(),
      isStaff: v.boolean(),
      /** Time zone of the newest sign-in's browser: `Africa/Lagos`. */
      timeZone: v.optional(v.string()),
    }),
    balances,
    sessions: v.number(),
    teamStake: v.optional(amount),
    /** Pending payouts, by asset. */
    held: v.object({ usd: amount, coin: amount }),
    /** Balances and holds in USD, at the current coin price. */
    worthUsd: amount,
    coinPrice: amount,
    /** Warnings; `until` is the time of expiry. */
    flags: v.array(v.object({ code: v.string(), text: v.string(), detail: v.optional(v.string()), until: v.optional(moment) })),
    counts: v.object({ purchases: v.number(), team: v.number(), sessions: v.number(), tickets: v.number(), notes: v.number() }),
    /** Newest version of the terms of use that the member accepted, and whether it is in force; absent if there is none. */
    terms: v.optional(v.object({ version: v.number(), hash: v.string(), acceptedAt: moment, isInForce: v.boolean() })),
    /** The open case about the member; absent if there is none. */
    case: v.optional(caseRow),
    /** Number of recent reversible purchases, and the latest deadline; absent if none. */
    reversible: v.optional(v.object({ count: v.number(), until: moment })),
    /** Items awaiting a decision or answer, oldest first. */
    openItems: v.array(openItem),
  }),
  errors: ['NOT_FOUND'],
})

export const setMemberStatus = staffAct({
  name: 'setMemberStatus',
  role: 'admin',
  path: '/staff/members/:id/status',
  summary:
    'Blocks a member at once and ends all sessions (status false). Unblocking, and either for a staff member, creates a proposal (RO-16, RO-17).',
  params: idParams,
  body: v.strictObject({ status: v.boolean(), reason }),
  reply: filed,
  errors: ['NOT_FOUND', 'FOUR_EYES', 'ALREADY_DECIDED', 'ACCOUNT_ERASED'],
})

export const setSpecialRcm = staffAct({
  name: 'setSpecialRcm',
  role: 'admin',
  path: '/staff/members/:id/special-rcm',
  summary: "Ends a member's special status at once. Granting it creates a proposal (RO-17).",
  params: idParams,
  body: v.strictObject({ isSpecialRcm: v.boolean(), reason }),
  reply: filed,
  errors: ['NOT_FOUND', 'FOUR_EYES', 'ALREADY_DECIDED'],
})

export const setMemberRank = staffAct({
  name: 'setMemberRank',
  role: 'admin',
  path: '/staff/members/:id/rank',
  summary:
    'Proposes a fixed rank for a member, which the programme does not change. Null lets the programme rank the member again, at once (RO-17). Bonuses depend on the team.',
  params: idParams,
  body: v.strictObject({ rank: v.nullable(v.pipe(line(40), v.minLength(1, 'This field is required'))), reason }),
  reply: filed,
  errors: ['NOT_FOUND', 'FOUR_EYES', 'ALREADY_DECIDED'],
})

export const creditRcm = staffAct({
  name: 'creditRcm',
  role: 'money',
  path: '/staff/members/:id/credit-rcm',
  money: true,
  summary: 'Proposes to credit coin to the RCM wallet of a special member (MF-25, RW-10).',
  params: idParams,
  body: v.strictObject({ amount: coinInput, reason }),
  reply: filed,
  errors: ['NOT_FOUND', 'SPECIAL_MEMBERS_ONLY', 'NOT_COVERED', 'FOUR_EYES'],
})

export const endMemberSessions = staffAct({
  name: 'endMemberSessions',
  role: 'desk',
  path: '/staff/members/:id/end-sessions',
  summary: 'Ends all sessions of a member. For a staff member it creates a proposal.',
  params: idParams,
  body: v.strictObject({ reason }),
  reply: filed,
  errors: ['NOT_FOUND', 'FOUR_EYES'],
})

export const grantRole = staffAct({
  name: 'grantRole',
  role: 'admin',
  path: '/staff/roles',
  summary:
    'Grants or removes a staff role. It creates a proposal if another person can approve it. A new account sets its password with a mailed link.',
  body: v.strictObject({
    email,
    name: v.optional(personName(NAME_MAX_LENGTH)),
    phone: v.optional(v.union([v.literal(''), line(40)], 'Invalid phone'), ''),
    role: v.picklist(['MEMBER', ...staffRoles], 'Invalid role'),
    reason,
  }),
  reply: filed,
  errors: ['FOUR_EYES'],
})
