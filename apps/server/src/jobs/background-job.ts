import type { ReplyOf } from '@tizara/contract'
import type { staffJob } from '@tizara/contract/staff-jobs'
import type { Db, Tx } from '../platform/db/database.ts'
import type { Deps } from '../platform/runtime/deps.ts'
import type { Reads } from '../platform/db/replica.ts'

/** Maximum bytes in a job's file. */
export const FILE_MAX_BYTES = 64 * 1024 * 1024
/** Maximum unfinished jobs per person. */
export const OPEN_JOBS = 5
/** Stored jobs per person and kind, files included. The limit keeps the disk from filling. */
export const MAX_STORED_JOBS = 20
/** Number of days after which a finished job and its file are deleted. */
export const JOB_RETENTION_DAYS = 7

/** Thrown if a job cannot be done. The message is shown to the requester. */
export class JobError extends Error {}

/** Input of a step. `checkpoint` is the state after the previous step; undefined in the first step. */
export interface RunningJob<Input, Checkpoint> {
  /** Public id. */
  id: string
  /** Person who requested the job. */
  ownerId: bigint
  input: Input
  checkpoint: Checkpoint | undefined
  createdAt: Date
}

export interface JobStep<Checkpoint> {
  /** JSON for the next step. A job without it is done. */
  next?: Checkpoint
  /** Progress and total, in any countable unit. */
  done: number
  total: number
  /** Next part for the file. */
  write?: string | Uint8Array
  /** JSON result for the caller, with the last step. */
  result?: unknown
}

interface JobOf<Input> {
  /** Kebab-case name. Staff kinds start with `staff-`. */
  name: string
  /** Maximum open jobs per kind and instance; unlimited if omitted. */
  atOnce?: number
  /** Maximum number of jobs that a person can start within 24 hours, one open at a time; unlimited if omitted. */
  perDay?: number
  /** Name and type of the output file; no file if omitted. */
  file?(input: Input): { name: string; type: string }
  /** Says how to get smaller files, if a period is no way to do so. Shown when the file would exceed {@link FILE_MAX_BYTES}. */
  smallerFile?(input: Input): string
}

export interface WritingJob<Input, Checkpoint> extends JobOf<Input> {
  /**
   * Does the next part in one transaction. An unexpected error rolls back, and the step is tried two more times.
   * @throws AppError, JobError with a text for the caller; after these the step is not tried again
   */
  step(tx: Tx, deps: Deps, job: RunningJob<Input, Checkpoint>): Promise<JobStep<Checkpoint>>
}

interface ReadingJob<Input, Checkpoint> extends JobOf<Input> {
  /** Runs the next step of a read-only kind, on a replica if available. */
  read(db: Db, deps: Deps, job: RunningJob<Input, Checkpoint>): Promise<JobStep<Checkpoint>>
}

/** A kind of background job. A step must be short (a second, a thousand rows), because jobs take turns and locks are held during a step. */
export type JobKind<Input = never, Checkpoint = unknown> = WritingJob<Input, Checkpoint> | ReadingJob<Input, Checkpoint>

/** Kind with private input and checkpoint types. */
export type AnyJobKind = JobKind<never, unknown>

export interface JobState {
  id: string
  kind: string
  ownerId: bigint
  state: 'WAITING' | 'RUNNING' | 'DONE' | 'FAILED'
  done: number
  total: number
  /** Estimated seconds to completion at the current rate; absent before any progress. */
  etaSeconds?: number
  result?: unknown
  error?: string
  file?: { name: string; type: string; bytes: number }
  createdAt: Date
}

/** Returns the state of a job, or undefined if it does not exist any more. */
export async function jobState(db: Db, deps: Pick<Deps, 'clock'>, id: string): Promise<JobState | undefined> {
  const row = await db.selectFrom('background_job').selectAll().where('public_id', '=', id).executeTakeFirst()
  if (row === undefined) return undefined
  const eta = etaSeconds(row, deps.clock.now())
  const { file_name: name, file_type: type } = row
  return {
    id: row.public_id,
    kind: row.kind,
    ownerId: row.owner_id,
    state: row.state as JobState['state'],
    done: Number(row.done),
    total: Number(row.total),
    createdAt: row.created_at,
    ...(eta === undefined ? {} : { etaSeconds: eta }),
    ...(row.result === null ? {} : { result: row.result }),
    ...(row.error === null ? {} : { error: row.error }),
    ...(row.state !== 'DONE' || name === null || type === null ? {} : { file: { name, type, bytes: Number(row.bytes) } }),
  }
}

/**
 * Converts a job to the format of the API.
 * @param under path of the job's calls and its file
 */
export const wireJob = (
  { id, state, done, total, etaSeconds: eta, result, error, file }: JobState,
  under: string,
): ReplyOf<typeof staffJob> => ({
  id,
  state,
  done,
  total,
  ...(eta === undefined ? {} : { etaSeconds: eta }),
  ...(result === undefined ? {} : { result }),
  ...(error === undefined ? {} : { error }),
  ...(file === undefined ? {} : { fileHref: `${under}/${id}/file`, fileName: file.name }),
})

function etaSeconds(row: { state: string; done: bigint; total: bigint; started_at: Date | null }, now: Date): number | undefined {
  if (row.state !== 'RUNNING' || row.started_at === null || row.done <= 0n || row.total <= row.done) return undefined
  const passed = (now.getTime() - row.started_at.getTime()) / 1000
  return Math.max(0, Math.ceil((passed / Number(row.done)) * Number(row.total - row.done)))
}

/** Streams a job's file part by part, reading each on demand. */
export async function* jobFile(reads: Reads, id: string): AsyncGenerator<Uint8Array> {
  for (let number = 0; ; number += 1) {
    const part = await reads.read((db) =>
      db
        .selectFrom('background_job_part as p')
        .innerJoin('background_job as j', 'j.id', 'p.job_id')
        .select('p.content')
        .where('j.public_id', '=', id)
        .where('p.number', '=', number)
        .executeTakeFirst(),
    )
    if (part === undefined) return
    yield part.content
  }
}
