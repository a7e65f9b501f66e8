import { OPERATOR_KEYS_MAX } from '@tizara/contract/staff-api-keys'
import { AppError } from '../../../platform/runtime/app-error.ts'
import type { Db, Tx } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { digest } from '../../../platform/runtime/ids.ts'
import { type ApiKeyInput, assertKeyInput, insertKey, newKey, shownKey } from './api-keys.ts'

/**
 * Checks a new API key of the operator.
 * @throws AppError INVALID_INPUT, API_KEYS_FULL
 */
export async function assertOperatorKey(tx: Tx, deps: Deps, input: ApiKeyInput): Promise<void> {
  assertKeyInput('operator', input)
  if ((await listOperatorKeys(tx, deps.clock.now())).length >= OPERATOR_KEYS_MAX) throw new AppError('API_KEYS_FULL')
}

/**
 * Adds an approved key of the operator, which its owner has yet to fetch.
 * @returns its public id
 */
export async function addOperatorKey(tx: Tx, deps: Deps, ownerId: bigint, input: ApiKeyInput): Promise<string> {
  return (await insertKey(tx, deps, { ownerId, kind: 'operator', token_digest: null }, input)).id
}

/** Lists the live keys of the operator, newest first. */
export async function listOperatorKeys(db: Db, now: Date) {
  const rows = await db
    .selectFrom('api_key')
    .selectAll()
    .where('kind', '=', 'operator')
    .where('ended_at', 'is', null)
    .where('expires_at', '>', now)
    .orderBy('id', 'desc')
    .execute()
  return rows.map((row) => ({ ...shownKey(row), ownerId: row.member_id, isFetched: row.token_digest !== null }))
}

/**
 * Creates the secret of an approved key for its owner. The database stores its digest.
 * @throws AppError NOT_FOUND for a key that is ended, expired, fetched or another person's
 */
export async function fetchOperatorKey(tx: Tx, deps: Deps, { ownerId, id }: { ownerId: bigint; id: string }): Promise<string> {
  const key = newKey(deps)
  const fetched = await tx
    .updateTable('api_key')
    .set({ token_digest: digest(key) })
    .where('public_id', '=', id)
    .where('member_id', '=', ownerId)
    .where('kind', '=', 'operator')
    .where('token_digest', 'is', null)
    .where('ended_at', 'is', null)
    .where('expires_at', '>', deps.clock.now())
    .executeTakeFirst()
  if (fetched.numUpdatedRows === 0n) throw new AppError('NOT_FOUND')
  return key
}

/**
 * Ends a key of the operator.
 * @throws AppError NOT_FOUND for an ended key and a member's key
 */
export async function endOperatorKey(tx: Tx, deps: Deps, id: string): Promise<void> {
  const ended = await tx
    .updateTable('api_key')
    .set({ ended_at: deps.clock.now(), end_reason: 'ended-by-staff' })
    .where('public_id', '=', id)
    .where('kind', '=', 'operator')
    .where('ended_at', 'is', null)
    .executeTakeFirst()
  if (ended.numUpdatedRows === 0n) throw new AppError('NOT_FOUND')
}
