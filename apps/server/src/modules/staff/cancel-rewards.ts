import { AppError } from '../../platform/app-error.ts'
import type { Tx } from '../../platform/database.ts'
import type { Deps } from '../../platform/deps.ts'
import { memberByEmail, memberByPublicId } from '../members/index.ts'
import { cancelHeld, sumHeld } from '../rewards/index.ts'
import { assertStaff, auditStaff, type StaffActor } from './actor.ts'
import type { Change, ChangeMakers } from './change-subjects.ts'
import { proposeChange } from './propose-change.ts'

/**
 * Files that rewards which are held for a member now are taken back. It always takes a second person: it takes money away
 * from people. What the member earns after it was filed is not touched.
 * @param input the member's id on the wire, the mail address of whoever bought or staked where not all of it is meant, and why
 * @returns the change's id on the wire
 * @throws AppError STAFF_ONLY, NOT_FOUND, USER_NOT_FOUND, FOUR_EYES for an own account, INVALID_INPUT when nothing is held
 */
export async function fileCancelling(
  tx: Tx,
  deps: Deps,
  actor: StaffActor,
  input: { id: string; from?: string | undefined; reason: string },
): Promise<string> {
  await assertStaff(tx, actor, 'cancelRewards')
  const member = await memberByPublicId(tx, input.id)
  if (member === undefined) throw new AppError('NOT_FOUND')
  const { newest, ...sums } = await sumHeld(tx, { memberId: member.id, sourceId: await sourceOf(tx, input.from ?? null) })
  if (sums.rewards === 0) throw new AppError('INVALID_INPUT', {}, [{ path: 'id', message: 'Nothing is held' }])
  const value = { memberId: member.public_id, email: member.email, from: input.from ?? null, newest: String(newest), ...sums }
  return proposeChange(tx, deps, actor, { subject: 'cancel-rewards', value, reason: input.reason })
}

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
  if (member.id === maker.memberId || member.id === checkerId) throw new AppError('FOUR_EYES')
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

async function sourceOf(tx: Tx, email: string | null): Promise<bigint | undefined> {
  if (email === null) return undefined
  const source = await memberByEmail(tx, email)
  if (source === undefined) throw new AppError('USER_NOT_FOUND')
  return source.id
}
