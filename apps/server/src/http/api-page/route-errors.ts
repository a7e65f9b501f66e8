import { type ErrorCode, errorCatalogue, type Route } from '@tizara/contract'
import { isKeyRight } from '../calls/key-rights.ts'
import { needsTerms } from '../calls/session-guard.ts'

/** Cause of an error, for errors with a message that does not name the cause. */
export const CAUSES: Readonly<Partial<Record<ErrorCode, string>>> = {
  INVALID_INPUT: 'a field is missing, too long or malformed; `errorMessages` lists each one',
  INSUFFICIENT_BALANCE: 'the balance of the paying wallet is too low',
  LOGIN_REFUSED: 'no account has this address, or the password is wrong',
  LINK_EXPIRED: 'the mailed link was used or has expired',
  RESET_LINK_EXPIRED: 'the mailed link was used or has expired',
  OTP_REFUSED: 'the code was used, has expired, or too many wrong codes were entered',
  PRICE_CHANGED: 'the price in the request is no longer current',
  FEE_CHANGED: 'the fee in the request is no longer current',
  FIGURES_CHANGED: 'the figures in the request are no longer those of the plan',
  NOT_COVERED: 'the reward pool does not cover the new liability',
  FOUR_EYES: 'the same person would decide twice, or on their own request',
  CHANGE_OUTDATED: 'the values that the proposal was based on have changed',
  SIMULATION_NEEDED: 'the proposer has not simulated exactly this programme within the last day',
  STAFF_ONLY: 'the account is not a staff account, or its role lacks the right',
  NOT_FOUND: 'it does not exist, or it belongs to another member',
  IDEMPOTENCY_KEY_REUSED: 'the key was used before with another body',
  IDEMPOTENCY_KEY_INVALID: 'the key is empty, too long or holds control characters',
  IDEMPOTENCY_RUNNING: 'the first call with this key has not been answered yet',
  CALL_REPEATED: 'the same call without a key was made a moment ago',
  UNSUPPORTED_MEDIA_TYPE: 'the body does not have the declared type',
  BODY_TOO_LARGE: 'the body is larger than any valid one',
  TOKEN_EXPIRED: 'the access token has expired: call `POST /auth/refresh-token` and repeat',
  UNAUTHENTICATED: 'the session or API key has ended or does not exist: sign in, or create a key',
  EMAIL_NOT_VERIFIED: 'the mail address of the account is not verified',
  TERMS_NOT_ACCEPTED: 'the operator has published terms of use that the member has not accepted: `POST /terms/accept`',
  ACCOUNT_BLOCKED: 'staff have blocked the account',
  TOO_MANY_REQUESTS: 'the rate limit is reached; `Retry-After` is the number of seconds to wait',
  PAYMENT_PROVIDER_DOWN: 'the provider did not answer in time',
  BUSY: 'too many calls are in progress; `Retry-After` is the number of seconds to wait',
}

export interface RouteError {
  code: ErrorCode
  status: number
  message: string
  when: string | undefined
}

/** Returns all refusals of a call: its own, and those of access, input and limits. */
export function routeErrorsOf(route: Route): RouteError[] {
  const codes = new Set<ErrorCode>(route.errors ?? [])
  if (route.body !== undefined || route.query !== undefined || route.params !== undefined) codes.add('INVALID_INPUT')
  if (route.access === 'session' || route.access === 'member' || route.access === 'staff') {
    codes.add('UNAUTHENTICATED')
    codes.add('TOKEN_EXPIRED')
    codes.add('API_KEY_RIGHT_MISSING')
  }
  if (route.access === 'member') codes.add('EMAIL_NOT_VERIFIED')
  if (needsTerms(route)) codes.add('TERMS_NOT_ACCEPTED')
  if (route.access === 'staff') codes.add('STAFF_ONLY')
  if (route.money === true) {
    for (const code of ['IDEMPOTENCY_KEY_REUSED', 'IDEMPOTENCY_KEY_INVALID', 'IDEMPOTENCY_RUNNING', 'CALL_REPEATED'] as const)
      codes.add(code)
  }
  if (route.body !== undefined) {
    codes.add('UNSUPPORTED_MEDIA_TYPE')
    codes.add('BODY_TOO_LARGE')
  }
  if (route.personal !== undefined) codes.add('VIEW_LIMIT')
  const isReadByKeys = isKeyRight('member', route.name) || isKeyRight('operator', route.name)
  if (isReadByKeys) codes.add('API_KEY_NETWORK_REFUSED')
  if (route.limited === true || isReadByKeys) codes.add('TOO_MANY_REQUESTS')
  codes.add('BUSY')
  return [...codes].map((code) => ({ code, ...errorCatalogue[code], when: CAUSES[code] })).toSorted((a, b) => a.status - b.status)
}
