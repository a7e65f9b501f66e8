import type { ReplyOf } from '@tizara/contract'
import type { staffApiKeys } from '@tizara/contract/staff-api-keys'
import { keyRights } from '../../../http/calls/key-rights.ts'
import type { Db, Tx } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { endOperatorKey, fetchOperatorKey, listOperatorKeys } from '../../auth/index.ts'
import { membersById } from '../../members/index.ts'
import { assertStaff, auditStaff, type StaffActor } from '../access/actor.ts'

const subjectOf = (id: string) => ({ type: 'api_key', id })

/** Reads the live API keys of the operator. */
export async function readOperatorKeys(db: Db, deps: Deps, readerId: bigint): Promise<ReplyOf<typeof staffApiKeys>> {
  const rows = await listOperatorKeys(db, deps.clock.now())
  const owners = await membersById(
    db,
    rows.map(({ ownerId }) => ownerId),
  )
  return {
    keys: rows.map(({ ownerId, isFetched, ...key }) => ({
      ...key,
      owner: { id: owners.get(ownerId)?.public_id ?? '', name: owners.get(ownerId)?.name ?? '' },
      canFetch: !isFetched && ownerId === readerId,
    })),
    rights: [...keyRights.operator],
  }
}

/**
 * Returns an approved API key to its owner, once.
 * @throws AppError STAFF_ONLY, NOT_FOUND also for a key of another person
 */
export async function fetchKey(tx: Tx, deps: Deps, actor: StaffActor, id: string): Promise<string> {
  await assertStaff(tx, deps, actor, 'fetchApiKey')
  const key = await fetchOperatorKey(tx, deps, { ownerId: actor.memberId, id })
  await auditStaff(tx, deps, actor, { action: 'api-key.fetch', subject: subjectOf(id) })
  return key
}

/**
 * Ends an API key of the operator. One person may do so, because it only takes rights.
 * @throws AppError STAFF_ONLY, NOT_FOUND
 */
export async function endKey(tx: Tx, deps: Deps, actor: StaffActor, { id, reason }: { id: string; reason: string }): Promise<void> {
  await assertStaff(tx, deps, actor, 'endStaffApiKey')
  await endOperatorKey(tx, deps, id)
  await auditStaff(tx, deps, actor, { action: 'api-key.end', subject: subjectOf(id), reason })
}
