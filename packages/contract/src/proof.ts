import * as v from 'valibot'
import { inputErrors } from './errors.ts'
import { PASSWORD_MAX_LENGTH } from './limits.ts'

/** A password that is compared, not chosen: required, of any length (VA-03). */
export const givenPassword = v.pipe(
  v.string('This field is required'),
  v.minLength(1, 'This field is required'),
  v.maxLength(PASSWORD_MAX_LENGTH, `Maximum length is ${PASSWORD_MAX_LENGTH}`),
)

/** The six digits of an authenticator app. */
export const appCode = v.pipe(
  v.string('This field is required'),
  v.transform((text): string => text.replace(/\s/g, '')),
  v.regex(/^\d{6}$/, inputErrors.SECOND_FACTOR_REFUSED.message),
)

/** What the browser answers for a passkey; the server's library reads it, and refuses what is none. */
const field = v.pipe(v.string(), v.maxLength(8192))
/** The answer of a passkey (WebAuthn), and the challenge that it is to: good for one, within five minutes. */
export const passkeyAnswer = {
  challengeId: v.pipe(v.string(), v.regex(/^[\w-]{16,64}$/, 'Invalid challenge')),
  credential: v.object({
    id: v.pipe(v.string(), v.regex(/^[\w-]{16,1400}$/, 'Invalid passkey')),
    rawId: field,
    type: v.literal('public-key'),
    response: v.record(v.pipe(v.string(), v.maxLength(40)), v.union([field, v.number(), v.null(), v.array(field)])),
    clientExtensionResults: v.optional(v.record(v.string(), v.unknown()), {}),
    authenticatorAttachment: v.nullish(field),
  }),
}

/** What a signed-in member shows once more: the code or a passkey where an authenticator app is set up, else the password. */
export const proofEntries = { otp: v.optional(appCode), passkey: v.optional(v.object(passkeyAnswer)), password: v.optional(givenPassword) }

/** The token of `provePayout`: this member asks for exactly this payout or transfer, which then waits for no confirmation. */
export const stepUpToken = v.optional(v.pipe(v.string(), v.maxLength(200)))
