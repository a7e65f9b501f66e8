import { createHash } from 'node:crypto'
import { CompiledQuery } from 'kysely'
import { AppError } from '../../platform/runtime/app-error.ts'
import type { ErrorHeaders } from './error-reply.ts'
import { executeDeferred, type Tx } from '../../platform/db/database.ts'

/** A stored response. A repeated key returns it unchanged. */
export interface StoredResponse {
  status: number
  text: string
  /** Headers of a refusal. */
  headers?: ErrorHeaders
}

/** Identifies the call of a key. */
export interface CallKey {
  memberId: bigint
  operation: string
  key: string
  /** Digest of method, path and body. Another body under the key is rejected. */
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

export function callDigest(...parts: string[]): string {
  return createHash('sha256').update(parts.join('\n')).digest('base64url')
}

/**
 * Runs the money calls of a batch at most once per key (invariant I5), inside the batch's transaction. The transaction stores each response
 * and refusal together with the effect. A key that occurs twice in a batch gets the first call's response. Results of type Error are not
 * stored, so that the key can be used again: IDEMPOTENCY_RUNNING while the call runs in another transaction, IDEMPOTENCY_KEY_REUSED for
 * another body with the same key.
 * @param calls undefined for a call without a key
 * @param run executes the calls at the given indexes and returns the results in this order
 * @returns one result per call, in order
 */
export async function onceEach(
  tx: Tx,
  calls: readonly (CallKey | undefined)[],
  now: Date,
  run: (indexes: number[]) => Promise<(StoredResponse | Error)[]>,
): Promise<(StoredResponse | Error)[]> {
  const results: (StoredResponse | Error | undefined)[] = calls.map(() => undefined)
  const firsts = firstIndexes(calls)
  const claimed = await claim(
    tx,
    [...firsts.values()].flatMap((index) => calls[index] ?? []),
  )
  const repeats: { index: number; first: number }[] = []
  const open: number[] = []
  calls.forEach((call, index) => {
    if (call === undefined) return open.push(index)
    const name = nameOf(call)
    const first = firsts.get(name) ?? index
    const state = claimed.get(name)
    if (state === 'running') return (results[index] = new AppError('IDEMPOTENCY_RUNNING'))
    const digest = state === undefined ? calls[first]?.digest : state.digest
    if (digest !== call.digest) return (results[index] = new AppError('IDEMPOTENCY_KEY_REUSED'))
    if (state !== undefined) return (results[index] = state.given)
    return index === first ? open.push(index) : repeats.push({ index, first })
  })
  const outcomes = open.length === 0 ? [] : await run(open)
  open.forEach((position, index) => (results[position] = outcomes[index]))
  await store(tx, open, calls, results, now)
  for (const { index, first } of repeats) results[index] = results[first]
  return results.map((result) => result ?? new AppError('INTERNAL'))
}

const nameOf = (call: CallKey) => `${call.memberId}:${call.operation}:${call.key}`

function firstIndexes(calls: readonly (CallKey | undefined)[]): Map<string, number> {
  const firsts = new Map<string, number>()
  calls.forEach((call, index) => {
    if (call !== undefined && !firsts.has(nameOf(call))) firsts.set(nameOf(call), index)
  })
  return firsts
}

type StoredCall = { digest: string; given: StoredResponse }

const CLAIM = 'select * from idempotency_claim($1, $2, $3)'
const STORE = `insert into idempotency (member_id, operation, key, request_digest, status, answer, headers, created_at)
  select c.*, $8 from unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::int[], $6::text[], $7::jsonb[]) c`

/**
 * Locks keys for this transaction. Returns 'running' for a key that another transaction has locked, and the stored response if one exists.
 */
async function claim(tx: Tx, calls: readonly CallKey[]): Promise<Map<string, StoredCall | 'running'>> {
  const found = new Map<string, StoredCall | 'running'>()
  if (calls.length === 0) return found
  const claims = await tx.executeQuery<{
    locked: boolean
    request_digest: string | null
    status: number
    answer: string
    headers: ErrorHeaders | null
  }>(CompiledQuery.raw(CLAIM, columns(calls)))
  calls.forEach((call, index) => {
    const { locked = false, request_digest: digest = null, status = 0, answer: text = '', headers = null } = claims.rows[index] ?? {}
    if (!locked) found.set(nameOf(call), 'running')
    else if (digest !== null) found.set(nameOf(call), { digest, given: { status, text, ...(headers === null ? {} : { headers }) } })
  })
  return found
}

const columns = (calls: readonly CallKey[]): unknown[] => [
  calls.map((call) => call.memberId),
  calls.map((call) => call.operation),
  calls.map((call) => call.key),
]

async function store(
  tx: Tx,
  open: readonly number[],
  calls: readonly (CallKey | undefined)[],
  results: readonly (StoredResponse | Error | undefined)[],
  now: Date,
): Promise<void> {
  const rows = open.flatMap((index) => {
    const call = calls[index]
    const result = results[index]
    return call === undefined || result === undefined || result instanceof Error ? [] : [{ call, result }]
  })
  if (rows.length === 0) return
  await executeDeferred(tx, STORE, [
    ...columns(rows.map((row) => row.call)),
    rows.map((row) => row.call.digest),
    rows.map((row) => row.result.status),
    rows.map((row) => row.result.text),
    rows.map(({ result: { headers } }) => (headers === undefined ? null : JSON.stringify(headers))),
    now,
  ])
}
