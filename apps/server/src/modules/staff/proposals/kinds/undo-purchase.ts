import { undoCoinPurchase } from '../../../coin/index.ts'
import type { Tx } from '../../../../platform/db/database.ts'
import type { Deps } from '../../../../platform/runtime/deps.ts'
import { undoNft } from '../../../nfts/index.ts'
import { undoStake } from '../../../staking/index.ts'
import { auditStaff } from '../../access/actor.ts'
import type { Change } from './change-subjects.ts'
import { assertNotOwn } from '../../duties/not-own.ts'
import type { ChangeMakers } from '../../access/decider.ts'

const UNDO = { coin: undoCoinPurchase, stake: undoStake, nft: undoNft } as const

/**
 * Undoes a purchase: the money goes back where it came from, and the held rewards that rest on it fall away. Nobody does it
 * for an own purchase.
 * @throws AppError NOT_FOUND, UNDO_REFUSED, INSUFFICIENT_BALANCE, COIN_SOLD_OUT, FOUR_EYES
 */
export async function undoPurchase(
  tx: Tx,
  deps: Deps,
  change: Extract<Change, { subject: 'undo' }>,
  { maker, checkerId }: ChangeMakers,
): Promise<void> {
  const { kind, id } = change.value
  const { memberId, taken } = await UNDO[kind](tx, deps, id)
  await assertNotOwn(tx, memberId, { maker, checkerId })
  await auditStaff(tx, deps, maker, {
    action: 'purchase.undo',
    subject: { type: `${kind}_purchase`, id },
    reason: change.reason,
    detail: {
      memberId: String(memberId),
      rewards: taken.rewards,
      released: String(taken.released),
      ...(checkerId === undefined ? {} : { approvedBy: String(checkerId) }),
    },
  })
}
