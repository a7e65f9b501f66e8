import * as v from 'valibot'
import { answerId, id, idParams, moment } from './fields.ts'
import { listOf, listQueryEntries } from './paging.ts'
import { staffAct, staffRead } from './route.ts'
import { person, reason } from './staff.ts'

/**
 * Screening: members are compared with a list of names and addresses that the operator loads (docs/decisions/0071-screening.md). Two people
 * put a list in force and decide about matches.
 */

/** Maximum size of a list. */
export const MAX_LIST_BYTES = 20_000_000
export const MAX_LIST_ENTRIES = 200_000

/** Verdict on a match: the member is the listed person, or another one. */
export const screeningVerdicts = ['same', 'different'] as const
export const screeningViews = ['open', ...screeningVerdicts] as const

const list = v.object({ hash: v.string(), entries: v.number() })

export const staffScreeningLists = staffRead({
  name: 'staffScreeningLists',
  role: 'all',
  path: '/staff/screening/lists',
  summary: 'Returns the screening list in force, and the uploaded list that waits for two people; absent without one.',
  reply: v.object({
    active: v.optional(
      v.object({
        ...list.entries,
        activatedAt: moment,
        /** False while the members are compared with a new list. Nobody is paid before their comparison. */
        isCompared: v.boolean(),
      }),
    ),
    staged: v.optional(v.object({ ...list.entries, stagedAt: moment })),
  }),
})

export const staffScreeningHits = staffRead({
  name: 'staffScreeningHits',
  role: 'all',
  personal: 'page',
  path: '/staff/screening/hits',
  summary: 'Lists matches of members with the screening list, newest first. `before` is the id of the last row of the previous page.',
  query: v.object({
    limit: listQueryEntries.limit,
    view: v.optional(v.picklist(screeningViews, 'Invalid view'), 'open'),
    member: v.optional(id),
    before: v.optional(id),
  }),
  reply: listOf(
    v.object({
      id: answerId,
      member: person,
      kind: v.picklist(['name', 'address']),
      /** What was compared: a change of the name, a new address, a payout, or all members after a new list. */
      cause: v.picklist(['list', 'name', 'address', 'payout']),
      source: v.string(),
      reference: v.string(),
      listedName: v.string(),
      /** Date such as `2026-01-31`. */
      listedOn: v.nullable(v.string()),
      /** Listed address; absent for a match of names. */
      address: v.optional(v.string()),
      foundAt: moment,
      verdict: v.nullable(v.picklist(screeningVerdicts)),
      decidedAt: v.nullable(moment),
    }),
  ),
})

export const uploadScreeningList = staffAct({
  name: 'uploadScreeningList',
  role: 'admin',
  path: '/staff/screening/lists',
  summary: 'Uploads a screening list as CSV. It replaces an uploaded list that waits. Two people then put it in force with a proposal.',
  body: v.strictObject({}),
  upload: { field: 'list', required: true, maxBytes: MAX_LIST_BYTES },
  reply: list,
  errors: ['FILE_REQUIRED', 'SCREENING_LIST_REFUSED'],
})

export const decideScreening = staffAct({
  name: 'decideScreening',
  role: 'money',
  path: '/staff/members/:id/screening',
  summary:
    'Proposes a verdict on matches of a member. Once another person approves it, `same` blocks the account and keeps its payouts held, and `different` ends the hold.',
  params: idParams,
  body: v.strictObject({
    hits: v.pipe(v.array(id), v.minLength(1, 'Choose a match'), v.maxLength(100, 'At most 100 matches')),
    verdict: v.picklist(screeningVerdicts, 'Invalid verdict'),
    reason,
  }),
  reply: v.object({ proposalId: answerId }),
  errors: ['NOT_FOUND', 'FOUR_EYES', 'CHANGE_OUTDATED'],
})
