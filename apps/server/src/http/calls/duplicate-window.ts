import { CompiledQuery } from 'kysely'
import { AppError } from '../../platform/runtime/app-error.ts'
import type { Tx } from '../../platform/db/database.ts'
import type { CallKey, StoredResponse } from './idempotency.ts'

/** Window in seconds in which an equal call without a key is rejected: a double click or a client retry. */
const WINDOW_SECONDS = 10

/** A money call without an idempotency key: index in the batch, and the values that identify the call. */
export interface KeylessCall extends Omit<CallKey, 'key'> {
  index: number
}

const nameOf = (call: KeylessCall) => `${call.memberId}:${call.operation}:${call.digest}`

/**
 * Locks the calls. A blank separates these keys from those of clients, which contain none. The order prevents deadlocks between batches.
 */
const CLAIM = `
  insert into idempotency as existing (member_id, operation, key, request_digest, status, answer, created_at)
  select c.member_id, c.operation, 'no key ' || c.digest, c.digest, 0, '', $4::timestamptz
  from unnest($1::bigint[], $2::text[], $3::text[]) c (member_id, operation, digest) order by 1, 2, 3
  on conflict (member_id, operation, key) do update set created_at = excluded.created_at
  where existing.created_at <= excluded.created_at - make_interval(secs => ${WINDOW_SECONDS}) or existing.created_at > excluded.created_at
  returning member_id, operation, request_digest as digest`
const FREE = `
  delete from idempotency i using unnest($1::bigint[], $2::text[], $3::text[]) c (member_id, operation, digest)
  where i.member_id = c.member_id and i.operation = c.operation and i.key = 'no key ' || c.digest`

/**
 * Runs each money call without a key at most once in ten seconds. Rejects an equal call of the same member within this time, also on
 * another process (control 69). Only successful calls count, so that a refused call can be sent again.
 * @param run executes the calls at the given indexes and returns the results in this order
 * @returns the results by index
 */
export async function oncePerWindow(
  tx: Tx,
  calls: readonly KeylessCall[],
  now: Date,
  run: (indexes: number[]) => Promise<(StoredResponse | Error)[]>,
  others: readonly number[],
): Promise<Map<number, StoredResponse | Error>> {
  const firsts = new Map(calls.toReversed().map((call) => [nameOf(call), call]))
  const claimed = await claim(tx, [...firsts.values()], now)
  const open = calls.filter((call) => firsts.get(nameOf(call)) === call && claimed.has(nameOf(call)))
  const indexes = [...others, ...open.map((call) => call.index)].toSorted((a, b) => a - b)
  const outcomes = indexes.length === 0 ? [] : await run(indexes)
  const results = new Map(indexes.map((position, index) => [position, outcomes[index] ?? new AppError('INTERNAL')] as const))
  await free(
    tx,
    open.filter((call) => !moved(results.get(call.index))),
  )
  for (const call of calls) {
    if (results.has(call.index)) continue
    const first = results.get(firsts.get(nameOf(call))?.index ?? -1)
    results.set(call.index, first === undefined || moved(first) ? repeatedCall() : first)
  }
  return results
}

const moved = (result: StoredResponse | Error | undefined) => result !== undefined && !(result instanceof Error) && result.status === 200

function repeatedCall(): AppError {
  const error = new AppError('CALL_REPEATED')
  error.retryAfter = WINDOW_SECONDS
  return error
}

async function claim(tx: Tx, calls: readonly KeylessCall[], now: Date): Promise<Set<string>> {
  if (calls.length === 0) return new Set()
  const { rows } = await tx.executeQuery<{ member_id: bigint; operation: string; digest: string }>(
    CompiledQuery.raw(CLAIM, [...columns(calls), now]),
  )
  return new Set(rows.map((row) => `${row.member_id}:${row.operation}:${row.digest}`))
}

async function free(tx: Tx, calls: readonly KeylessCall[]): Promise<void> {
  if (calls.length > 0) await tx.executeQuery(CompiledQuery.raw(FREE, columns(calls)))
}

const columns = (calls: readonly KeylessCall[]): unknown[] => [
  calls.map((call) => call.memberId),
  calls.map((call) => call.operation),
  calls.map((call) => call.digest),
]
