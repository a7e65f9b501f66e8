import { sql } from 'kysely'
import type { Db, Tx } from '../../../platform/db/database.ts'
import { staffMembers } from '../../members/index.ts'
import { NETWORKS_OF, linkedTo } from './linked-accounts.ts'

/**
 * Records the staff who shared a network with a person before this person got a role. Such a pair counts as one person until two other
 * people confirm that these are two people. The function must run before the first role is set. A confirmed pair stays confirmed.
 */
export async function recordStaffLinks(tx: Tx, now: Date, memberId: bigint): Promise<void> {
  await sql`
    with networks as materialized (${NETWORKS_OF(memberId)})
    insert into staff_link (one_id, other_id, found_at)
    select least(m.id, ${memberId}), greatest(m.id, ${memberId}), ${now} from member m
    where m.role <> 'MEMBER' and m.id <> ${memberId}
      and exists (select from networks join session s on s.network = networks.network and s.member_id = m.id)
    on conflict (one_id, other_id) do nothing`.execute(tx)
}

/** Pair of staff that counts as one person. */
export interface StaffLink {
  oneId: bigint
  otherId: bigint
  foundAt: Date
}

/** Lists the pairs of current staff that are not confirmed yet, at most 100. */
export async function openStaffLinks(db: Db): Promise<StaffLink[]> {
  const rows = await db
    .selectFrom('staff_link')
    .innerJoin('member as one', 'one.id', 'staff_link.one_id')
    .innerJoin('member as other', 'other.id', 'staff_link.other_id')
    .select(['one_id', 'other_id', 'found_at'])
    .where('confirmed_at', 'is', null)
    .where('one.role', '<>', 'MEMBER')
    .where('other.role', '<>', 'MEMBER')
    .orderBy('staff_link.id')
    .limit(100)
    .execute()
  return rows.map((row) => ({ oneId: row.one_id, otherId: row.other_id, foundAt: row.found_at }))
}

/** Returns true if a pair counts as one person now. */
export async function isLinkedPair(db: Db, one: bigint, other: bigint): Promise<boolean> {
  const [low, high] = one < other ? [one, other] : [other, one]
  const found = db.selectFrom('staff_link').select('id').where('one_id', '=', low).where('other_id', '=', high)
  return (await found.where('confirmed_at', 'is', null).executeTakeFirst()) !== undefined
}

/**
 * Confirms that a pair are two people. The caller has checked who may.
 * @returns false if the pair is not linked or confirmed already
 */
export async function confirmPair(tx: Tx, one: bigint, other: bigint, at: Date): Promise<boolean> {
  const [low, high] = one < other ? [one, other] : [other, one]
  const updated = await tx
    .updateTable('staff_link')
    .set({ confirmed_at: at })
    .where('one_id', '=', low)
    .where('other_id', '=', high)
    .where('confirmed_at', 'is', null)
    .executeTakeFirst()
  return updated.numUpdatedRows === 1n
}

/** Lists the staff linked to an account by a shared network, device or payout address, for the approver of its role. */
export async function staffLinkedTo(db: Db, memberId: bigint): Promise<Awaited<ReturnType<typeof staffMembers>>> {
  const staff = (await staffMembers(db)).filter((one) => one.id !== memberId)
  const linked = await linkedTo(
    db,
    memberId,
    staff.map((one) => one.id),
  )
  return staff.filter((one) => linked.has(one.id))
}
