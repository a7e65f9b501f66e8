import * as v from 'valibot'
import { answerId, idParams, line } from './fields.ts'
import { nothing, staffAct, staffRead } from './route.ts'
import { segmentEntries } from './staff-segments.ts'

/** Segments of members that staff saved under a name, shared among all staff. */

/** Maximum saved segments. */
export const MAX_SAVED_SEGMENTS = 50

const criteria = v.strictObject(segmentEntries)

export const staffSegments = staffRead({
  name: 'staffSegments',
  role: 'all',
  path: '/staff/segments',
  summary: 'Lists the saved segments by name. Their criteria filter the members, their export, and a message.',
  reply: v.array(v.object({ id: answerId, name: v.string(), criteria })),
})

export const saveSegment = staffAct({
  name: 'saveSegment',
  role: 'desk',
  path: '/staff/segments',
  summary: 'Saves a segment for all staff. A segment of the same name gets the new criteria.',
  body: v.strictObject({ name: line(40), criteria }),
  reply: v.object({ id: answerId }),
  errors: ['TOO_MANY_REQUESTS'],
})

export const deleteSegment = staffAct({
  name: 'deleteSegment',
  role: 'desk',
  path: '/staff/segments/:id/delete',
  summary: 'Deletes a saved segment. Messages that were sent to it stay.',
  params: idParams,
  body: v.strictObject({}),
  reply: nothing,
  errors: ['NOT_FOUND'],
})
