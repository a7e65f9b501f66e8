import { DAY_MS, HOUR_MS } from '../../../platform/runtime/clock.ts'
import type { Db } from '../../../platform/db/database.ts'

/** Maximum delay in ms between two polls of a deposit. */
export const MAX_POLL_DELAY_MS = { hosted: HOUR_MS, chain: DAY_MS } as const

/**
 * Returns the next deposits to poll. A poll scheduled more than twice the maximum ahead is due at once, because the clock was set
 * back.
 */
export async function duePolls(db: Db, method: keyof typeof MAX_POLL_DELAY_MS, now: Date, limit: number) {
  const polls = db
    .selectFrom('deposit')
    .select(['id', 'public_id', 'provider_invoice_id', 'created_at', 'address', 'next_check_at'])
    .where('method', '=', method)
    .orderBy('next_check_at')
  const due = await polls.where('next_check_at', '<=', now).limit(limit).execute()
  if (due.length === limit) return due
  const lost = await polls
    .where('next_check_at', '>', new Date(now.getTime() + 2 * MAX_POLL_DELAY_MS[method]))
    .limit(limit - due.length)
    .execute()
  return [...due, ...lost]
}
