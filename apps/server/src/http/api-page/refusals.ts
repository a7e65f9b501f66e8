import { type ErrorCode, errorCatalogue, type Route } from '@tizara/contract'

/** Conditions of refusals whose text does not explain them. */
const WHEN: Readonly<Partial<Record<ErrorCode, string>>> = {
  INVALID_INPUT: 'a field is missing, too long or of another form; `errorMessages` names each',
  INSUFFICIENT_BALANCE: 'the wallet that pays holds less',
  LOGIN_REFUSED: 'no account has this address, or the password is another one',
  LINK_EXPIRED: 'the mailed link was used or is too old',
  RESET_LINK_EXPIRED: 'the mailed link was used or is too old',
  OTP_REFUSED: 'the code was used, is too old, or was guessed too often',
  PRICE_CHANGED: 'the price that was sent or shown is no longer the one in force',
  FEE_CHANGED: 'the fee that was shown is no longer the one in force',
  FIGURES_CHANGED: 'the plan no longer has the figures that were sent',
  NOT_COVERED: 'the reward pool does not cover what this would promise',
  FOUR_EYES: 'the same person would decide twice, or about an own request',
  CHANGE_OUTDATED: 'what it was reckoned from has changed since',
  SIMULATION_NEEDED: 'no simulation of exactly this programme by its maker is at most a day old',
  STAFF_ONLY: 'the account is not of staff, or lacks the right',
  NOT_FOUND: 'it does not exist, or it belongs to another member',
  IDEMPOTENCY_KEY_REUSED: 'the key was sent before with another body',
  IDEMPOTENCY_KEY_INVALID: 'the key is empty, too long or holds control characters',
  IDEMPOTENCY_RUNNING: 'the first call with this key has not been answered yet',
  CALL_REPEATED: 'the same call without a key came a moment ago',
  UNSUPPORTED_MEDIA_TYPE: 'the body is not of the named type',
  BODY_TOO_LARGE: 'the body is larger than any valid one',
  TOKEN_EXPIRED: 'the access token is past its time: call `POST /auth/refresh-token` and repeat',
  UNAUTHENTICATED: 'there is no live session: sign in',
  EMAIL_NOT_VERIFIED: 'the mail address of the account waits for its verification',
  ACCOUNT_BLOCKED: 'staff have blocked the account',
  TOO_MANY_REQUESTS: 'the limit is used up; `Retry-After` says for how many seconds',
  PAYMENT_PROVIDER_DOWN: 'the provider did not answer in time',
  BUSY: 'too many calls are open; `Retry-After` is the number of seconds to wait',
}

export interface Refusal {
  code: ErrorCode
  status: number
  message: string
  when: string | undefined
}

/** Returns all refusals of a call: its own, and those of access, input and limits. */
export function refusalsOf(route: Route): Refusal[] {
  const codes = new Set<ErrorCode>(route.errors ?? [])
  if (route.body !== undefined || route.query !== undefined || route.params !== undefined) codes.add('INVALID_INPUT')
  if (route.access === 'session' || route.access === 'member' || route.access === 'staff') {
    codes.add('UNAUTHENTICATED')
    codes.add('TOKEN_EXPIRED')
  }
  if (route.access === 'member') codes.add('EMAIL_NOT_VERIFIED')
  if (route.access === 'staff') codes.add('STAFF_ONLY')
  if (route.money === true) {
    for (const code of ['IDEMPOTENCY_KEY_REUSED', 'IDEMPOTENCY_KEY_INVALID', 'IDEMPOTENCY_RUNNING', 'CALL_REPEATED'] as const)
      codes.add(code)
  }
  if (route.body !== undefined) {
    codes.add('UNSUPPORTED_MEDIA_TYPE')
    codes.add('BODY_TOO_LARGE')
  }
  if (route.limited === true) codes.add('TOO_MANY_REQUESTS')
  codes.add('BUSY')
  return [...codes].map((code) => ({ code, ...errorCatalogue[code], when: WHEN[code] })).toSorted((a, b) => a.status - b.status)
}
