import type { Config } from '../../platform/config/config.ts'

/** Defines the limits of sign-in. Durations are milliseconds unless the name says otherwise. */
const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** Lifetime in ms for the refresh cookie, and the maximum for a member's session (API-21). */
export const SESSION_MS = 30 * DAY
/** Maximum number of live sessions per account, and of sessions that wait for a mailed code. A further session ends the oldest. */
export const MAX_SESSIONS = 10
/** Grace period for a used refresh token, so that several tabs can refresh at once. */
export const REFRESH_GRACE_MS = 20 * SECOND
/** A call updates `last_seen_at` only if the stored time is at least this old. */
export const LAST_SEEN_MIN_AGE_MS = MINUTE

/** Computes the expiry of a new mailed code, verification link or reset link (GN-10). */
export const endsAt = {
  code: ({ codeMinutes }: Lives, now: Date) => new Date(now.getTime() + codeMinutes * MINUTE),
  verifyLink: ({ verifyLinkHours }: Lives, now: Date) => new Date(now.getTime() + verifyLinkHours * HOUR),
  resetLink: ({ resetLinkMinutes }: Lives, now: Date) => new Date(now.getTime() + resetLinkMinutes * MINUTE),
}
type Lives = Pick<Config, 'codeMinutes' | 'verifyLinkHours' | 'resetLinkMinutes'>

/** Maximum attempts per code. */
export const CODE_ATTEMPTS = 5
/** Maximum number of codes per account within {@link CODES_WINDOW_MS}. */
export const CODES_PER_DAY = 10
export const CODES_WINDOW_MS = DAY
/** Maximum number of registrations per day for an address with an unfinished registration. Each one sends a mail. */
export const REGISTRATIONS_PER_DAY = 10
/** Maximum requested changes of the email address per account and day; each mails the new address. */
export const EMAIL_CHANGES_PER_DAY = 5
/** Time in which the link mailed to the earlier address can cancel a change of the email address. */
export const EMAIL_CHANGE_CANCEL_MS = 7 * DAY
/** Maximum number of reset links per account within {@link RESET_WINDOW_MS}; `mailResetLink` describes further links. */
export const RESETS_PER_HOUR = 3
export const RESET_WINDOW_MS = HOUR

/** Number of failed sign-ins without a wait, and the window in which failures count. */
export const FREE_FAILURES = 5
export const FAILURE_WINDOW_MS = 15 * MINUTE
/** Wrong passwords of an account within {@link WRONG_PASSWORD_WINDOW_MS}, over all networks, above which new devices need a mailed code. */
export const MAX_WRONG_PASSWORDS = 100
export const WRONG_PASSWORD_WINDOW_MS = DAY
/** First wait in seconds; each further failure doubles it. */
export const FIRST_DELAY_SECONDS = 30

/**
 * Returns a readable device type from a User-Agent header, such as `Chrome on Windows`. Versions are omitted, because an update does not
 * make a new device.
 */
export function deviceName(userAgent: string): string {
  const find = (names: readonly (readonly [RegExp, string])[]) => names.find(([pattern]) => pattern.test(userAgent))?.[1]
  const browser = find([
    [/Edg\//, 'Edge'],
    [/OPR\//, 'Opera'],
    [/SamsungBrowser/, 'Samsung Internet'],
    [/Firefox|FxiOS/, 'Firefox'],
    [/Chrome|CriOS/, 'Chrome'],
    [/Safari/, 'Safari'],
  ])
  const system = find([
    [/Windows/, 'Windows'],
    [/Android/, 'Android'],
    [/iPhone|iPad/, 'iOS'],
    [/Mac OS X/, 'macOS'],
    [/Linux/, 'Linux'],
  ])
  if (browser !== undefined) return system === undefined ? browser : `${browser} on ${system}`
  // Accepts a word without a dot, because a mail shows it and would turn `evil.example` into a link.
  const product = /^[A-Za-z][\w-]{0,20}/.exec(userAgent)?.[0]
  return product ?? 'Unknown device'
}

/** Returns true if a session has not ended, expired or exceeded its idle time. */
export function isLive(session: { endedAt: Date | null; expiresAt: Date; lastSeenAt: Date; idleSeconds: number }, now: Date): boolean {
  if (session.endedAt !== null || session.expiresAt <= now) return false
  return now.getTime() - session.lastSeenAt.getTime() < session.idleSeconds * 1000
}
