import { sql } from 'kysely'
import { AppError } from '../platform/app-error.ts'
import type { Tx } from '../platform/database.ts'
import type { Deps } from '../platform/deps.ts'
import { type JobKind, OPEN_JOBS } from './background-job.ts'

/** Key of the locks that count a person's jobs: two started at once must not both be the last one. */
const OWNER_LOCK = 1_702_257

/**
 * Asks for long work; it begins within seconds after the transaction.
 * @returns the job's id on the wire
 * @throws AppError TOO_MANY_REQUESTS while the person has too many unfinished ones
 */
export async function startJob<Input extends object>(
  tx: Tx,
  deps: Pick<Deps, 'clock' | 'ids'>,
  kind: Pick<JobKind<Input>, 'name' | 'file'>,
  { ownerId, input }: { ownerId: bigint; input: Input },
): Promise<string> {
  await sql`select pg_advisory_xact_lock(${OWNER_LOCK}, ${ownerId}::bigint::int)`.execute(tx)
  const open = await tx
    .selectFrom('background_job')
    .select('id')
    .where('owner_id', '=', ownerId)
    .where('finished_at', 'is', null)
    .limit(OPEN_JOBS)
    .execute()
  if (open.length >= OPEN_JOBS) throw new AppError('TOO_MANY_REQUESTS')
  const id = deps.ids.publicId()
  const file = kind.file?.(input)
  await tx
    .insertInto('background_job')
    .values({
      public_id: id,
      kind: kind.name,
      owner_id: ownerId,
      input: JSON.stringify(input),
      file_name: file?.name ?? null,
      file_type: file?.type ?? null,
      created_at: deps.clock.now(),
    })
    .execute()
  return id
}
