import type { Units } from '@tizara/money'
import { sql } from 'kysely'
import type { Tx } from '../../../platform/db/database.ts'
import { assertCovered, confirmCoverage, type SaleTerms } from '../pool/assert-covered.ts'
import { referralOf, type UnearnedReason } from '../programme/referral.rules.ts'
import { holdRewards, type InstantReward, recordUnearned } from './hold-reward.ts'

/** A completed coin purchase. */
export interface CoinBought {
  memberId: bigint
  /** The purchase's row id and public id. */
  purchaseId: bigint
  publicId: string
  /** Coin units. */
  coinAmount: Units
  /** Charged USD units, and the new money among them. */
  charged: Units
  newMoney: Units
}

/**
 * Adds the sponsors' pending referral rewards for coin purchases (RW-01, MF-17): a share of the coin that new money bought. Records the
 * reason if a purchase has no reward.
 * @param tx the transaction that has posted the purchases
 * @throws AppError NOT_COVERED when the rewards are not covered
 */
export async function onCoinBought(tx: Tx, at: Date, terms: SaleTerms, purchases: readonly CoinBought[]): Promise<void> {
  const { referralPercent, version } = terms.programme
  const sponsors = await earningSponsors(tx, referralPercent === 0n ? [] : purchases)
  const rewards: InstantReward[] = []
  const unearned: (CoinBought & { reason: UnearnedReason })[] = []
  for (const purchase of purchases) {
    const { memberId, purchaseId, publicId, coinAmount, newMoney } = purchase
    const referral = referralOf(purchase, referralPercent, sponsors.get(memberId))
    if (typeof referral === 'string') {
      unearned.push({ ...purchase, reason: referral })
      continue
    }
    const cause = { type: 'coin_purchase', id: purchaseId, publicId, amount: coinAmount } as const
    rewards.push({ kind: 'referral', sourceMemberId: memberId, level: 1, cause, ...referral, newMoney, percent: referralPercent, version })
  }
  await recordUnearned(tx, at, terms.programme, unearned)
  assertCovered(
    terms.capacity,
    rewards.map((one) => one.amount),
  )
  await holdRewards(tx, at, terms.holdDays, rewards)
  if (rewards.length > 0) await confirmCoverage(tx, terms)
}

/** Returns the sponsors who earn, verified and not blocked, of buyers who spent new money. */
async function earningSponsors(tx: Tx, purchases: readonly CoinBought[]): Promise<Map<bigint, bigint>> {
  const buyers = [...new Set(purchases.filter((one) => one.newMoney > 0n).map((one) => one.memberId))]
  if (buyers.length === 0) return new Map()
  const found = await sql<{ id: bigint; sponsorId: bigint }>`select * from reward_sponsors(${buyers})`.execute(tx)
  return new Map(found.rows.map((row) => [row.id, row.sponsorId]))
}
