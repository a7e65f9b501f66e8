import * as v from 'valibot'
import { answerId, extra, maybeText, moment } from './fields.ts'
import { languageTag } from './languages.ts'
import { listOf, listQuery } from './paging.ts'
import { memberRead, route } from './route.ts'

/** Profile (EN-09, EN-10). `isActive` may be text and is parsed as a boolean. */
export const memberProfile = v.object({
  id: answerId,
  name: v.string(),
  status: v.boolean(),
  isVerified: v.boolean(),
  isActive: v.pipe(
    v.union([v.boolean(), v.picklist(['ACTIVE', 'INACTIVE'])]),
    v.transform((value): boolean => value === true || value === 'ACTIVE'),
  ),
  profileImage: maybeText,
  rank: maybeText,
  isSpecialRcm: v.nullish(v.boolean(), false),
  myReferralCode: v.string(),
  referralCount: v.nullish(v.number(), 0),
  email: extra(v.string()),
  phone: extra(v.string()),
  createdAt: extra(moment),
  /** True if sign-in requires an authenticator code. */
  secondFactor: extra(v.boolean()),
  isStaff: extra(v.boolean()),
  /** Chosen language of mails and pages; null if the browser decides. */
  language: extra(v.nullable(languageTag)),
  /** Version of the terms of use that the member has not accepted; absent if there is none. */
  termsDue: extra(v.number()),
  /** True if the server has a change stream (`live.ts`) and the member may open it, which needs a verified address. */
  live: extra(v.boolean()),
})
export type MemberProfile = v.InferOutput<typeof memberProfile>

export const profile = route({
  name: 'profile',
  method: 'GET',
  path: '/profile',
  access: 'session',
  summary: 'Returns the signed-in member, even if unverified or blocked (API-55, RO-16).',
  reply: memberProfile,
})

export const staffActions = memberRead({
  name: 'staffActions',
  path: '/profile/staff-actions',
  summary: "Lists staff actions on the member's account, newest first. `before` is the id of the last row of the previous page.",
  query: v.object({ before: v.optional(v.pipe(v.string(), v.regex(/^\d{1,18}$/, 'Not a row'))) }),
  reply: v.object({
    rows: v.array(v.object({ id: answerId, at: moment, text: v.string(), role: v.string() })),
    /** True if there are more members than listed. */
    more: v.boolean(),
  }),
})

/** Direct referral (EN-20). */
export const teamMember = v.object({
  name: v.string(),
  email: v.string(),
  myReferralCode: v.string(),
  updatedAt: moment,
  id: extra(v.string()),
})

export const myTeam = memberRead({
  name: 'myTeam',
  path: '/profile/my-team',
  summary: "Lists the member's direct referrals (API-56).",
  query: listQuery,
  reply: listOf(teamMember),
})
