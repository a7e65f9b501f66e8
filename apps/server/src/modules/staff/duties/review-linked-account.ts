import { AppError } from '../../../platform/runtime/app-error.ts'
import type { Tx } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { membersById } from '../../members/index.ts'
import { assertStaff, auditStaff, type StaffActor } from '../access/actor.ts'
import { assertNoConflictOfInterest } from './conflict-of-interest.ts'

/**
 * Records a verdict on a linked account. The two members still cannot decide about each other's money under either verdict.
 * @param input the row, and `harmless` or `watch`
 * @throws AppError STAFF_ONLY, NOT_FOUND, FOUR_EYES for either member or a linked account
 */
export async function reviewLinkedAccount(
  tx: Tx,
  deps: Deps,
  actor: StaffActor,
  input: { id: string; verdict: 'harmless' | 'watch'; reason: string },
): Promise<void> {
  await assertStaff(tx, deps, actor, 'reviewLinkedAccount')
  if (!/^\d{1,18}$/.test(input.id)) throw new AppError('NOT_FOUND')
  const row = await tx.selectFrom('linked_account').selectAll().where('id', '=', BigInt(input.id)).forUpdate().executeTakeFirst()
  if (row === undefined) throw new AppError('NOT_FOUND')
  const both = [row.member_id, row.upline_id]
  await assertNoConflictOfInterest(tx, [actor.memberId], both)
  await tx
    .updateTable('linked_account')
    .set({ verdict: input.verdict, reviewed_by: actor.memberId, reviewed_at: deps.clock.now(), review_reason: input.reason })
    .where('id', '=', row.id)
    .execute()
  const people = await membersById(tx, both)
  await auditStaff(tx, deps, actor, {
    action: 'linked-account.review',
    subject: { type: 'linked_account', id: input.id },
    reason: input.reason,
    detail: {
      before: row.verdict,
      after: input.verdict,
      member: people.get(row.member_id)?.public_id,
      upline: people.get(row.upline_id)?.public_id,
    },
  })
}
