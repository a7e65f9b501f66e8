import { AppError } from '../../../../platform/runtime/app-error.ts'
import type { Tx } from '../../../../platform/db/database.ts'
import type { Deps } from '../../../../platform/runtime/deps.ts'
import { memberByEmail, memberByPublicId } from '../../../members/index.ts'
import { cancelHeld } from '../../../rewards/index.ts'
import { auditStaff } from '../../access/actor.ts'
import type { Change } from './change-subjects.ts'
import { assertNotOwn } from '../../duties/not-own.ts'
import type { ChangeMakers } from '../../access/decider.ts'

/**
 * Takes the rewards back that are still held of those that were filed.
 * @throws AppError NOT_FOUND, USER_NOT_FOUND, FOUR_EYES for an own account, CHANGE_OUTDATED when nothing is held any more
 */
export async function cancelRewards(
  tx: Tx,
  deps: Deps,
  change: Extract<Change, { subject: 'cancel-rewards' }>,
  { maker, checkerId }: ChangeMakers,
): Promise<void> {
  const { memberId, from, newest } = change.value
  const member = await memberByPublicId(tx, memberId)
  if (member === undefined) throw new AppError('NOT_FOUND')
  await assertNotOwn(tx, member.id, { maker, checkerId })
  const held = { memberId: member.id, sourceId: await sourceOf(tx, from), newest: BigInt(newest) }
  const taken = await cancelHeld(tx, held, change.reason)
  if (taken.rewards === 0) throw new AppError('CHANGE_OUTDATED')
  await auditStaff(tx, deps, maker, {
    action: 'rewards.cancel',
    subject: { type: 'member', id: member.public_id },
    reason: change.reason,
    detail: {
      from,
      newest,
      rewards: taken.rewards,
      coin: String(taken.coin),
      usd: String(taken.usd),
      ...(checkerId === undefined ? {} : { approvedBy: String(checkerId) }),
    },
  })
}

/**
 * Whose purchases are meant; undefined for everybody's.
 * @throws AppError USER_NOT_FOUND
 */
export async function sourceOf(tx: Tx, email: string | null): Promise<bigint | undefined> {
  if (email === null) return undefined
  const source = await memberByEmail(tx, email)
  if (source === undefined) throw new AppError('USER_NOT_FOUND')
  return source.id
}
