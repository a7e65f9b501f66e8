import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { AppError } from '../platform/app-error.ts'
import type { Tx } from '../platform/database.ts'

/** An answer as it was given: repeated to the letter when its key comes again. */
export interface GivenAnswer {
  status: number
  text: string
}

/** Which call a key belongs to. */
export interface CallKey {
  memberId: bigint
  operation: string
  key: string
  /** Digest of the call's method, path and body: another body under the key is refused. */
  digest: string
}

/**
 * Reads the Idempotency-Key header.
 * @returns the key, or undefined when the header is absent
 * @throws AppError IDEMPOTENCY_KEY_INVALID unless it is 1 to 255 printable ASCII characters
 */
export function readKey(header: string | string[] | undefined): string | undefined {
  if (header === undefined) return undefined
  if (typeof header !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(header)) throw new AppError('IDEMPOTENCY_KEY_INVALID')
  return header
}

/** The digest of a call. */
export function callDigest(...parts: string[]): string {
  return createHash('sha256').update(parts.join('\n')).digest('base64url')
}

/**
 * Runs a money call at most once per key (invariant I5), inside the call's transaction: the answer is stored together
 * with the effect. A refusal by the rules is an answer too and is stored; an unexpected error is not, so the key may be
 * tried again.
 * @throws AppError IDEMPOTENCY_RUNNING while the same call runs elsewhere, IDEMPOTENCY_KEY_REUSED for another body
 */
export async function once(
  tx: Tx,
  call: CallKey,
  now: Date,
  run: () => Promise<GivenAnswer>,
  refuse: (error: AppError) => GivenAnswer,
): Promise<GivenAnswer> {
  const lock = await sql<{ locked: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended(${`${call.memberId}:${call.operation}:${call.key}`}, 5)) as locked`.execute(tx)
  if (lock.rows[0]?.locked !== true) throw new AppError('IDEMPOTENCY_RUNNING')
  const earlier = await tx
    .selectFrom('idempotency')
    .select(['request_digest', 'status', 'answer'])
    .where('member_id', '=', call.memberId)
    .where('operation', '=', call.operation)
    .where('key', '=', call.key)
    .executeTakeFirst()
  if (earlier !== undefined) {
    if (earlier.request_digest !== call.digest) throw new AppError('IDEMPOTENCY_KEY_REUSED')
    return { status: earlier.status, text: earlier.answer }
  }
  const given = await runOrRefuse(tx, run, refuse)
  await tx
    .insertInto('idempotency')
    .values({
      member_id: call.memberId,
      operation: call.operation,
      key: call.key,
      request_digest: call.digest,
      status: given.status,
      answer: given.text,
      created_at: now,
    })
    .execute()
  return given
}

async function runOrRefuse(tx: Tx, run: () => Promise<GivenAnswer>, refuse: (error: AppError) => GivenAnswer): Promise<GivenAnswer> {
  await sql`savepoint effect`.execute(tx)
  try {
    return await run()
  } catch (error) {
    if (!(error instanceof AppError) || error.statusCode >= 500) throw error
    await sql`rollback to savepoint effect`.execute(tx)
    return refuse(error)
  }
}
