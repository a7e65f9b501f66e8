import { AppError } from '../../../../platform/runtime/app-error.ts'
import { DAY_MS } from '../../../../platform/runtime/clock.ts'
import type { Db } from '../../../../platform/db/database.ts'
import type { Deps } from '../../../../platform/runtime/deps.ts'
import { pricesWithin } from '../../../settings/index.ts'

/** Largest price change within 24 hours without public notice, in percent. Bounds what an insider can gain. */
const MAX_UNANNOUNCED_PERCENT = 5n
/** Notice in ms before a larger change starts. */
const NOTICE_MS = DAY_MS

/**
 * Rejects price changes above the limit unless members see them 24 hours ahead. Members see a scheduled price once it is
 * approved. The limit applies to every price of the day before, so that small steps cannot add up to a large one
 * (docs/decisions/0022-prices-are-told.md).
 * @param startsAt null: on approval
 * @throws AppError PRICE_STEP
 */
export async function assertNoticePeriod(db: Db, { clock }: Pick<Deps, 'clock'>, value: object, startsAt: Date | null): Promise<void> {
  const now = clock.now()
  const from = startsAt ?? now
  if (from.getTime() - now.getTime() >= NOTICE_MS) return
  const day = await pricesWithin(db, new Date(from.getTime() - DAY_MS), from)
  for (const name of ['coinPrice', 'convertRate'] as const) {
    const next: unknown = Reflect.get(value, name)
    if (typeof next !== 'bigint') continue
    const exceedsStep = day.some(
      ({ [name]: price }) => (next > price ? next - price : price - next) * 100n > price * MAX_UNANNOUNCED_PERCENT,
    )
    if (exceedsStep) throw new AppError('PRICE_STEP', { percent: String(MAX_UNANNOUNCED_PERCENT) })
  }
}
