import { type Selectable, sql } from 'kysely'
import { AppError } from '../platform/runtime/app-error.ts'
import { DAY_MS } from '../platform/runtime/clock.ts'
import type { Db, Tx } from '../platform/db/database.ts'
import type { Deps } from '../platform/runtime/deps.ts'
import type { Reads } from '../platform/db/replica.ts'
import type { DB } from '../platform/db/tables.generated.ts'
import {
  type AnyJobKind,
  FILE_MAX_BYTES,
  JOB_RETENTION_DAYS,
  type RunningJob,
  type JobKind,
  JobError,
  type JobStep,
} from './background-job.ts'
import { type Lease, LeaseLost } from './lease.ts'
import type { Retention } from './retention.ts'
import type { Job } from './job.ts'
import { isGenuineJob } from './job-mac.ts'

/** Turn length in ms, so that a worker stops promptly. */
const TURN_MS = 3_000
/** Maximum attempts for a failing step. */
const MAX_ATTEMPTS = 3
/** Text for the caller if SQL inserted or changed the job. */
const FORGED = 'Integrity check failed: this request was modified outside the application'
/** Text for the caller of a failed job. Only the log has the reason. */
const FAILED = 'Something went wrong. Nothing was changed. Please start it again'

/** Text for the caller of a file that would be too large, unless the kind knows another way. */
const TOO_LARGE = 'The file would be larger than 64 MB. Choose a shorter period, or contact us'

type Row = Selectable<DB['background_job']>

export const jobRetention: readonly Retention[] = [{ table: 'background_job', moment: 'finished_at', days: JOB_RETENTION_DAYS }]

/**
 * Runs background jobs, one step each in turn, so that a small job does not wait for a large one. The worker runs this job beside the
 * recurring jobs, so that due work does not wait either.
 * @param reads source for read-only kinds; the primary if omitted
 */
export function backgroundJobs(kinds: readonly AnyJobKind[], reads?: Reads): Job {
  const byName = new Map(kinds.map((kind) => [kind.name, kind as unknown as JobKind<unknown, unknown>]))
  if (byName.size !== kinds.length) throw new Error('two kinds of jobs have one name')
  return {
    name: 'background-jobs',
    everySeconds: 1,
    group: 'background-jobs',
    run: async (lease, deps) => {
      const until = performance.now() + TURN_MS
      let steps = 0
      for (;;) {
        const open = await lease.read((db) =>
          db.selectFrom('background_job').select(['id', 'kind']).where('finished_at', 'is', null).orderBy('id').limit(100).execute(),
        )
        if (open.length === 0) return steps
        for (const { id, kind } of open) {
          await runStep(lease, deps, { id, kind: byName.get(kind), reads: reads ?? lease })
          steps += 1
          if (performance.now() > until || lease.stopping()) return steps
        }
      }
    },
  }
}

interface StepInput {
  id: bigint
  kind: JobKind<unknown, unknown> | undefined
  reads: Reads
}

async function runStep(lease: Lease, deps: Deps, { id, kind, reads }: StepInput): Promise<void> {
  // Counts the attempt before the step, so that a step that crashes the process does not repeat forever.
  const attempts = await lease.inTransaction((tx) => countAttempt(tx, id))
  if (attempts === undefined) return
  try {
    if (kind === undefined || attempts > MAX_ATTEMPTS) throw new JobError(FAILED)
    // The lease guards the step: after a takeover this worker's transactions fail.
    const read = 'read' in kind ? await reads.read(async (db) => kind.read(db, deps, verifiedJob(deps, await rowOf(db, id)))) : undefined
    await lease.inTransaction(async (tx) => {
      const row = await rowOf(tx, id, true)
      // Cancelled between the two transactions.
      if (row.finished_at !== null) return
      const step = 'read' in kind ? read : await kind.step(tx, deps, verifiedJob(deps, row))
      if (step !== undefined) await recordStep(tx, deps, row, step, kind)
    })
  } catch (error) {
    if (error instanceof LeaseLost) throw error
    deps.log.warn(
      { job: String(id), tried: attempts, stack: error instanceof Error ? error.stack : String(error) },
      'a step of a job failed',
    )
    const why = error instanceof AppError || error instanceof JobError ? error.message : undefined
    if (why !== undefined || attempts >= MAX_ATTEMPTS) await lease.inTransaction((tx) => fail(tx, deps, id, why ?? FAILED))
  }
}

