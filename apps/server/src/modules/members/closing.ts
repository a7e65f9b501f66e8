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

/** Closes an account. Only staff can open it again. */
export async function endClosing(tx: Tx, { id, at }: { id: bigint; at: Date }): Promise<void> {
  await tx.updateTable('member').set({ closed_at: at, updated_at: at }).where('id', '=', id).execute()
}

/** Returns the accounts whose waiting time is over, in order of this time. */
export async function membersToClose(db: Db, now: Date, limit: number): Promise<bigint[]> {
  const due = db.selectFrom('member').select('id').where('closed_at', 'is', null).where('closes_at', '<=', now)
  return (await due.orderBy('closes_at').limit(limit).execute()).map(({ id }) => id)
}
