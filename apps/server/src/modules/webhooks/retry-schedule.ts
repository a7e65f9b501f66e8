import { randomInt } from 'node:crypto'
import { DAY_MS, HOUR_MS } from '../../platform/runtime/clock.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND
/** Waits in ms between the ten attempts for a delivery: three days in total. */
const DELAYS_MS = [5 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE, HOUR_MS, 4 * HOUR_MS, 12 * HOUR_MS, DAY_MS, 31 * HOUR_MS]
/** Longest `Retry-After` that is followed, in ms. */
const RETRY_AFTER_MAX_MS = DAY_MS
const FIRST_REST_MS = 5 * SECOND
const LONGEST_REST_MS = 5 * MINUTE
/** Longest wait that this file returns, in ms. A longer one was written before a clock was set back. */
export const LONGEST_WAIT_MS = 35 * HOUR_MS

/** Varies a wait by up to a tenth, so that many deliveries do not return at once. */
const jitter = (ms: number): number => ms + randomInt(-Math.floor(ms / 10), Math.floor(ms / 10) + 1)

/** Returns the time of the next attempt; undefined after the last one. */
export function nextAttempt(attempts: number, now: Date, retryAfterMs = 0): Date | undefined {
  const delay = DELAYS_MS[attempts - 1]
  return delay === undefined ? undefined : new Date(now.getTime() + Math.max(jitter(delay), retryAfterMs))
}

/** Returns the time before which an endpoint that does not respond gets no further attempt. */
export const cooldownUntil = (failures: number, now: Date, retryAfterMs = 0): Date =>
  new Date(now.getTime() + Math.max(jitter(Math.min(LONGEST_REST_MS, FIRST_REST_MS * 2 ** Math.min(failures - 1, 16))), retryAfterMs))

/** Returns the wait that the header `Retry-After` asks for, in ms: seconds or a date; 0 if it has neither. */
export function readRetryAfter(header: string | undefined, now: Date): number {
  if (header === undefined) return 0
  const ms = /^\d{1,9}$/.test(header) ? Number(header) * SECOND : Date.parse(header) - now.getTime()
  return Number.isNaN(ms) ? 0 : Math.min(Math.max(ms, 0), RETRY_AFTER_MAX_MS)
}
