import { AppError } from '../../../platform/app-error.ts'
import { DAY_MS } from '../../../platform/clock.ts'
import type { Tx } from '../../../platform/database.ts'
import { currentSettings } from '../../settings/index.ts'
import type { Cause } from './hold-reward.ts'

/**
 * Refuses to undo a purchase when the hold period of its rewards is over, or when one of them left the hold before: what
 * was paid out may be spent. Holds the rewards' rows, so that none is released until the transaction ends.
 * @param tx the transaction of the undo, which holds the row of the purchase
 * @param purchase what is to be undone, and when it was made
 * @throws AppError UNDO_REFUSED
 */
export async function assertUndoable(tx: Tx, purchase: { cause: Cause; at: Date }, now: Date): Promise<void> {
  const { rewardHoldDays } = await currentSettings(tx, now)
  if (now.getTime() >= purchase.at.getTime() + rewardHoldDays * DAY_MS)
    throw new AppError('UNDO_REFUSED', { why: `the hold period of ${rewardHoldDays} days is over` })
  const rewards = await tx
    .selectFrom('reward_instant')
    .select('status')
    .where('cause_type', '=', purchase.cause.type)
    .where('cause_id', '=', purchase.cause.id)
    .orderBy('id')
    .forUpdate()
    .execute()
  if (rewards.some(({ status }) => status === 'paid' || status === 'owed'))
    throw new AppError('UNDO_REFUSED', { why: 'rewards for it have been released already' })
}
