import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/db/database.ts'
import type { Member } from './members.queries.ts'

/** Returns true while a member's own request to close the account can be cancelled by signing in. */
export const isClosing = (member: Pick<Member, 'closes_at' | 'closed_at'>): boolean =>
  member.closes_at !== null && member.closed_at === null

/** Returns true if the account accepts a sign-in: it is not blocked, or the member can still cancel the closing. */
export const acceptsSignIn = (member: Pick<Member, 'is_active' | 'closes_at' | 'closed_at'>): boolean =>
  member.is_active || isClosing(member)

/** Blocks an account until it is closed, at its member's request. The caller ends the sessions. */
export async function beginClosing(tx: Tx, { id, at, closesAt }: { id: bigint; at: Date; closesAt: Date }): Promise<void> {
  await tx.updateTable('member').set({ is_active: false, updated_at: at, closes_at: closesAt }).where('id', '=', id).execute()
}

/** Closes an account later, because something arrived meanwhile. */
export async function postponeClosing(tx: Tx, { id, closesAt }: { id: bigint; closesAt: Date }): Promise<void> {
  await tx.updateTable('member').set({ closes_at: closesAt }).where('id', '=', id).execute()
}

/** Closes an account. Only staff can open it again, until its personal data is erased. */
export async function endClosing(tx: Tx, { id, at, erasesAt }: { id: bigint; at: Date; erasesAt: Date }): Promise<void> {
  await tx.updateTable('member').set({ closed_at: at, updated_at: at, erases_at: erasesAt }).where('id', '=', id).execute()
}

/** Blocks and closes an account in a restored database, because its personal data was erased after the backup. */
export async function repeatErasure(tx: Tx, publicIds: readonly string[], at: Date): Promise<number> {
  const { numAffectedRows } = await sql`
    update member set is_active = false, closes_at = coalesce(closes_at, ${at}), closed_at = coalesce(closed_at, ${at}), erases_at = ${at},
      updated_at = ${at}
    where public_id = any(${[...publicIds]}::text[]) and erased_at is null`.execute(tx)
  return Number(numAffectedRows ?? 0n)
}

/**
 * Erases the personal data in an account's row, and releases its email address.
 * @param input `passwordHash` is the hash of a password that nobody knows
 */
export async function eraseMember(tx: Tx, { id, at, passwordHash }: { id: bigint; at: Date; passwordHash: string }): Promise<void> {
  const contact = { name: ERASED_NAME, email: erasedEmail(id), phone: '', profile_image: null, language: null, password_hash: passwordHash }
  await tx
    .updateTable('member')
    .set({ ...contact, erased_at: at, updated_at: at })
    .where('id', '=', id)
    .execute()
}

/** Name of an account whose personal data is erased, as others see it. */
export const ERASED_NAME = 'Closed account'

/** Address of an erased account. Nobody can register it, because it has no domain. */
export const erasedEmail = (id: bigint): string => `erased-${id}@invalid`

/** Erases an account later, because something stands in the way. */
export async function postponeErasure(tx: Tx, { id, erasesAt }: { id: bigint; erasesAt: Date }): Promise<void> {
  await tx.updateTable('member').set({ erases_at: erasesAt }).where('id', '=', id).execute()
}

/** Returns the next closed account whose personal data must be erased. */
export async function nextToErase(db: Db, now: Date): Promise<bigint | undefined> {
  const due = db.selectFrom('member').select('id').where('erased_at', 'is', null).where('erases_at', '<=', now)
  return (await due.orderBy('erases_at').limit(1).executeTakeFirst())?.id
}

/** Returns the accounts whose waiting time is over, in order of this time. */
export async function membersToClose(db: Db, now: Date, limit: number): Promise<bigint[]> {
  const due = db.selectFrom('member').select('id').where('closed_at', 'is', null).where('closes_at', '<=', now)
  return (await due.orderBy('closes_at').limit(limit).execute()).map(({ id }) => id)
}
