import { AppError } from '../../platform/runtime/app-error.ts'
import { type Db, inTransaction, type Tx } from '../../platform/db/database.ts'
import { lockMember, type Member } from '../members/index.ts'

/** Whose call it is, and in which session. */
export interface Holder {
  memberId: bigint
  sessionId: bigint
}

/**
 * The transaction of a call that compared a password or did other long work before it. Its session was looked up when the call
 * arrived; whoever was signed out since then, by a new password above all, does nothing any more (invariant I14).
 * @param work gets the member, locked
 * @throws AppError UNAUTHENTICATED, and those of the work
 */
export function inSession<T>(db: Db, holder: Holder, work: (tx: Tx, member: Member) => Promise<T>): Promise<T> {
  return inTransaction(db, async (tx) => {
    // The member first, as everywhere: whatever ends all sessions holds that row.
    const member = await lockMember(tx, holder.memberId)
    const session = await tx
      .selectFrom('session')
      .select('ended_at')
      .where('id', '=', holder.sessionId)
      .where('member_id', '=', member.id)
      .forShare()
      .executeTakeFirst()
    if (session?.ended_at !== null || !member.is_active) throw new AppError('UNAUTHENTICATED')
    return work(tx, member)
  })
}
