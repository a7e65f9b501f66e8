import { echoed, id } from '@tizara/contract'
import * as v from 'valibot'
import { AppError } from '../../../../../platform/runtime/app-error.ts'
import type { Tx } from '../../../../../platform/db/database.ts'
import { memberByEmail, requireMember } from '../../../../members/index.ts'
import { cancelPending, sumPending } from '../../../../rewards/index.ts'
import { noCurrent, proposalKind } from '../../shared/proposal-kind.ts'
import { memberWithId } from '../../shared/members-of.ts'
import { showValue, textOf } from '../../shared/title-text.ts'

/** Revokes pending rewards of a member: those pending both at the proposal and now. */
export const rewardCancellation = proposalKind({
  subject: 'cancel-rewards',
  value: v.object({
    memberId: id,
    email: v.string(),
    from: v.nullable(v.string()),
    newest: v.pipe(v.string(), v.regex(/^\d{1,18}$/)),
    rewards: v.number(),
    coin: echoed,
    usd: echoed,
  }),
  members: memberWithId,
  current: noCurrent,
  baseline: 'all-fields',
  async apply(tx, _, { memberId, from, newest }, { reason }) {
    const member = await requireMember(tx, memberId)
    const pending = { memberId: member.id, sourceId: await sourceOf(tx, from), newest: BigInt(newest) }
    const cancelled = await cancelPending(tx, pending, reason)
    if (cancelled.rewards === 0) throw new AppError('CHANGE_OUTDATED')
    const detail = { from, newest, rewards: cancelled.rewards, coin: String(cancelled.coin), usd: String(cancelled.usd) }
    return { audit: [{ action: 'rewards.cancel', subject: { type: 'member', id: member.public_id }, detail }] }
  },
  title: (value) => `Cancel ${showValue(value['rewards'])} pending rewards of ${textOf(value['email'])}`,
})

/**
 * Sums a member's pending rewards for a proposal to revoke them. Later earnings are not affected.
 * @param from email of the buyer or staker, to limit the revocation
 * @throws AppError NOT_FOUND, USER_NOT_FOUND, INVALID_INPUT if nothing is pending
 */
export async function pendingRewardsOf(tx: Tx, publicId: string, from: string | null) {
  const member = await requireMember(tx, publicId)
  const { newest, ...sums } = await sumPending(tx, { memberId: member.id, sourceId: await sourceOf(tx, from) })
  if (sums.rewards === 0) throw new AppError('INVALID_INPUT', {}, [{ path: 'id', message: 'No rewards are pending' }])
  return { memberId: member.public_id, email: member.email, from, newest: String(newest), ...sums }
}

/**
 * Returns the member whose purchases earned the rewards; undefined for all.
 * @throws AppError USER_NOT_FOUND
 */
async function sourceOf(tx: Tx, email: string | null): Promise<bigint | undefined> {
  if (email === null) return undefined
  const source = await memberByEmail(tx, email)
  if (source === undefined) throw new AppError('USER_NOT_FOUND')
  return source.id
}
