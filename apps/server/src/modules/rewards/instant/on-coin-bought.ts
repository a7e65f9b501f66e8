import type { Units } from '@tizara/money'
import type { Tx } from '../../../platform/db/database.ts'
import { assertCovered, type SaleTerms } from '../pool/assert-covered.ts'
import { newlyKept, shareOf } from '../programme/rewards.rules.ts'
import { holdRewards, type InstantReward } from './hold-reward.ts'
import { countBought, raiseMarks } from './kept-coin.ts'

/** A purchase of coin that has just been made. */
export interface CoinBought {
  memberId: bigint
  /** Row id of the purchase, and its id as members know it. */
  purchaseId: bigint
  publicId: string
  /** Coin units. */
  coinAmount: Units
}

/**
 * The sponsors' referral rewards of purchases of coin (RW-01, MF-17), held for the time that the settings name: a share of
 * what a buyer newly keeps by each, in order.
 * @param tx a transaction that has posted the purchases
 * @throws AppError NOT_COVERED when the rewards are not covered
 */
export async function onCoinBought(tx: Tx, at: Date, terms: SaleTerms, purchases: readonly CoinBought[]): Promise<void> {
  if (purchases.length === 0) return
  const ofBuyer = Map.groupBy(purchases, (one) => one.memberId)
  const bought = new Map([...ofBuyer].map(([id, all]) => [id, all.reduce((sum, one) => sum + one.coinAmount, 0n)]))
  const buyers = await countBought(tx, bought)
  const { referralPercent, version } = terms.programme
  const raised = new Map<bigint, Units>()
  const rewards = [...ofBuyer].flatMap(([buyer, all]) => {
    const { kept: keptNow, mark: marked, sponsorId: beneficiaryId } = buyers.get(buyer) ?? { kept: 0n, mark: 0n, sponsorId: null }
    if (beneficiaryId === null) return []
    let [kept, mark] = [keptNow - (bought.get(buyer) ?? 0n), marked]
    return all.flatMap(({ coinAmount, purchaseId: id, publicId }): InstantReward[] => {
      const base = newlyKept(kept, coinAmount, mark)
      const amount = shareOf(base, referralPercent)
      kept += coinAmount
      if (amount === 0n) return []
      mark = kept
      raised.set(buyer, mark)
      const cause = { type: 'coin_purchase', id, publicId, amount: coinAmount } as const
      const who = { beneficiaryId, sourceMemberId: buyer, level: 1 }
      return [{ kind: 'referral', ...who, cause, base, percent: referralPercent, amount, version }]
    })
  })
  assertCovered(
    terms.room,
    rewards.map((one) => one.amount),
  )
  await raiseMarks(tx, raised)
  await holdRewards(tx, at, terms.holdDays, rewards)
}
