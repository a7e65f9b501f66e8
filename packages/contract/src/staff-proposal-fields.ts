import * as v from 'valibot'
import { amount } from './fields.ts'

/** Start of a proposal, ISO 8601 in UTC, at most a year ahead; absent: on approval. */
export const startsAt = v.optional(
  v.pipe(
    v.string(),
    v.isoTimestamp('Must be a moment such as 2026-01-31T00:00:00Z'),
    v.transform((text): Date => new Date(text)),
    v.check((start) => !Number.isNaN(start.getTime()), 'Must be a moment such as 2026-01-31T00:00:00Z'),
  ),
)

/**
 * Amount that a group of members could take out at a constant price [RW-14], in percent of the group's money: once, and in 30 days as the
 * largest internal rate of return; null without a limit. The moves list the rate of each offer and of each round trip, the largest first.
 */
export const maxGain = v.object({
  once: amount,
  perMonth: v.nullable(amount),
  moves: v.array(v.object({ what: v.string(), percent: v.nullable(amount) })),
  /** A gain above the setting `boundWarningPercent`, and fees below the referral share. */
  warnings: v.array(v.string()),
})
