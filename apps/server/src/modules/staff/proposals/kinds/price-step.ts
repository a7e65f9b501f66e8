import { AppError } from '../../../../platform/runtime/app-error.ts'
import { DAY_MS } from '../../../../platform/runtime/clock.ts'
import type { Db } from '../../../../platform/db/database.ts'
import { pricesWithin } from '../../../settings/index.ts'
import type { Change } from './change-subjects.ts'

/** Percent that a price may move by within a day before members know: what someone whom staff tell gains by it at most. */
const UNTOLD_PERCENT = 5n
/** How long members know a larger step before it begins. */
const NOTICE_MS = DAY_MS

/**
 * Refuses a price that staff and whom they tell would know sooner than members: from its approval on a planned change is
 * shown to all, and without a day of that it stays near every price of the day before, so that many small steps are no
 * large one (docs/decisions/0022-prices-are-told.md).
 * @param startsAt null: at once
 * @throws AppError PRICE_STEP
 */
export async function assertTold(db: Db, change: Pick<Change, 'subject' | 'value'>, startsAt: Date | null, now: Date): Promise<void> {
  if (change.subject !== 'price' && change.subject !== 'settings') return
  const from = startsAt ?? now
  if (from.getTime() - now.getTime() >= NOTICE_MS) return
  const day = await pricesWithin(db, new Date(from.getTime() - DAY_MS), from)
  for (const name of ['coinPrice', 'convertRate'] as const) {
    const next: unknown = Reflect.get(change.value, name)
    if (typeof next !== 'bigint') continue
    const isFar = day.some(({ [name]: held }) => (next > held ? next - held : held - next) * 100n > held * UNTOLD_PERCENT)
    if (isFar) throw new AppError('PRICE_STEP', { percent: String(UNTOLD_PERCENT) })
  }
}
