import * as v from 'valibot'
import { route } from './route.ts'

/** A BCP 47 tag of language, script and region: `es`, `zh-Hant`, `pt-BR`. */
export const languageTag = v.pipe(v.string(), v.maxLength(12), v.regex(/^[a-z]{2,3}(-[A-Z][a-z]{3})?(-[A-Z]{2})?$/, 'Not a language'))

/** A language that members can choose. */
export const offeredLanguage = v.object({
  language: languageTag,
  /** The language's own name for itself. */
  name: v.string(),
  direction: v.picklist(['ltr', 'rtl']),
  /** False until a native speaker has read all texts. */
  reviewed: v.boolean(),
  /** Path of the file with the texts, which contains its hash; empty for English. */
  address: v.string(),
})
export type OfferedLanguage = v.InferOutput<typeof offeredLanguage>

export const languages = route({
  name: 'languages',
  method: 'GET',
  path: '/languages',
  access: 'public',
  summary: 'Lists the languages of pages and mails, English first.',
  reply: v.array(offeredLanguage),
})

export const chooseLanguage = route({
  name: 'chooseLanguage',
  method: 'PUT',
  path: '/profile/language',
  access: 'session',
  summary: "Sets the language of the member's mails and pages. `null` leaves it to the browser.",
  body: v.strictObject({ language: v.nullable(languageTag) }),
  reply: v.object({ language: v.nullable(languageTag) }),
})
