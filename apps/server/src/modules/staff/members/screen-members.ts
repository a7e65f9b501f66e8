import { sql } from 'kysely'
import type { Batch, Lease } from '../../../jobs/lease.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { DAY_MS } from '../../../platform/runtime/clock.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { recordAudit } from '../../audit/index.ts'
import { membersById } from '../../members/index.ts'
import {
  advanceAddresses,
  deleteReplacedLists,
  nextListedAddresses,
  readScreeningLists,
  recordScreeningHits,
  type ScreeningHit,
  type ScreeningSubject,
  takeMembersToCompare,
  takeScreeningTasks,
} from '../../screening/index.ts'

/** Days until a case that screening opens is due. */
const DUE_DAYS = 3

/**
 * Compares new names and addresses of members with the screening list, and all members with a new list. Opens a case for each match.
 * @returns the number of compared names and addresses, and of deleted entries
 */
export const screenMembers = (lease: Lease, deps: Deps): Promise<number> => lease.untilDone((tx) => screenNext(tx, deps))

async function screenNext(tx: Tx, deps: Deps): Promise<Batch> {
  const { active } = await readScreeningLists(tx)
  if (active !== undefined) {
    // New names and addresses first, because a payout may wait for them.
    const tasks = await takeScreeningTasks(tx)
    const subjects = tasks.length > 0 || active.isCompared ? tasks : await nextOfList(tx, active.id)
    await openCases(tx, deps, await recordScreeningHits(tx, deps, active.id, subjects))
    if (subjects.length > 0) return { done: subjects.length, more: true }
  }
  const deleted = await deleteReplacedLists(tx)
  return { done: deleted, more: deleted > 0 }
}

/** Returns the next members to compare with a new list: those with a listed address, old payouts included, and then all names. */
async function nextOfList(tx: Tx, listId: bigint): Promise<ScreeningSubject[]> {
  const addresses = await nextListedAddresses(tx, listId)
  const last = addresses.at(-1)
  if (last === undefined) {
    const members = await takeMembersToCompare(tx, listId)
    return members.map(({ id, name }) => ({ memberId: id, kind: 'name', text: name, cause: 'list' }))
  }
  await advanceAddresses(tx, listId, last)
  const { rows } = await sql<{ memberId: bigint; text: string }>`
    select a.member_id as "memberId", a.address as text from payout_address a where a.address_key = any(${addresses}::text[])
    union select p.member_id, p.address from payout_request p
    where lower(p.address) = any(${addresses.map((address) => address.toLowerCase())}::text[]) and p.kind <> 'transfer'`.execute(tx)
  if (rows.length === 0) return nextOfList(tx, listId)
  return rows.map((row) => ({ ...row, kind: 'address', cause: 'list' }))
}

/** Opens a case without an owner for each member with a new match, unless one is open. Records each match. */
async function openCases(tx: Tx, deps: Deps, hits: readonly ScreeningHit[]): Promise<void> {
  if (hits.length === 0) return
  const now = deps.clock.now()
  const people = await membersById(
    tx,
    hits.map(({ memberId }) => memberId),
  )
  for (const { memberId, publicId, kind, source, reference, listedName } of hits) {
    const title = kind === 'name' ? 'Screening: listed name' : 'Screening: listed address'
    await tx
      .insertInto('staff_case')
      .values({
        public_id: deps.ids.publicId(),
        member_id: memberId,
        title,
        reason: `${source} ${reference}: ${listedName}`,
        owner_id: null,
        opened_at: now,
        due_at: new Date(now.getTime() + DUE_DAYS * DAY_MS),
      })
      .onConflict((conflict) => conflict.column('member_id').where('closed_at', 'is', null).doNothing())
      .execute()
    await recordAudit(tx, {
      at: now,
      actorId: null,
      actorRole: 'SYSTEM',
      action: 'staff.screening.hit',
      subject: { type: 'member', id: people.get(memberId)?.public_id ?? String(memberId) },
      outcome: 'ok',
      detail: { hit: publicId, kind, source, reference },
    })
  }
}
