import { AppError } from '../../../platform/runtime/app-error.ts'
import { type Db, inTransaction, type Tx } from '../../../platform/db/database.ts'
import { lockMember, type Member } from '../../members/index.ts'

/** Member and session behind a call. */
export interface Holder {
  memberId: bigint
  sessionId: bigint
}

/**
 * Runs a transaction after slow work such as the comparison of a password. Checks the session again, because a password change may have
 * ended the session meanwhile (invariant I14).
 * @param work receives the member, locked
 * @throws AppError UNAUTHENTICATED, and those of `work`
 */
export function inSession<T>(db: Db, holder: Holder, work: (tx: Tx, member: Member) => Promise<T>): Promise<T> {
  return inTransaction(db, async (tx) => {
    // Locks the member first, like all callers: ending all sessions locks that row.
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
