import type { Units } from '@tizara/money'
import { DAY_MS } from '../../platform/runtime/clock.ts'
import { firstImportedDue, MAX_UNPAID_DAYS, stepAt } from '../rewards/index.ts'

/** Rewards of an imported stake per day, or of an imported NFT per month. */
export interface OpenRewards {
  stream: 0 | 2
  startsAt: Date
  steps: number
  /** Steps that the other platform has paid. */
  paid: number
  /** Units per step. */
  reward: Units
}

/** Returns why a stake or NFT cannot continue here, with the part that is wrong, or undefined. */
export function sourceFault(
  { stream, startsAt, steps, paid }: Omit<OpenRewards, 'reward'>,
  now: Date,
): { part: 'start' | 'paid'; message: string } | undefined {
  const [name, unit, wallet] = stream === 2 ? ['NFT', 'months', 'rewards'] : ['stake', 'days', 'principal']
  let passed = Math.max(0, Math.floor((now.getTime() - startsAt.getTime()) / (stream === 2 ? 31 * DAY_MS : DAY_MS)))
  while (stepAt(stream, startsAt, passed + 1) <= now) passed += 1
  if (passed >= steps) return { part: 'start', message: `The ${name} has ended. Export its ${wallet} as a balance` }
  if (paid > passed) return { part: 'paid', message: `Only ${passed} ${unit} have passed since the start` }
  if (stepAt(stream, startsAt, paid + 1) >= firstImportedDue(now)) return undefined
  return {
    part: 'paid',
    message: `${passed} ${unit} have passed. The old platform must pay all that were due more than ${MAX_UNPAID_DAYS} days ago`,
  }
}

/** Adds up rewards by UTC month. Keeps one sum per day, so the memory does not grow with the number of stakes. */
export class PromisedRewards {
  /** Change of the sum of all rewards per day, in units, by days since 1970. */
  readonly #changes = new Map<number, Units>()

  /** Adds the steps that are not paid. */
  add({ stream, startsAt, steps, paid, reward }: OpenRewards): void {
    const dayOf = (step: number) => Math.floor(stepAt(stream, startsAt, step).getTime() / DAY_MS)
    if (stream === 2) for (let step = paid + 1; step <= steps; step += 1) this.#addDays(dayOf(step), 1, reward)
    else this.#addDays(dayOf(paid + 1), steps - paid, reward)
  }

  #addDays(first: number, count: number, reward: Units): void {
    this.#changes.set(first, (this.#changes.get(first) ?? 0n) + reward)
    this.#changes.set(first + count, (this.#changes.get(first + count) ?? 0n) - reward)
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
