import * as v from 'valibot'
import { inputErrors } from './errors.ts'
import { PASSWORD_MAX_LENGTH } from './limits.ts'

/** Existing password to compare: required, any length (VA-03). */
export const givenPassword = v.pipe(
  v.string('This field is required'),
  v.minLength(1, 'This field is required'),
  v.maxLength(PASSWORD_MAX_LENGTH, `Maximum length is ${PASSWORD_MAX_LENGTH}`),
)

/** Six-digit authenticator code. */
export const appCode = v.pipe(
  v.string('This field is required'),
  v.transform((text): string => text.replace(/\s/g, '')),
  v.regex(/^\d{6}$/, inputErrors.SECOND_FACTOR_REFUSED.message),
)

/** Length of a recovery code, without the dash that separates its halves. */
export const RECOVERY_CODE_LENGTH = 10

/** Authenticator code, or a recovery code instead. Drops blanks and dashes. */
export const factorCode = v.pipe(
  v.string('This field is required'),
  v.maxLength(40, inputErrors.SECOND_FACTOR_REFUSED.message),
  v.transform((text): string => text.replace(/[\s-]/g, '').toUpperCase()),
  v.regex(/^(\d{6}|[A-Z\d]{10})$/, inputErrors.SECOND_FACTOR_REFUSED.message),
)

/** The browser's WebAuthn response. The server's library parses it and rejects malformed data. */
const field = v.pipe(v.string(), v.maxLength(8192))
/** Passkey response (WebAuthn) with its challenge, which is valid once and for five minutes. */
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

/** Additional proof by a signed-in member: authenticator code, recovery code or passkey if set up, else the password. */
export const proofEntries = {
  otp: v.optional(factorCode),
  passkey: v.optional(v.object(passkeyAnswer)),
  password: v.optional(givenPassword),
}

/** `provePayout` token: proves that the member requested exactly this payout or transfer, so it needs no confirmation. */
export const stepUpToken = v.optional(v.pipe(v.string(), v.maxLength(200)))
