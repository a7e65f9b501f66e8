import * as v from 'valibot'
import { amount } from './fields.ts'

/** When a change is to begin, ISO 8601 in UTC, at most a year ahead; on approval where it is left out. */
export const startsAt = v.optional(
  v.pipe(
    v.string(),
    v.isoTimestamp('Must be a moment such as 2026-01-31T00:00:00Z'),
    v.transform((text): Date => new Date(text)),
    v.check((start) => !Number.isNaN(start.getTime()), 'Must be a moment such as 2026-01-31T00:00:00Z'),
  ),
)

/**
 * What a group of members could take out at an unchanged price (RW-14), in percent of its money: once, and in 30 days of all
 * that is there; null: without a bound. The moves say how.
 */
export const bound = v.object({
  once: amount,
  perMonth: v.nullable(amount),
  moves: v.array(v.object({ what: v.string(), percent: amount })),
})
