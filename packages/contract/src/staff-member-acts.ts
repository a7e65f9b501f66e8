import * as v from 'valibot'
import { answerId, idParams, moment, prose } from './fields.ts'
import { MESSAGE_MAX_LENGTH } from './limits.ts'
import { nothing, staffAct } from './route.ts'
import { reason } from './staff.ts'

/** Staff actions on one member, except those that move money, block or rank (`staff-members.ts`). */

export const noteOnMember = staffAct({
  name: 'noteOnMember',
  role: 'desk',
  path: '/staff/members/:id/notes',
  summary: 'Writes something about a member for other staff. The member never gets it, by any call or mail.',
  params: idParams,
  body: v.strictObject({ text: prose(MESSAGE_MAX_LENGTH) }),
  reply: nothing,
  errors: ['NOT_FOUND', 'FOUR_EYES'],
})

export const revealMember = staffAct({
  name: 'revealMember',
  role: 'all',
  path: '/staff/members/:id/reveal',
  summary:
    'The phone number of a member, or the payout addresses in full. That somebody looked stands in the audit log, and the member sees it.',
  params: idParams,
  body: v.strictObject({ field: v.picklist(['phone', 'address'], 'Invalid field') }),
  reply: v.object({ values: v.array(v.string()) }),
  errors: ['NOT_FOUND'],
})

export const verifyMember = staffAct({
  name: 'verifyMember',
  role: 'admin',
  path: '/staff/members/:id/verify',
  summary: 'Takes the mail address of a member as proved; the password still has to be proved by a mailed link or code.',
  params: idParams,
  body: v.strictObject({ reason }),
  reply: nothing,
  errors: ['NOT_FOUND', 'FOUR_EYES', 'ALREADY_DECIDED'],
})

export const resetSecondFactor = staffAct({
  name: 'resetSecondFactor',
  role: 'admin',
  path: '/staff/members/:id/second-factor/reset',
  summary: 'Files that somebody lost the authenticator app; another admin takes it off.',
  params: idParams,
  body: v.strictObject({ reason }),
  reply: v.object({ changeId: answerId }),
  errors: ['NOT_FOUND', 'SECOND_FACTOR_OFF', 'FOUR_EYES'],
})

/** Minutes for which staff may view a member's pages. */
export const VIEW_MINUTES = 10

export const viewAsMember = staffAct({
  name: 'viewAsMember',
  role: 'desk',
  path: '/staff/members/:id/view-as',
  summary:
    "A token that reads a member's own pages for ten minutes: every call that writes refuses it. It ends with the session of whoever asked, and the member sees that staff looked.",
  params: idParams,
  body: v.strictObject({ reason }),
  reply: v.object({ token: v.string(), endsAt: moment }),
  errors: ['NOT_FOUND', 'FOUR_EYES', 'ACCOUNT_BLOCKED', 'EMAIL_NOT_VERIFIED'],
})
