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

/** What a signed-in member shows once more: the code where an authenticator app is set up, else the password. */
export const proofEntries = { otp: v.optional(appCode), password: v.optional(givenPassword) }
