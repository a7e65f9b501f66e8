import { sql } from 'kysely'
import { DAY_MS } from '../platform/runtime/clock.ts'
import { AppError } from '../platform/runtime/app-error.ts'
import type { Tx } from '../platform/db/database.ts'
import type { Deps } from '../platform/runtime/deps.ts'
import { jobMac } from './job-mac.ts'
import { type JobKind, MAX_STORED_JOBS, OPEN_JOBS } from './background-job.ts'

/** Shown to the person whose job a restore ended. */
const RESTORED_JOB = 'The platform was restored from a backup. Please start it again'

/** Locks the number of jobs until the end of the transaction, so that two concurrent starts cannot both pass the limit. */
const lockCount = (tx: Tx, subject: string) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`background jobs of ${subject}`}, 0))`.execute(tx)

/**
 * Starts a background job after the transaction. Replaces the oldest finished job of the same kind.
 * @returns the job's public id
 * @throws AppError TOO_MANY_REQUESTS while the person, or the instance for this kind, has too many open jobs
 */
export async function startJob<Input extends object>(
  tx: Tx,
  deps: Pick<Deps, 'clock' | 'config' | 'ids'>,
  kind: Pick<JobKind<Input>, 'name' | 'file' | 'atOnce' | 'perDay'>,
  { ownerId, input }: { ownerId: bigint; input: Input },
): Promise<string> {
  await lockCount(tx, `member ${ownerId}`)
  const open = await tx
    .selectFrom('background_job')
    .select('id')
    .where('owner_id', '=', ownerId)
    .where('finished_at', 'is', null)
    .limit(OPEN_JOBS)
    .execute()
  if (open.length >= OPEN_JOBS) throw new AppError('TOO_MANY_REQUESTS')
  await assertDayLimit(tx, deps, kind, ownerId)
  await assertOpenLimit(tx, kind)
  await sql`delete from background_job where id in (select id from background_job where owner_id = ${ownerId} and kind = ${kind.name}
    and finished_at is not null order by id desc offset ${MAX_STORED_JOBS - 1})`.execute(tx)
  const id = deps.ids.publicId()
  const file = kind.file?.(input)
  const job = { public_id: id, kind: kind.name, owner_id: ownerId, created_at: deps.clock.now() }
  const text = JSON.stringify(input)
  // Computes the MAC over the stored form, because JSON omits undefined values.
  const input_mac = jobMac(deps.config, { ...job, input: JSON.parse(text) })
  await tx
    .insertInto('background_job')
    .values({ ...job, input: text, input_mac, file_name: file?.name ?? null, file_type: file?.type ?? null })
    .execute()
  return id
}

/**
 * Ends all open jobs of a restored database, and deletes their files. A job that had begun may have taken effect after the backup, so a
 * person decides whether to start it again.
 * @returns the number of jobs
 */
export async function endOpenJobs(tx: Tx, now: Date): Promise<number> {
  const ended = await tx
    .updateTable('background_job')
    .set({ state: 'FAILED', error: RESTORED_JOB, checkpoint: null, parts: 0, bytes: 0n, finished_at: now })
    .where('finished_at', 'is', null)
    .returning('id')
    .execute()
  const ids = ended.map(({ id }) => id)
  await sql`delete from background_job_part where job_id = any(${ids}::bigint[])`.execute(tx)
  return ids.length
}

/** Rejects a job above the daily limit of its kind. The caller holds the lock on the person's number of jobs. */
async function assertDayLimit(
  tx: Tx,
  { clock }: Pick<Deps, 'clock'>,
  { name, perDay }: Pick<JobKind, 'name' | 'perDay'>,
  ownerId: bigint,
): Promise<void> {
  if (perDay === undefined) return
  const since = new Date(clock.now().getTime() - DAY_MS)
  const started = await tx
    .selectFrom('background_job')
    .select('finished_at')
    .where('owner_id', '=', ownerId)
    .where('kind', '=', name)
    .where((where) => where.or([where('created_at', '>', since), where('finished_at', 'is', null)]))
    .limit(perDay)
    .execute()
  if (started.length >= perDay || started.some((job) => job.finished_at === null)) throw new AppError('TOO_MANY_REQUESTS')
}

/** Rejects a job if too many jobs of its kind are open. All limited kinds share one lock, because people start few such jobs. */
async function assertOpenLimit(tx: Tx, { name, atOnce }: Pick<JobKind, 'name' | 'atOnce'>): Promise<void> {
  if (atOnce === undefined) return
  await lockCount(tx, 'limited kinds')
  const open = await tx.selectFrom('background_job').select('id').where('kind', '=', name).where('finished_at', 'is', null).execute()
  if (open.length >= atOnce) throw new AppError('TOO_MANY_REQUESTS')
}

/**
 * Cancels a running job and deletes its output file.
 * @returns false when the person has no open job with this id
 */
export async function cancelJob(tx: Tx, deps: Pick<Deps, 'clock'>, { id, ownerId }: { id: string; ownerId: bigint }): Promise<boolean> {
  const row = await tx
    .updateTable('background_job')
    .set({ state: 'FAILED', error: 'It was cancelled', checkpoint: null, parts: 0, bytes: 0n, finished_at: deps.clock.now() })
    .where('public_id', '=', id)
    .where('owner_id', '=', ownerId)
    .where('finished_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  if (row === undefined) return false
  await tx.deleteFrom('background_job_part').where('job_id', '=', row.id).execute()
  return true
}
