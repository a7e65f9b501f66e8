import { hostname } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import type { Db } from '../platform/db/database.ts'
import type { Deps } from '../platform/runtime/deps.ts'
import { tracing } from '../platform/runtime/tracing.ts'
import { VERSION } from '../platform/runtime/release.ts'
import { Stopping } from './lease.ts'
import { runSweep, type Sweep } from './sweep.ts'

export interface Worker {
  /** Ends after the batch that is running, or after {@link SHUTDOWN_GRACE_MS} without it: every sweep may be cut anywhere. */
  stop(): Promise<void>
}

/** A sweep that failed is tried again after so long: the database may be back. */
const RETRY_SECONDS = 2

/** Milliseconds: a mail server or provider may take longer to answer than a process has to end. */
const SHUTDOWN_GRACE_MS = 7_500

/** With the version, so that the doctor sees an old worker beside a new API. */
const holderName = () => `${hostname()}:${process.pid}@${VERSION}`

/** Runs every sweep once, in order, again as long as one of them finds work (a reward can make a mail due). */
export async function runOnce(db: Db, deps: Deps, sweeps: readonly Sweep[]): Promise<void> {
  for (let round = 0; round < 10; round += 1) {
    let done = 0
    for (const sweep of sweeps) {
      const count = await runSweep(db, deps, sweep, holderName())
      if (count !== null && count > 0) deps.log.info({ sweep: sweep.name, done: count }, 'sweep')
      done += count ?? 0
    }
    if (done === 0) return
  }
}

/** Is told of each run of a sweep that was its worker's: how long it took, and how many things it did. */
export type NoteRun = (sweep: string, seconds: number, done: number) => void

/** Keeps running the sweeps until stopped. A failing sweep is logged and tried again at its next turn. */
export function startWorker(db: Db, deps: Deps, sweeps: readonly Sweep[], note: NoteRun = () => undefined): Worker {
  const lanes = [...Map.groupBy(sweeps, ({ lane }) => lane).values()].map((lane) => startLane(db, deps, lane, note))
  return { stop: async () => void (await Promise.all(lanes.map((lane) => lane.stop()))) }
}

function startLane(db: Db, deps: Deps, sweeps: readonly Sweep[], note: NoteRun): Worker {
  let stopped = false
  let wake: () => void = () => undefined
  const next = new Map(sweeps.map((sweep) => [sweep.name, 0]))
  const loop = async () => {
    while (!stopped) {
      for (const sweep of sweeps) {
        if (stopped || (next.get(sweep.name) ?? 0) > performance.now()) continue
        const worked = await turn(db, deps, sweep, () => stopped, note)
        next.set(sweep.name, performance.now() + Math.min(sweep.everySeconds, worked ? Infinity : RETRY_SECONDS) * 1000)
      }
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, 500)
        wake = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    }
  }
  const running = loop()
  return {
    stop: async () => {
      stopped = true
      wake()
      await Promise.race([running, pause(SHUTDOWN_GRACE_MS, undefined, { ref: false })])
    },
  }
}

async function turn(db: Db, deps: Deps, sweep: Sweep, stopping: () => boolean, note: NoteRun): Promise<boolean> {
  const began = performance.now()
  try {
    const run = () => runSweep(db, deps, sweep, holderName(), stopping)
    const count = await (tracing()?.sweep(sweep.name, run) ?? run())
    if (count !== null) note(sweep.name, (performance.now() - began) / 1000, count)
    if (count !== null && count > 0) deps.log.info({ sweep: sweep.name, done: count }, 'sweep')
    return true
  } catch (error) {
    if (error instanceof Stopping) return true
    deps.log.error({ sweep: sweep.name, stack: error instanceof Error ? error.stack : String(error) }, 'sweep failed')
    return false
  }
}
