import { sql } from 'kysely'
import { newMoneyOf, post } from '../../ledger/index.ts'
import { AppError } from '../../platform/runtime/app-error.ts'
import type { Tx } from '../../platform/db/database.ts'
import type { Deps } from '../../platform/runtime/deps.ts'
import { assertSourceReversible, type ReversedRewards, reverseSource } from '../rewards/index.ts'

const WALLETS = { depositwallet: 'depositWallet', nativewallet: 'nativeWallet', mywallet: 'icoWallet' } as const
const walletOf = (paidBy: string) => WALLETS[paidBy === 'nativewallet' || paidBy === 'mywallet' ? paidBy : 'depositwallet']

/**
 * Reverses an NFT purchase within `reversalDays` and before its first month is counted.
 * The payment returns to its wallet in the same asset and amount, and the unit is for sale again.
 * @returns the buyer, and the reversed rewards
 * @throws AppError NOT_FOUND, PURCHASE_NOT_REVERSIBLE, INSUFFICIENT_BALANCE when SYS-SALES lacks the USD, COIN_SOLD_OUT when the stock lacks the coin
 */
export async function reverseNft(
  tx: Tx,
  deps: Pick<Deps, 'clock'>,
  purchaseId: string,
): Promise<{ memberId: bigint; taken: ReversedRewards }> {
  const now = deps.clock.now()
  const purchase = await tx.selectFrom('nft_purchase').selectAll().where('public_id', '=', purchaseId).forUpdate().executeTakeFirst()
  if (purchase === undefined) throw new AppError('NOT_FOUND')
  if (purchase.status === 'REVERSED') throw new AppError('PURCHASE_NOT_REVERSIBLE', { why: 'it was already reversed' })
  if (purchase.imported_at !== null) throw new AppError('PURCHASE_NOT_REVERSIBLE', { why: 'it was made on the earlier platform' })
  await assertSourceReversible(tx, purchaseId, now)
  const isUsd = purchase.paid_asset === 'usd'
  await post(tx, {
    kind: 'nftPurchaseReversed',
    cause: { type: 'nft_purchase', id: purchase.public_id },
    at: now,
    ruleVersion: purchase.programme_version,
    key: `nft-reversal:${purchase.id}`,
    transfers: [
      {
        from: isUsd ? { system: 'SYS-SALES', asset: 'USD' } : { system: 'SYS-COIN', asset: 'COIN' },
        to: { owner: purchase.member_id, kind: walletOf(purchase.paid_from) },
        amount: purchase.paid_amount,
        // The purchase's new money becomes new money again (RW-01).
        newMoney: purchase.transfer_id === null ? 0n : await newMoneyOf(tx, purchase.transfer_id),
      },
    ],
  })
  await tx.updateTable('nft_purchase').set({ status: 'REVERSED', reversed_at: now }).where('id', '=', purchase.id).execute()
  const reversed = await reverseSource(tx, purchaseId, now)
  // Runs last, as in a sale: all buyers of the kind wait for this row.
  await sql`update nft_supply set sold = sold - 1 where kind = ${purchase.kind}`.execute(tx)
  return { memberId: purchase.member_id, taken: reversed }
}
