import type { Units } from '@tizara/money'
import { AppError } from '../../../../platform/runtime/app-error.ts'
import { DAY_MS } from '../../../../platform/runtime/clock.ts'
import type { Db } from '../../../../platform/db/database.ts'
import type { Deps } from '../../../../platform/runtime/deps.ts'
import { pricesWithin } from '../../../settings/index.ts'

/** Maximum sum of price changes within 24 hours without public notice, in percent. It limits the gain of an insider. */
const MAX_UNANNOUNCED_PERCENT = 5n
/** Notice in ms before a larger change starts. */
const NOTICE_MS = DAY_MS
/** Denominator for the sum of price changes. Each change is rounded up to a part of 10^-12. */
const PARTS = 10n ** 12n

/**
 * Rejects a price change without 24 hours of notice if the sum of this change and all such changes of the 24 hours before exceeds the
 * limit. A change counts with its absolute size, because members can trade at an increase and at a decrease
 * (docs/decisions/0022-price-change-notice.md).
 * @param startsAt null if the proposal takes effect on approval
 * @throws AppError PRICE_STEP
 */
export async function assertNoticePeriod(db: Db, { clock }: Pick<Deps, 'clock'>, value: object, startsAt: Date | null): Promise<void> {
  const now = clock.now()
  const from = startsAt ?? now
  if (from.getTime() - now.getTime() >= NOTICE_MS) return
  const path = await pricesWithin(db, new Date(from.getTime() - DAY_MS), from)
  for (const name of ['coinPrice', 'convertRate'] as const) {
    const next: unknown = Reflect.get(value, name)
    if (typeof next !== 'bigint') continue
    const moves = path.map(({ at, knownSince, [name]: price }, index) =>
      index === 0 || knownSince <= at - NOTICE_MS ? 0n : move(path[index - 1]?.[name] ?? price, price),
    )
    const total = moves.reduce((sum, one) => sum + one, move(path.at(-1)?.[name] ?? next, next))
    if (total * 100n > PARTS * MAX_UNANNOUNCED_PERCENT) throw new AppError('PRICE_STEP', { percent: String(MAX_UNANNOUNCED_PERCENT) })
  }
}

/** Returns the size of a move, as a part of the price before it. */
const move = (before: Units, after: Units): bigint => ((after > before ? after - before : before - after) * PARTS + before - 1n) / before
