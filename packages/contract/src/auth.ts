import * as v from 'valibot'
import { inputErrors } from './errors.ts'
import { answerId, email, extra, idParams, moment, password, personName } from './fields.ts'
import { NAME_MAX_LENGTH, OTP_LENGTH, REFERRAL_CODE_MIN_LENGTH } from './limits.ts'
import { appCode, factorCode, givenPassword, proofEntries } from './proof.ts'
import { nothing, memberAct, memberRead, route } from './route.ts'

export { logOut, refreshToken } from './session.ts'

/** Email at sign-in: only required (VA-02). The server does not reveal whether an account exists. */
const signInEmail = v.pipe(
  v.string('This field is required'),
  v.maxLength(254, 'Maximum length is 254'),
  v.transform((text): string => text.normalize('NFC').trim().toLowerCase()),
  v.minLength(1, 'This field is required'),
)

/** Phone number in international form (VA-17); drops blanks, dashes and brackets. */
export const phone = v.pipe(
  v.string('This field is required'),
  v.maxLength(40, inputErrors.PHONE_REFUSED.message),
  v.transform((text): string => text.replace(/[\s().-]/g, '')),
  v.minLength(1, 'This field is required'),
  v.regex(/^\+[1-9]\d{6,14}$/, inputErrors.PHONE_REFUSED.message),
)

/** Referral code. An empty code counts as no code (EN-06), otherwise at least 6 characters are required (VA-19, VA-20). */
export const referralCode = v.pipe(
  v.nullish(v.string(), ''),
  v.maxLength(64, 'Maximum length is 64'),
  v.transform((text): string => text.trim()),
  v.check((text) => text === '' || text.length >= REFERRAL_CODE_MIN_LENGTH, `Minimum length is ${REFERRAL_CODE_MIN_LENGTH}`),
  v.transform((text): string | undefined => (text === '' ? undefined : text)),
)

/** One-time code as typed (VA-78). Restores leading zeros that clients with a number field have removed. */
export const otpToken = v.pipe(
  v.union([v.string(), v.pipe(v.number(), v.integer('This field is required'))], 'This field is required'),
  v.transform((code): string => (typeof code === 'string' ? code.trim() : String(code).padStart(OTP_LENGTH, '0'))),
  v.minLength(1, 'This field is required'),
  v.minLength(OTP_LENGTH, `Minimum length is ${OTP_LENGTH}`),
  v.maxLength(64, inputErrors.OTP_REFUSED.message),
)

const signInBody = v.object({ email: signInEmail, password: givenPassword, otp: v.optional(factorCode) })

const session = v.object({ token: v.string(), user: extra(v.object({ isVerified: v.boolean() })) })

export const login = route({
  name: 'login',
  method: 'POST',
  path: '/auth/login',
  access: 'public',
  limited: true,
  summary: 'Signs a member in and sets the refresh cookie (API-18). Requires `otp` if the member has an authenticator app.',
  body: signInBody,
  reply: v.object({ token: v.string(), user: v.object({ isVerified: v.boolean() }) }),
  errors: ['LOGIN_REFUSED', 'ACCOUNT_BLOCKED', 'SECOND_FACTOR_REQUIRED', 'SECOND_FACTOR_REFUSED'],
})

export const userLogin = route({
  name: 'userLogin',
  method: 'POST',
  path: '/auth/user-login',
  access: 'public',
  limited: true,
  summary: 'Signs in from the admin sign-in page (API-19). A staff account requires `otp`.',
  body: signInBody,
  reply: session,
  errors: ['LOGIN_REFUSED', 'ACCOUNT_BLOCKED', 'SECOND_FACTOR_REQUIRED', 'SECOND_FACTOR_REFUSED'],
})

export const register = route({
  name: 'register',
  method: 'POST',
  path: '/limit/auth/register',
  access: 'public',
  limited: true,
  summary: 'Creates an account and mails a code and a link (API-25).',
  body: v.object({ name: personName(NAME_MAX_LENGTH), email, phone, password, referralCode }),
  reply: v.object({ token: v.string() }),
  errors: ['REGISTRATION_CLOSED', 'EMAIL_TAKEN', 'EMAIL_DOMAIN_REFUSED', 'PHONE_REFUSED', 'PASSWORD_TOO_COMMON', 'REFERRAL_UNKNOWN'],
})

export const verifyLink = route({
  name: 'verifyLink',
  method: 'POST',
  path: '/auth',
  access: 'link',
  summary: 'Verifies the mail address with the token of the mailed link and starts a session (API-26).',
  reply: v.object({ token: v.string() }),
  errors: ['LINK_EXPIRED', 'ACCOUNT_BLOCKED'],
})

export const verifyToken = route({
  name: 'verifyToken',
  method: 'POST',
  path: '/limit/auth/verify-token',
  access: 'session',
  limited: true,
  summary: 'Verifies the mail address with the mailed code, or completes a sign-in that requires one (API-27).',
  body: v.object({ token: otpToken }),
  reply: v.object({ token: v.string() }),
  errors: ['OTP_REFUSED'],
})

