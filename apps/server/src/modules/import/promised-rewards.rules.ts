import { dailyReward, type Units } from '@tizara/money'
import { DAY_MS } from '../../platform/runtime/clock.ts'
import { firstImportedDue, MAX_UNPAID_DAYS } from '../rewards/index.ts'
import type { StakeRow } from './files.rules.ts'

/** Returns why a stake cannot continue here, with the column, or undefined. */
export function stakeFault(
  { started_at: startedAt, duration_days: duration, paid_days: paid }: StakeRow,
  now: Date,
): { column: keyof StakeRow; message: string } | undefined {
  const passed = Math.floor((now.getTime() - startedAt.getTime()) / DAY_MS)
  if (passed >= duration) return { column: 'started_at', message: 'The stake has ended. Export its principal as a balance' }
  if (paid > passed) return { column: 'paid_days', message: `Only ${passed} days have passed since the start` }
  if (nextDue(startedAt, paid) >= firstImportedDue(now)) return undefined
  return { column: 'paid_days', message: `${passed} days have passed. The old platform must pay all but the last ${MAX_UNPAID_DAYS}` }
}

const nextDue = (startedAt: Date, paid: number) => new Date(startedAt.getTime() + (paid + 1) * DAY_MS)

/** Adds up rewards by UTC month. Keeps one sum per day, so the memory does not grow with the number of stakes. */
export class PromisedRewards {
  /** Change of the sum of all rewards per day, in units, by days since 1970. */
  readonly #changes = new Map<number, Units>()

  /** Adds the days of a stake that are not paid. */
  addStake({ amount, percent, duration_days: duration, started_at: startedAt, paid_days: paid }: StakeRow): void {
    const reward = dailyReward(amount, percent, duration)
    const first = Math.floor(nextDue(startedAt, paid).getTime() / DAY_MS)
    this.#change(first, reward)
    this.#change(first + duration - paid, -reward)
  }

  #change(day: number, amount: Units): void {
    this.#changes.set(day, (this.#changes.get(day) ?? 0n) + amount)
  }

  /** Returns the units by month (`YYYY-MM`), without months that have none. */
  byMonth(): Record<string, Units> {
    const months: Record<string, Units> = {}
    const days = [...this.#changes.keys()].toSorted((a, b) => a - b)
    let daily = 0n
    for (let [day = 0] = days, last = days.at(-1) ?? 0; day < last; day += 1) {
      daily += this.#changes.get(day) ?? 0n
      const month = new Date(day * DAY_MS).toISOString().slice(0, 7)
      if (daily > 0n) months[month] = (months[month] ?? 0n) + daily
    }
    return months
  }
}
