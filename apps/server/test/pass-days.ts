import { DAY_MS, type testClock } from '../src/platform/runtime/clock.ts'

/** Advances a clock by days and works at least every three, because runs catch up on no more. */
export async function passDays(clock: ReturnType<typeof testClock>, days: number, work: () => Promise<unknown>): Promise<void> {
  for (let left = days; left > 0; left -= 3) {
    clock.advance(Math.min(left, 3) * DAY_MS)
    await work()
  }
}
