import type { Units } from '@tizara/money'
import type { Tx } from '../../../platform/database.ts'
import { onPurchaseUndone } from './kept-coin.ts'
import type { TakenBack } from './undo-rewards.ts'

/** What it means for rewards that a purchase of coin was undone: the referral reward falls away, and the buyer keeps less. */
export async function onCoinUndone(
  tx: Tx,
  undone: { memberId: bigint; purchaseId: bigint; coinAmount: Units; at: Date },
): Promise<TakenBack> {
  const { memberId, purchaseId, coinAmount, at } = undone
  const { rewards, released } = await onPurchaseUndone(tx, { memberId, purchaseId, coin: coinAmount, at })
  return { rewards, released, recovered: 0n, unrecovered: 0n }
}
