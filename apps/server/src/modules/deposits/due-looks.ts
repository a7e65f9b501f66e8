import { DAY_MS, HOUR_MS } from '../../platform/runtime/clock.ts'
import type { Db } from '../../platform/db/database.ts'

/** No look at a deposit is put off for longer. */
export const LONGEST_MS = { hosted: HOUR_MS, chain: DAY_MS } as const

/**
 * The next deposits that somebody has to look at. One that was put off for twice as long as any is was so before the clock was
 * set back: its look is due, too, and not only when that moment comes again.
 */
export async function dueLooks(db: Db, way: keyof typeof LONGEST_MS, now: Date, limit: number) {
  const looks = db
    .selectFrom('deposit')
    .select(['id', 'public_id', 'provider_invoice_id', 'created_at', 'address', 'next_check_at'])
    .where('way', '=', way)
    .orderBy('next_check_at')
  const due = await looks.where('next_check_at', '<=', now).limit(limit).execute()
  if (due.length === limit) return due
  const lost = await looks
    .where('next_check_at', '>', new Date(now.getTime() + 2 * LONGEST_MS[way]))
    .limit(limit - due.length)
    .execute()
  return [...due, ...lost]
}
