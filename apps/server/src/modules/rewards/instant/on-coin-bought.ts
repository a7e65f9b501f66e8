import type { Units } from '@tizara/money'
import type { Tx } from '../../../platform/database.ts'
import { uplinesOf } from '../../team/index.ts'
import { assertCovered, type Room } from '../pool/assert-covered.ts'
import { currentProgramme } from '../programme/programme.ts'
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
 * @param room what is left for new promises of coin
 * @throws AppError NOT_COVERED when the rewards are not covered
 */
export async function onCoinBought(tx: Tx, at: Date, room: Room, purchases: readonly CoinBought[]): Promise<void> {
  if (purchases.length === 0) return
  const ofBuyer = Map.groupBy(purchases, (one) => one.memberId)
  const bought = new Map([...ofBuyer].map(([id, all]) => [id, all.reduce((sum, one) => sum + one.coinAmount, 0n)]))
  const marks = await countBought(tx, bought)
  const uplineOf = await uplinesOf(tx, [...ofBuyer.keys()], 1)
  const { referralPercent, version } = await currentProgramme(tx, at)
  const raised = new Map<bigint, Units>()
  const rewards = [...ofBuyer].flatMap(([buyer, all]) => {
    const [sponsor] = uplineOf(buyer)
    if (sponsor === undefined || !sponsor.earns) return []
    let { kept, mark } = marks.get(buyer) ?? { kept: 0n, mark: 0n }
    kept -= bought.get(buyer) ?? 0n
    return all.flatMap(({ coinAmount, purchaseId: id, publicId }): InstantReward[] => {
      const base = newlyKept(kept, coinAmount, mark)
      const amount = shareOf(base, referralPercent)
      kept += coinAmount
      if (amount === 0n) return []
      mark = kept
      raised.set(buyer, mark)
      const cause = { type: 'coin_purchase', id, publicId, amount: coinAmount } as const
      const who = { beneficiaryId: sponsor.memberId, sourceMemberId: buyer, level: 1 }
      return [{ kind: 'referral', ...who, cause, base, percent: referralPercent, amount, version }]
    })
  })
  assertCovered(
    room,
    rewards.map((one) => one.amount),
  )
  await raiseMarks(tx, raised)
  await holdRewards(tx, at, rewards)
}
