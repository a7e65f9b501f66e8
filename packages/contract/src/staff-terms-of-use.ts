import * as v from 'valibot'
import { moment } from './fields.ts'
import { staffRead } from './route.ts'

/** Newest versions that {@link staffTermsOfUse} lists. */
export const TERMS_LISTED = 50

export const staffTermsOfUse = staffRead({
  name: 'staffTermsOfUse',
  role: 'all',
  path: '/staff/terms',
  summary: 'Returns the terms of use in force with their text, and the 50 newest versions, planned ones included, newest first.',
  reply: v.object({
    current: v.nullable(v.object({ text: v.nullable(v.string()), link: v.nullable(v.string()) })),
    versions: v.array(
      v.object({
        version: v.number(),
        hash: v.string(),
        link: v.nullable(v.string()),
        startsAt: moment,
        state: v.picklist(['planned', 'in force', 'earlier']),
      }),
    ),
  }),
})
