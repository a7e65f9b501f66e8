import type { Units } from '@tizara/money'
import type { Tx } from '../../../platform/database.ts'
import type { Deps } from '../../../platform/deps.ts'
import { uplineOf } from '../../team/index.ts'
import { holdRewards } from './hold-reward.ts'
import { countBought, raiseMark } from './kept-coin.ts'
import { assertPromiseCovered } from '../pool/assert-covered.ts'
import { currentProgramme } from '../programme/programme.ts'
import { shareOf } from '../programme/rewards.rules.ts'

/** A purchase of coin that has just been made. */
export interface CoinBought {
  memberId: bigint
  /** Row id of the purchase, and its id as members know it. */
  purchaseId: bigint
  publicId: string
  /** Coin units. */
  coinAmount: Units
  at: Date
}

/**
 * The sponsor's referral reward of a purchase of coin (RW-01, MF-17), held for the time that the settings name: a share of
 * what the buyer newly keeps by it.
 * @param tx a transaction that has posted the purchase
 * @throws AppError NOT_COVERED when the reward is not covered
 */
export async function onCoinBought(tx: Tx, _deps: Pick<Deps, 'clock'>, bought: CoinBought): Promise<void> {
  const { kept, lift } = await countBought(tx, bought.memberId, bought.coinAmount)
  const [sponsor] = await uplineOf(tx, bought.memberId, 1)
  if (sponsor === undefined || !sponsor.earns) return
  const { referralPercent, version } = await currentProgramme(tx, bought.at)
  const amount = shareOf(lift, referralPercent)
  if (amount === 0n) return
  await assertPromiseCovered(tx, { asset: 'COIN', amount })
  await raiseMark(tx, bought.memberId, kept)
  await holdRewards(tx, bought.at, [
    {
      kind: 'referral',
      beneficiaryId: sponsor.memberId,
      sourceMemberId: bought.memberId,
      cause: { type: 'coin_purchase', id: bought.purchaseId, publicId: bought.publicId, amount: bought.coinAmount },
      level: 1,
      base: lift,
      percent: referralPercent,
      amount,
      version,
    },
  ])
}