const rowOf = (db: Db, id: bigint, lock = false): Promise<Row> =>
  db
    .selectFrom('background_job')
    .selectAll()
    .where('id', '=', id)
    .$if(lock, (query) => query.forUpdate())
    .executeTakeFirstOrThrow()

/** @throws JobError if SQL inserted or changed the job, or inserted an old one again */
function verifiedJob({ config, clock }: Deps, row: Row): RunningJob<unknown, unknown> {
  const { public_id: id, owner_id: ownerId, input, checkpoint, created_at: createdAt } = row
  const isOld = createdAt.getTime() < clock.now().getTime() - JOB_RETENTION_DAYS * DAY_MS
  if (isOld || !isGenuineJob(config, row)) throw new JobError(FORGED)
  return { id, ownerId, input, checkpoint: checkpoint ?? undefined, createdAt }
}

/**
 * @returns the number of attempts of the next step, including this one; undefined for a finished job
 */
async function countAttempt(tx: Tx, id: bigint): Promise<number | undefined> {
  const row = await tx
    .updateTable('background_job')
    .set({ attempts: sql`attempts + 1` })
    .where('id', '=', id)
    .where('finished_at', 'is', null)
    .returning('attempts')
    .executeTakeFirst()
  return row?.attempts
}

interface JobProgress {
  done: bigint
  total: bigint
  parts?: number
  bytes?: bigint
}

async function recordStep(tx: Tx, deps: Deps, row: Row, step: JobStep<unknown>, kind: JobKind<unknown>): Promise<void> {
  const { next, result } = step
  const counted: JobProgress = { done: BigInt(step.done), total: BigInt(step.total), ...(await writePart(tx, row, step.write, kind)) }
  if (next === undefined) return finish(tx, deps, row, { ...counted, result: result === undefined ? null : JSON.stringify(result) })
  await tx
    .updateTable('background_job')
    .set({ ...counted, state: 'RUNNING', attempts: 0, checkpoint: JSON.stringify(next), started_at: row.started_at ?? deps.clock.now() })
    .where('id', '=', row.id)
    .execute()
}

/** @throws JobError if the file would become too large */
async function writePart(
  tx: Tx,
  row: Row,
  write: string | Uint8Array | undefined,
  kind: JobKind<unknown>,
): Promise<{ parts?: number; bytes?: bigint }> {
  if (write === undefined || write.length === 0) return {}
  const content = Buffer.from(write)
  const bytes = row.bytes + BigInt(content.length)
  if (bytes > FILE_MAX_BYTES) throw new JobError(kind.smallerFile?.(row.input) ?? TOO_LARGE)
  await tx.insertInto('background_job_part').values({ job_id: row.id, number: row.parts, content }).execute()
  return { parts: row.parts + 1, bytes }
}

async function finish(tx: Tx, deps: Deps, row: Row, set: JobProgress & { result: string | null }): Promise<void> {
  const at = deps.clock.now()
  await tx
    .updateTable('background_job')
    .set({ ...set, state: 'DONE', checkpoint: null, started_at: row.started_at ?? at, finished_at: at })
    .where('id', '=', row.id)
    .execute()
}

async function fail(tx: Tx, deps: Deps, id: bigint, error: string): Promise<void> {
  await tx.deleteFrom('background_job_part').where('job_id', '=', id).execute()
  await tx
    .updateTable('background_job')
    .set({ state: 'FAILED', error, checkpoint: null, parts: 0, bytes: 0n, finished_at: deps.clock.now() })
    .where('id', '=', id)
    .execute()
}
