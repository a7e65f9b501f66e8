import * as v from 'valibot'
import { answerId, id, idParams, line } from './fields.ts'
import { listOf, listQueryEntries } from './paging.ts'
import { nothing, staffAct, staffRead } from './route.ts'
import { caseOutcomes, caseRow } from './staff-case-row.ts'
import { filed, reason } from './staff.ts'

/** Cases: a suspicion about one member, with an owner, a due date and an outcome. A member has at most one open case. */

export const caseViews = ['open', 'mine', 'closed'] as const

/** Days until a case is due, counted from now. */
const dueDays = v.pipe(
  v.number('This field is required'),
  v.integer('Must be a whole number'),
  v.minValue(1, 'Must be at least 1'),
  v.maxValue(90, 'Must be at most 90'),
)

export const staffCases = staffRead({
  name: 'staffCases',
  role: 'all',
  personal: 'page',
  path: '/staff/cases',
  summary:
    'Lists cases: open ones, or those of the reader, by due date; closed ones, newest first. `before` is the id of the last row of the previous page.',
  query: v.object({
    limit: listQueryEntries.limit,
    view: v.optional(v.picklist(caseViews, 'Invalid view'), 'open'),
    before: v.optional(id),
  }),
  reply: listOf(caseRow),
})

export const openCase = staffAct({
  name: 'openCase',
  role: 'desk',
  path: '/staff/members/:id/case',
  summary: 'Opens a case about a member. The caller owns it. The member never sees it.',
  params: idParams,
  body: v.strictObject({ title: line(80), dueDays, reason }),
  reply: v.object({ caseId: answerId }),
  errors: ['NOT_FOUND', 'FOUR_EYES', 'ALREADY_DECIDED'],
})

export const takeCase = staffAct({
  name: 'takeCase',
  role: 'desk',
  path: '/staff/cases/:id/take',
  summary: 'Makes the caller the owner of an open case, and sets its due date.',
  params: idParams,
  body: v.strictObject({ dueDays, reason }),
  reply: nothing,
  errors: ['NOT_FOUND', 'FOUR_EYES', 'ALREADY_DECIDED'],
})

export const closeCase = staffAct({
  name: 'closeCase',
  role: 'desk',
  path: '/staff/cases/:id/close',
  summary:
    'Closes a case with an outcome. It becomes a proposal for another person in four cases: a colleague opened or owned the case, a match of screening is open, a rule holds a payout of the member, or the account is closing. Staff cannot close a case about their own or a linked account.',
  params: idParams,
  body: v.strictObject({ outcome: v.picklist(caseOutcomes, 'Invalid outcome'), reason }),
  reply: filed,
  errors: ['NOT_FOUND', 'FOUR_EYES', 'ALREADY_DECIDED'],
})