export const resendOtp = route({
  name: 'resendOtp',
  method: 'POST',
  path: '/limit/auth/resend-otp',
  access: 'session',
  limited: true,
  summary: 'Mails a new code. Answers 429 within 90 seconds of the last one (API-28, CO-35).',
  reply: nothing,
  errors: ['TOO_MANY_REQUESTS'],
})

export const forgotPassword = route({
  name: 'forgotPassword',
  method: 'POST',
  path: '/auth/forgot-password',
  access: 'public',
  limited: true,
  summary: 'Mails a reset link. An unknown address gets the same answer (API-30, API-31).',
  body: v.object({ email }),
  reply: nothing,
})

export const resetPassword = route({
  name: 'resetPassword',
  method: 'POST',
  path: '/auth/reset-password',
  access: 'link',
  limited: true,
  summary: 'Sets a new password with the token of the mailed link and ends all sessions (API-32).',
  body: v.pipe(
    v.object({ newPassword: password, confirmPassword: password }),
    v.forward(
      v.partialCheck(
        [['newPassword'], ['confirmPassword']],
        (input) => input.newPassword === input.confirmPassword,
        inputErrors.PASSWORD_MISMATCH.message,
      ),
      ['confirmPassword'],
    ),
  ),
  reply: nothing,
  errors: ['RESET_LINK_EXPIRED', 'PASSWORD_TOO_COMMON'],
})

export const changePassword = memberAct({
  name: 'changePassword',
  path: '/auth/change-password',
  limited: true,
  summary: "Changes the member's password and ends all other sessions.",
  body: v.object({ oldPassword: givenPassword, newPassword: password }),
  reply: nothing,
  errors: ['CURRENT_PASSWORD_WRONG', 'PASSWORD_TOO_COMMON'],
})

export const listSessions = memberRead({
  name: 'listSessions',
  path: '/auth/sessions',
  summary: "Lists the member's active sessions, newest first.",
  reply: v.array(
    v.object({
      id: answerId,
      device: v.string(),
      ip: v.nullish(v.string()),
      createdAt: moment,
      lastSeenAt: moment,
      current: v.boolean(),
    }),
  ),
})

export const endSession = route({
  name: 'endSession',
  method: 'DELETE',
  path: '/auth/sessions/:id',
  access: 'member',
  summary: "Ends one of the member's sessions.",
  params: idParams,
  reply: nothing,
  errors: ['NOT_FOUND'],
})

export const beginTotp = memberAct({
  name: 'beginTotp',
  path: '/auth/totp/begin',
  summary: 'Creates a secret for an authenticator app. It takes effect when a code confirms it.',
  body: v.object({ password: givenPassword }),
  reply: v.object({ secret: v.string(), uri: v.string() }),
  errors: ['SECOND_FACTOR_ON', 'CURRENT_PASSWORD_WRONG', 'TOO_MANY_REQUESTS'],
})

/** Recovery codes, each valid once in place of an authenticator code. */
const recoveryCodes = v.array(v.string())

export const confirmTotp = memberAct({
  name: 'confirmTotp',
  path: '/auth/totp/confirm',
  limited: true,
  summary: 'Turns two-factor authentication on with a first code. Returns the recovery codes, which no other call repeats.',
  body: v.object({ otp: appCode }),
  reply: v.object({ recoveryCodes }),
  errors: ['SECOND_FACTOR_ON', 'SECOND_FACTOR_OFF', 'SECOND_FACTOR_REFUSED'],
})

export const disableTotp = memberAct({
  name: 'disableTotp',
  path: '/auth/totp/disable',
  limited: true,
  summary: 'Turns two-factor authentication off with password and code.',
  body: v.object({ password: givenPassword, otp: factorCode }),
  reply: nothing,
  errors: ['SECOND_FACTOR_OFF', 'CURRENT_PASSWORD_WRONG', 'SECOND_FACTOR_REFUSED'],
})

export const countRecoveryCodes = memberRead({
  name: 'countRecoveryCodes',
  path: '/auth/recovery-codes',
  summary: 'Counts the unused recovery codes of the authenticator app.',
  reply: v.object({ unused: v.number() }),
})

export const renewRecoveryCodes = memberAct({
  name: 'renewRecoveryCodes',
  path: '/auth/recovery-codes',
  limited: true,
  summary: 'Replaces the recovery codes. Requires a code of the authenticator app, a recovery code or a passkey. Ends other sessions.',
  body: v.strictObject(proofEntries),
  reply: v.object({ recoveryCodes }),
  errors: ['SECOND_FACTOR_OFF', 'SECOND_FACTOR_REQUIRED', 'SECOND_FACTOR_REFUSED', 'PASSKEY_REFUSED'],
})
