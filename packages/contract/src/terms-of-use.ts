import * as v from 'valibot'
import { moment } from './fields.ts'
import { nothing, route } from './route.ts'

/** The operator's terms of use, and their acceptance by members (docs/decisions/0072-terms-of-use.md). */

/** Version and hash of the terms that a member read. */
const readTerms = v.strictObject({
  version: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(2_147_483_647)),
  hash: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/, 'Invalid value')),
})

export const termsOfUse = route({
  name: 'termsOfUse',
  method: 'GET',
  path: '/terms',
  access: 'public',
  summary: 'Returns the terms of use in force: their text, or the address of a page; null while the operator has published none.',
  reply: v.nullable(
    v.object({
      version: v.number(),
      text: v.nullable(v.string()),
      link: v.nullable(v.string()),
      /** SHA-256 of the text, or of the link. */
      hash: v.string(),
      startsAt: moment,
    }),
  ),
})

export const acceptTerms = route({
  name: 'acceptTerms',
  method: 'POST',
  path: '/terms/accept',
  access: 'session',
  summary: 'Accepts the terms of use in force. A repeat changes nothing. Earlier and unknown versions are rejected.',
  body: readTerms,
  reply: nothing,
  errors: ['TERMS_CHANGED'],
})

export const acceptTermsByLink = route({
  name: 'acceptTermsByLink',
  method: 'POST',
  path: '/terms/link/accept',
  access: 'link',
  summary: 'Accepts the terms of use in force with the token of the mailed link, for clients that do not ask for it.',
  body: readTerms,
  reply: nothing,
  errors: ['TERMS_LINK_INVALID', 'TERMS_CHANGED'],
})
