import type { Units } from '@tizara/money'
import { DAY_MS } from '../../../platform/clock.ts'
import { shareOf, STREAM_FACTS } from '../programme/rewards.rules.ts'
import type { Source } from '../sources/source.ts'
import type { NewPromise } from './promises.ts'

/** The bounties of all levels on one reward, each rounded down by itself. */
export const largestBounty = (reward: Units, percents: readonly Units[]): Units =>
  percents.reduce((total, percent) => total + shareOf(reward, percent), 0n)

/**
 * What a source promises from its next step on: its own rewards, and the largest possible bounties on them. The sale notes
 * it, each counted step keeps its part, and an undone sale takes the same back for the steps to come.
 */
export function promisesOf(source: Omit<Source, 'id' | 'undoneAt'>): NewPromise[] {
  const { own, bounty, step } = STREAM_FACTS[source.stream]
  // Of an NFT nothing is counted yet when it is sold, or undone.
  const startsAt = new Date(source.startsAt.getTime() + source.counted * DAY_MS)
  const steps = { step, startsAt, times: source.times - source.counted }
  return [
    { ...steps, kind: own, amount: source.amount },
    { ...steps, kind: bounty, amount: source.bounty },
  ]
}
