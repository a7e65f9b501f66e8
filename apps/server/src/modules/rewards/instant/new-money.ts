import type { Units } from '@tizara/money'
import { recordNewMoneyDebt, returnNewMoney } from '../../../ledger/index.ts'
import type { Tx } from '../../../platform/db/database.ts'
import {
  deleteSentCoin,
  hasReferral,
  heldCoinFor,
  newMoneyOfPart,
  recordSentCoin,
  restoreSentCoin,
  type ReversedReferral,
  reverseReferrals,
} from './reverse-referrals.ts'
import type { ReversedRewards } from './reverse-rewards.ts'

/*
 * Events that reverse a coin purchase within its referral reward's hold period (RW-01). The caller posts first, and so locks the buyer's
 * deposit wallet before the rewards. Design: docs/decisions/0028-new-money.md.
 */

/** A coin sale for USD; amounts in units. */
export interface CoinSold {
  memberId: bigint
  coin: Units
  usd: Units
  /** The ledger transfer for the USD. */
  transferId: bigint
}

/**
 * Reverses the pending referral rewards for sold coin, newest purchase first. The new money that bought this coin becomes new money again,
 * at most the USD of the sale.
 * @param sales from one call or batch, in order
 */
export async function onCoinSold(tx: Tx, at: Date, sales: readonly CoinSold[]): Promise<void> {
  if (sales.length === 0) return
  const sold = new Map<bigint, Units>()
  for (const { memberId, coin } of sales) sold.set(memberId, (sold.get(memberId) ?? 0n) + coin)
  const reversed = Map.groupBy(await reverseReferrals(tx, { coins: sold, at }), (one) => one.memberId)
  if (reversed.size === 0) return
  await returnNewMoney(
    tx,
    new Map(sales.map((sale) => [sale.transferId, smaller(sale.usd, takePart(reversed.get(sale.memberId), sale.coin))])),
  )
}

/** Consumes a sale's coin from the first reversed rewards, and returns the new money that bought it. */
function takePart(reversed: ReversedReferral[] | undefined, coin: Units): Units {
  let [left, newMoney] = [coin, 0n]
  for (let first = reversed?.[0]; first !== undefined && left > 0n; first = reversed?.[0]) {
    const part = smaller(first.coin, left)
    newMoney += newMoneyOfPart(first, part)
    left -= part
    if (part === first.coin) reversed?.shift()
    else Object.assign(first, { coin: first.coin - part, baseBefore: first.baseBefore + part })
  }
  return newMoney
}

/**
 * Reverses the pending referral rewards for coin that a bridge sends away. No money becomes new money again.
 * @param sent coin units and the payout
 */
export async function onCoinSentOut(
  tx: Tx,
  { memberId, payoutId, coin, at }: { memberId: bigint; payoutId: bigint; coin: Units; at: Date },
) {
  const reversed = await reverseReferrals(tx, { coins: new Map([[memberId, coin]]), at })
  await recordSentCoin(tx, payoutId, reversed)
}

/** Restores the referral rewards reversed by a bridge when its coin returns. Rewards paid or cancelled since stay unchanged. */
export const onCoinCameBack = (tx: Tx, payoutId: bigint): Promise<void> => restoreSentCoin(tx, payoutId)

/** A coin purchase reversed by staff. */
export interface ReversedCoinPurchase {
  memberId: bigint
  purchaseId: bigint
  /** Coin units. */
  coin: Units
  /** The refund's ledger transfer, and the purchase's new money in USD units. */
  transferId: bigint
  newMoney: Units
}

/** Reverses the remaining referral reward of a reversed purchase. The purchase's new money becomes new money again. */
export async function onCoinPurchaseReversed(tx: Tx, at: Date, purchase: ReversedCoinPurchase): Promise<ReversedRewards> {
  const { memberId, purchaseId, coin, transferId } = purchase
  const reversed = await reverseReferrals(tx, { coins: new Map([[memberId, coin]]), at, purchaseId })
  // If the purchase had no referral reward, all new money that it used is returned.
  const isRewarded = reversed.length > 0 || (await hasReferral(tx, purchaseId))
  await returnNewMoney(tx, new Map([[transferId, isRewarded ? newMoneyOf(reversed) : purchase.newMoney]]))
  await deleteSentCoin(tx, purchaseId)
  return { rewards: reversed.length, reversedUnits: reversed.reduce((total, one) => total + one.back, 0n) }
}

/**
 * Covers new money that is missing when a deposit is reversed: reverses pending referral rewards, newest first. The rest becomes the
 * wallet's new-money debt.
 * @param reversed the reversal's ledger transfer, and the missing USD units
 */
export async function onDepositReversed(
  tx: Tx,
  at: Date,
  reversed: { memberId: bigint; transferId: bigint; missing: Units },
): Promise<void> {
  const { memberId, transferId, missing } = reversed
  const coin = await heldCoinFor(tx, memberId, missing, at)
  const rewards = coin > 0n ? await reverseReferrals(tx, { coins: new Map([[memberId, coin]]), at }) : []
  // The ledger records as debt what the rewards did not return.
  await recordNewMoneyDebt(tx, transferId, smaller(missing, newMoneyOf(rewards)))
}

const newMoneyOf = (reversed: readonly ReversedReferral[]) => reversed.reduce((total, one) => total + newMoneyOfPart(one, one.coin), 0n)
const smaller = (a: Units, b: Units) => (a < b ? a : b)
