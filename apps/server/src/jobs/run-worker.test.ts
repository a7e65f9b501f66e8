import { setTimeout as pause } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { testDatabase } from '../../test/database.ts'
import { testInstance } from '../../test/test-instance.ts'
import type { Job } from './job.ts'
import { startWorker } from './run-worker.ts'

const { db, deps } = await testInstance(await testDatabase(4))

/** Jobs that would next run after 30 seconds. `first` processes a number of items and makes `second` due. */
async function play(items: number, { isRunning }: { isRunning: boolean }): Promise<number> {
  const began = Promise.withResolvers<void>()
  const ended = Promise.withResolvers<void>()
  let runs = 0
  const second: Job = {
    name: 'second',
    group: 'second',
    everySeconds: 30,
    run: async () => {
      runs += 1
      began.resolve()
      if (isRunning && runs === 1) await ended.promise
      return 0
    },
  }
  const first: Job = {
    name: 'first',
    everySeconds: 30,
    makesDue: 'second',
    run: async () => {
      await began.promise
      return items
    },
  }
  const noted = Promise.withResolvers<void>()
  const worker = startWorker(db, deps, [second, first], (name) => name === 'first' && noted.resolve())
  await noted.promise
  ended.resolve()
  if (items > 0) await expect.poll(() => runs).toBe(2)
  // `note` is called before the worker would start the second job, which then needs a moment to run.
  else await pause(200)
  await worker.stop()
  return runs
}

it.each([
  ['at once when another one has made it due', 1, false, 2],
  ['again when another one has made it due during its run', 1, true, 2],
  ['at its time when the other one had no work', 0, false, 1],
])('a job runs %s', async (_, items, isRunning, runs) => {
  const began = performance.now()
  expect(await play(items, { isRunning })).toBe(runs)
  // A worker whose jobs wait for their time stops at once.
  expect(performance.now() - began).toBeLessThan(7_000)
})
