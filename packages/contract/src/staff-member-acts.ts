import * as v from 'valibot'
import { answerId, email, idParams, moment, prose } from './fields.ts'
import { MESSAGE_MAX_LENGTH } from './limits.ts'
import { nothing, staffAct } from './route.ts'
import { reason } from './staff.ts'

/** Staff actions on one member, except those that move money, block or rank (`staff-members.ts`). */

export const noteOnMember = staffAct({
  name: 'noteOnMember',
  role: 'desk',
  path: '/staff/members/:id/notes',
  summary: 'Adds a staff note about a member. The member never sees it.',
  params: idParams,
  body: v.strictObject({ text: prose(MESSAGE_MAX_LENGTH) }),
  reply: nothing,
  errors: ['NOT_FOUND', 'FOUR_EYES'],
})

export const revealMember = staffAct({
  name: 'revealMember',
  role: 'all',
  personal: 'reveal',
  path: '/staff/members/:id/reveal',
  summary: "Returns a member's phone number or full payout addresses. The view is recorded in the audit log and shown to the member.",
  params: idParams,
  body: v.strictObject({ field: v.picklist(['phone', 'address'], 'Invalid field') }),
  reply: v.object({ values: v.array(v.string()) }),
  errors: ['NOT_FOUND'],
})

export const verifyMemberEmail = staffAct({
  name: 'verifyMemberEmail',
  role: 'admin',
  path: '/staff/members/:id/verify',
  summary: "Marks a member's mail address as verified. The password still has to be set with a mailed link or code.",
  params: idParams,
  body: v.strictObject({ reason }),
  reply: nothing,
  errors: ['NOT_FOUND', 'FOUR_EYES', 'ALREADY_DECIDED'],
})

export const proposeAccountRecovery = staffAct({
  name: 'proposeAccountRecovery',
  role: 'admin',
  path: '/staff/members/:id/recovery',
  summary:
    'Proposes to recover an account whose owner lost the second factor, the mailbox (`email` is the new address) or both. Another admin approves. It is completed after a waiting period in which a sign-in with a proof, the mailed link or staff can cancel it.',
  params: idParams,
  body: v.pipe(
    v.strictObject({ secondFactor: v.boolean('Invalid value'), email: v.optional(email), reason }),
    v.check(({ secondFactor, email: newEmail }) => secondFactor || newEmail !== undefined, 'Choose what to replace'),
  ),
  reply: v.object({ proposalId: answerId }),
  errors: [
    'NOT_FOUND',
    'SECOND_FACTOR_OFF',
    'EMAIL_NOT_VERIFIED',
    'EMAIL_DOMAIN_REFUSED',
    'EMAIL_UNCHANGED',
    'EMAIL_TAKEN',
    'ALREADY_DECIDED',
    'FOUR_EYES',
  ],
})

export const cancelAccountRecovery = staffAct({
  name: 'cancelAccountRecovery',
  role: 'desk',
  path: '/staff/members/:id/recovery/cancel',
  summary: 'Cancels the pending recovery of an account. Nothing is replaced.',
  params: idParams,
  body: v.strictObject({ reason }),
  reply: nothing,
  errors: ['NOT_FOUND', 'FOUR_EYES', 'ALREADY_DECIDED'],
})

/** Minutes for which staff may view a member's pages. */
export const VIEW_MINUTES = 10

export const viewAsMember = staffAct({
  name: 'viewAsMember',
  role: 'desk',
  personal: 'reveal',
  path: '/staff/members/:id/view-as',
  summary:
    "Issues a token that reads the member's own pages for ten minutes; every write is rejected. It ends with the caller's session, and the member sees the view.",
  params: idParams,
  body: v.strictObject({ reason }),
  reply: v.object({ token: v.string(), endsAt: moment }),
  errors: ['NOT_FOUND', 'FOUR_EYES', 'ACCOUNT_BLOCKED', 'EMAIL_NOT_VERIFIED'],
})
