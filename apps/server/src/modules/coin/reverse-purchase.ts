import { newMoneyOf, post } from '../../ledger/index.ts'
import { AppError } from '../../platform/runtime/app-error.ts'
import type { Tx } from '../../platform/db/database.ts'
import type { Deps } from '../../platform/runtime/deps.ts'
import { assertReversible, onCoinPurchaseReversed, type ReversedRewards } from '../rewards/index.ts'
import { settingsOf } from '../settings/index.ts'

/**
 * Reverses a coin purchase within the hold for its referral reward. The coin returns to the stock, the charge to the deposit wallet.
 * @returns the buyer, and the reversed rewards
 * @throws AppError NOT_FOUND, PURCHASE_NOT_REVERSIBLE, INSUFFICIENT_BALANCE when the credited wallet lacks the coin or SYS-SALES lacks the USD
 */
export async function reverseCoinPurchase(
  tx: Tx,
  deps: Pick<Deps, 'clock'>,
  purchaseId: string,
): Promise<{ memberId: bigint; taken: ReversedRewards }> {
  const now = deps.clock.now()
  const purchase = await tx.selectFrom('coin_purchase').selectAll().where('public_id', '=', purchaseId).forUpdate().executeTakeFirst()
  if (purchase === undefined) throw new AppError('NOT_FOUND')
  if (purchase.reversed_at !== null) throw new AppError('PURCHASE_NOT_REVERSIBLE', { why: 'it was already reversed' })
  const { buyTokenCreditWallet } = await settingsOf(tx, purchase.settings_version)
  const owner = purchase.member_id
  const { transfers } = await post(tx, {
    kind: 'buyTokenReversed',
    cause: { type: 'coin_purchase', id: purchase.public_id },
    at: now,
    ruleVersion: purchase.settings_version,
    key: `coin-reversal:${purchase.id}`,
    transfers: [
      { from: { owner, kind: buyTokenCreditWallet }, to: { system: 'SYS-COIN', asset: 'COIN' }, amount: purchase.coin_amount },
      { from: { system: 'SYS-SALES', asset: 'USD' }, to: { owner, kind: 'depositWallet' }, amount: purchase.charged },
    ],
  })
  await tx.updateTable('coin_purchase').set({ reversed_at: now }).where('id', '=', purchase.id).execute()
  const reversed = await onCoinPurchaseReversed(tx, now, {
    memberId: owner,
    purchaseId: purchase.id,
    coin: purchase.coin_amount,
    transferId: transfers[1]?.id ?? 0n,
    newMoney: await newMoneyOf(tx, purchase.posting_id),
  })
  // Runs after the buyer's wallets are locked, the same lock order as in a sale.
  await assertReversible(tx, { kind: 'coin', cause: { type: 'coin_purchase', id: purchase.id }, at: purchase.created_at }, now)
  return { memberId: owner, taken: reversed }
}
