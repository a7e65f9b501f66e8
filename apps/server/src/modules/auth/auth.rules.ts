import type { Config } from '../../platform/config/config.ts'

/** The figures of sign-in, in one place. Durations are milliseconds unless the name says otherwise. */
const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** Life of the refresh cookie and of a member's session in any case (API-21). */
export const SESSION_MS = 30 * DAY
/** Live sessions of one account; the oldest ends. */
export const MAX_SESSIONS = 10
/** How long a used refresh token still answers, so that several tabs may refresh at once (T4). */
export const REFRESH_GRACE_MS = 20 * SECOND
/** How old `last_seen_at` may get before a call writes it again. */
export const SEEN_STEP_MS = MINUTE

/** When a mailed code, a verification link and a reset link end that are made now (GN-10). */
export const endsAt = {
  code: ({ codeMinutes }: Lives, now: Date) => new Date(now.getTime() + codeMinutes * MINUTE),
  verifyLink: ({ verifyLinkHours }: Lives, now: Date) => new Date(now.getTime() + verifyLinkHours * HOUR),
  resetLink: ({ resetLinkMinutes }: Lives, now: Date) => new Date(now.getTime() + resetLinkMinutes * MINUTE),
}
type Lives = Pick<Config, 'codeMinutes' | 'verifyLinkHours' | 'resetLinkMinutes'>

/** Tries per code, and codes per account and day. */
export const CODE_ATTEMPTS = 5
export const CODES_PER_DAY = 10
export const CODE_DAY_MS = DAY
/** Registrations of one address that an unfinished one holds, per day; each is a mail. */
export const ATTEMPTS_PER_DAY = 10
export const RESETS_PER_HOUR = 3
export const RESET_WINDOW_MS = HOUR

/** The failed sign-in of an account from which on it has to wait, and the window they are counted in. */
export const FREE_FAILURES = 5
export const FAILURE_WINDOW_MS = 15 * MINUTE
/** The first wait, which doubles. */
export const FIRST_DELAY_SECONDS = 30

/**
 * The kind of device behind a User-Agent header, for people: `Chrome on Windows`. Versions are left out, so that an
 * update is not a new device.
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
  // A word without a dot: it stands in a mail, where `evil.example` would be a link.
  const product = /^[A-Za-z][\w-]{0,20}/.exec(userAgent)?.[0]
  return product ?? 'Unknown device'
}

/** Whether a session still is: not ended, within its life, and used recently enough. */
export function isLive(session: { endedAt: Date | null; expiresAt: Date; lastSeenAt: Date; idleSeconds: number }, now: Date): boolean {
  if (session.endedAt !== null || session.expiresAt <= now) return false
  return now.getTime() - session.lastSeenAt.getTime() < session.idleSeconds * 1000
}
