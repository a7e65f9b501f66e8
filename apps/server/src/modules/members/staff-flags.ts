import type { StaffRole } from '@tizara/contract/staff'

import { sql } from 'kysely'
import { AppError } from '../../platform/runtime/app-error.ts'
import type { Tx } from '../../platform/db/database.ts'

/**
 * Blocks or unblocks a member (RO-16, RO-17). The caller ends the sessions. Also cancels the closing of the account. Otherwise the sign-in
 * that cancels the closing would lift a block by staff.
 * @throws AppError ACCOUNT_ERASED for an account whose personal data is erased: nobody could sign in to it
 */
export async function setActive(tx: Tx, input: { id: bigint; isActive: boolean; at: Date }): Promise<void> {
  const changes = { is_active: input.isActive, updated_at: input.at, closes_at: null, closed_at: null, erases_at: null }
  const changed = await tx.updateTable('member').set(changes).where('id', '=', input.id).where('erased_at', 'is', null).executeTakeFirst()
  if (changed.numUpdatedRows === 0n) throw new AppError('ACCOUNT_ERASED')
}

/** Sets or clears a member's special status (RO-17). */
export async function setSpecialRcm(tx: Tx, input: { id: bigint; isSpecialRcm: boolean; at: Date }): Promise<void> {
  await tx.updateTable('member').set({ is_special_rcm: input.isSpecialRcm, updated_at: input.at }).where('id', '=', input.id).execute()
}

/** Sets a member's role, staff or member. The caller ends the sessions. */
export async function setRole(tx: Tx, input: { id: bigint; role: 'MEMBER' | StaffRole; at: Date }): Promise<void> {
  await tx.updateTable('member').set({ role: input.role, updated_at: input.at }).where('id', '=', input.id).execute()
}

/** Sets the end of a suspension of staff rights. The caller ends the sessions. */
export async function setSuspension(tx: Tx, input: { id: bigint; until: Date; at: Date }): Promise<void> {
  await tx.updateTable('member').set({ suspended_until: input.until, updated_at: input.at }).where('id', '=', input.id).execute()
}

/** Records that a staff member suspended a colleague alone. */
export async function recordSuspender(tx: Tx, input: { id: bigint; at: Date }): Promise<void> {
  await tx.updateTable('member').set({ suspended_colleague_at: input.at, updated_at: input.at }).where('id', '=', input.id).execute()
}

/** Sets a rank that the programme does not change (RO-17). With null the member has no rank until the programme sets one. */
export async function setStaffRank(tx: Tx, input: { id: bigint; rank: string | null; at: Date }): Promise<void> {
  const changes = { rank: input.rank, rank_by_staff: input.rank !== null, updated_at: input.at }
  await tx.updateTable('member').set(changes).where('id', '=', input.id).execute()
}

/** Sets ranks (RW-05); null clears. Keeps ranks granted by staff. */
export async function setRanks(tx: Tx, ranks: ReadonlyMap<bigint, string | null>, at: Date): Promise<void> {
  await sql`
    with held as (
      select m.id, r.rank from unnest(${[...ranks.keys()]}::bigint[], ${[...ranks.values()]}::text[]) r (id, rank)
      join member m using (id) where not m.rank_by_staff order by m.id for no key update of m
    )
    update member m set rank = held.rank, updated_at = ${at} from held where m.id = held.id`.execute(tx)
}
