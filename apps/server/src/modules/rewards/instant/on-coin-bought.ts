import { mulDiv, type Units } from '@tizara/money'
import { sql } from 'kysely'
import type { Tx } from '../../../platform/db/database.ts'
import { assertCovered, confirmCoverage, type SaleTerms } from '../pool/assert-covered.ts'
import { shareOf } from '../programme/rewards.rules.ts'
import { holdRewards, type InstantReward } from './hold-reward.ts'

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
 * Holds the sponsors' referral rewards for coin purchases (RW-01, MF-17): a share of the coin bought with new money.
 * @param tx a transaction that has posted the purchases
 * @throws AppError NOT_COVERED when the rewards are not covered
 */
export async function onCoinBought(tx: Tx, at: Date, terms: SaleTerms, purchases: readonly CoinBought[]): Promise<void> {
  const earning = purchases.filter((one) => one.newMoney > 0n)
  if (earning.length === 0) return
  const sponsors = await earningSponsors(tx, [...new Set(earning.map((one) => one.memberId))])
  const { referralPercent, version } = terms.programme
  const rewards = earning.flatMap(({ memberId, purchaseId, publicId, coinAmount, charged, newMoney }): InstantReward[] => {
    const beneficiaryId = sponsors.get(memberId)
    const base = mulDiv(coinAmount, newMoney, charged, 'down')
    const amount = shareOf(base, referralPercent)
    if (beneficiaryId === undefined || amount === 0n) return []
    const cause = { type: 'coin_purchase', id: purchaseId, publicId, amount: coinAmount } as const
    const who = { beneficiaryId, sourceMemberId: memberId, level: 1 }
    return [{ kind: 'referral', ...who, cause, base, newMoney, percent: referralPercent, amount, version }]
  })
  assertCovered(
    terms.room,
    rewards.map((one) => one.amount),
  )
  await holdRewards(tx, at, terms.holdDays, rewards)
  if (rewards.length > 0) await confirmCoverage(tx, terms)
}

/** Returns the buyers' sponsors who earn: verified and not blocked. */
async function earningSponsors(tx: Tx, buyers: readonly bigint[]): Promise<Map<bigint, bigint>> {
  const found = await sql<{ id: bigint; sponsorId: bigint }>`select * from reward_sponsors(${buyers})`.execute(tx)
  return new Map(found.rows.map((row) => [row.id, row.sponsorId]))
}
