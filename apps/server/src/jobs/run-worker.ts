import { hostname } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import type { Db } from '../platform/db/database.ts'
import type { Deps } from '../platform/runtime/deps.ts'
import { tracing } from '../platform/runtime/tracing.ts'
import { VERSION } from '../platform/runtime/release.ts'
import { Stopping } from './lease.ts'
import { runJob, type Job } from './job.ts'

export interface Worker {
  /** Stops after the running batch, or after {@link SHUTDOWN_GRACE_MS} at the latest: every job can be aborted anywhere. */
  stop(): Promise<void>
}

/** Seconds before a failed job runs again. The database may have recovered. */
const RETRY_SECONDS = 2

/** Shutdown grace period in ms. Upstream calls may outlast it. */
const SHUTDOWN_GRACE_MS = 7_500

/** Includes the version, so that the doctor detects an old worker beside a new API. */
const holderName = () => `${hostname()}:${process.pid}@${VERSION}`

/** Runs every job in order, and repeats while any finds work, because a reward can make a mail due. */
export async function runOnce(db: Db, deps: Deps, jobs: readonly Job[]): Promise<void> {
  for (let round = 0; round < 10; round += 1) {
    let processed = 0
    for (const job of jobs) {
      const count = await runJob(db, deps, job, holderName())
      if (count !== null && count > 0) deps.log.info({ job: job.name, done: count }, 'job')
      processed += count ?? 0
    }
    if (processed === 0) return
  }
}

/** Called after each job run with its duration in seconds and its number of items. */
export type NoteRun = (job: string, seconds: number, done: number) => void

/** Jobs that take turns. */
interface Group extends Worker {
  /** Starts a job of the group now, or again at once if it is running. */
  startNow(name: string): void
}

/** Runs the jobs until stopped. A failed job is logged and runs again at its next turn. */
export function startWorker(db: Db, deps: Deps, jobs: readonly Job[], note: NoteRun = () => undefined): Worker {
  const groupOf = new Map<string | undefined, Group>()
  const makesDue = new Map(jobs.map(({ name, makesDue: next }) => [name, jobs.find((job) => job.name === next)]))
  const noteRun: NoteRun = (name, seconds, done) => {
    note(name, seconds, done)
    const next = makesDue.get(name)
    if (next !== undefined && done > 0) groupOf.get(next.group)?.startNow(next.name)
  }
  const byGroup = Map.groupBy(jobs, ({ group }) => group)
  for (const [name, ofGroup] of byGroup) groupOf.set(name, startGroup(db, deps, ofGroup, noteRun))
  return { stop: async () => void (await Promise.all([...groupOf.values()].map((group) => group.stop()))) }
}

function startGroup(db: Db, deps: Deps, jobs: readonly Job[], note: NoteRun): Group {
  let stopped = false
  let wake: () => void = () => undefined
  const next = new Map(jobs.map((job) => [job.name, 0]))
  const dueIn = () => Math.max(0, Math.min(...next.values()) - performance.now())
  const loop = async () => {
    while (!stopped) {
      for (const job of jobs) {
        if (stopped || (next.get(job.name) ?? 0) > performance.now()) continue
        next.set(job.name, Infinity)
        const worked = await turn(db, deps, job, () => stopped, note)
        const again = performance.now() + Math.min(job.everySeconds, worked ? Infinity : RETRY_SECONDS) * 1000
        // Earlier if the job became due during its turn.
        next.set(job.name, Math.min(again, next.get(job.name) ?? again))
      }
      if (stopped) return
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, dueIn())
        wake = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    }
  }
  const running = loop()
  return {
    startNow: (name) => {
      next.set(name, 0)
      wake()
    },
    stop: async () => {
      stopped = true
      wake()
      await Promise.race([running, pause(SHUTDOWN_GRACE_MS, undefined, { ref: false })])
    },
  }
}

async function turn(db: Db, deps: Deps, job: Job, stopping: () => boolean, note: NoteRun): Promise<boolean> {
  const began = performance.now()
  try {
    const run = () => runJob(db, deps, job, holderName(), stopping)
    const count = await (tracing()?.job(job.name, run) ?? run())
    if (count !== null) note(job.name, (performance.now() - began) / 1000, count)
    if (count !== null && count > 0) deps.log.info({ job: job.name, done: count }, 'job')
    return true
  } catch (error) {
    if (error instanceof Stopping) return true
    deps.log.error({ job: job.name, stack: error instanceof Error ? error.stack : String(error) }, 'job failed')
    return false
  }
}
