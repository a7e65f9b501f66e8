import type { Units } from '@tizara/money'
import type { Tx } from '../../../platform/database.ts'
import { DAY_MS } from '../../../platform/clock.ts'
import { noteTeamVolume } from '../../team/index.ts'
import { dropLostRanks } from './drop-lost-ranks.ts'
import { onPurchaseUndone } from './kept-coin.ts'
import { programmeOf } from '../programme/programme.ts'
import { takePromisesBack } from '../pool/promises.ts'
import { promisesOfNft, promisesOfStake } from '../pool/sale-promises.ts'
import { type TakenBack, undoRewards } from './undo-rewards.ts'

/** What it means for rewards that a purchase of coin was undone: the referral reward falls away, and the buyer keeps less. */
export async function onCoinUndone(
  tx: Tx,
  undone: { memberId: bigint; purchaseId: bigint; coinAmount: Units; at: Date },
): Promise<TakenBack> {
  const { memberId, purchaseId, coinAmount, at } = undone
  const { rewards, released } = await onPurchaseUndone(tx, { memberId, purchaseId, coin: coinAmount, at })
  return { rewards, released, recovered: 0n, unrecovered: 0n }
}

/**
 * What it means for rewards that a stake was undone: level rewards and the days to come fall away, and so does the volume
 * of the teams above, with ranks that rest on it. Days that were counted stay earned: the coin did lie there.
 */
export async function onStakeUndone(tx: Tx, undone: { stakeId: bigint; paidDays: number; at: Date }): Promise<TakenBack> {
  const stake = await tx.selectFrom('stake').selectAll().where('id', '=', undone.stakeId).executeTakeFirstOrThrow()
  const rules = await programmeOf(tx, stake.programme_version)
  const taken = await undoRewards(tx, { cause: { type: 'stake', id: stake.id }, undone: stake.amount, at: undone.at })
  const startsAt = new Date(stake.started_at.getTime() + undone.paidDays * DAY_MS)
  const days = { isOmega: stake.is_omega, dailyReward: stake.daily_reward, startsAt, times: stake.duration_days - undone.paidDays }
  await takePromisesBack(tx, promisesOfStake(days, rules))
  await noteTeamVolume(tx, { memberId: stake.member_id, at: stake.started_at, stake: -stake.amount })
  await dropLostRanks(tx, stake.member_id, undone.at)
  return taken
}

/**
 * What it means for rewards that an NFT purchase was undone before its first month was paid: level bonuses and all months
 * fall away, and so does the volume of the teams above.
 */
export async function onNftUndone(tx: Tx, undone: { purchaseId: bigint; at: Date }): Promise<TakenBack> {
  const purchase = await tx.selectFrom('nft_purchase').selectAll().where('id', '=', undone.purchaseId).executeTakeFirstOrThrow()
  const rules = await programmeOf(tx, purchase.programme_version)
  const taken = await undoRewards(tx, { cause: { type: 'nft_purchase', id: purchase.id }, undone: purchase.price, at: undone.at })
  const months = { monthlyReward: purchase.monthly_reward, startsAt: purchase.purchased_at, times: purchase.duration_months }
  await takePromisesBack(tx, promisesOfNft(months, rules))
  await noteTeamVolume(tx, { memberId: purchase.member_id, at: purchase.purchased_at, nft: -purchase.price })
  return taken
}
