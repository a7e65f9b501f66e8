import type { Units } from '@tizara/money'
import type { Tx } from '../../../platform/database.ts'
import type { Deps } from '../../../platform/deps.ts'
import { noteTeamVolume, uplineOf } from '../../team/index.ts'
import { holdRewards } from './hold-reward.ts'
import { programmeOf } from '../programme/programme.ts'
import { notePromises } from '../pool/promises.ts'
import { LEVELS, shareOf } from '../programme/rewards.rules.ts'
import { promisesOfNft } from '../pool/sale-promises.ts'

/** An NFT that has just been bought. */
export interface NftBought {
  /** Row id of the purchase. */
  purchaseId: bigint
  memberId: bigint
  /** USD units. */
  price: Units
  at: Date
}

/**
 * What an NFT purchase means for rewards: level bonuses of the upline (RW-07, MF-22), held; volume of the teams above;
 * and what it promises, for the forecast.
 */
export async function onNftBought(tx: Tx, _deps: Pick<Deps, 'clock'>, bought: NftBought): Promise<void> {
  const purchase = await tx
    .selectFrom('nft_purchase')
    .select(['monthly_reward', 'duration_months', 'programme_version'])
    .where('id', '=', bought.purchaseId)
    .executeTakeFirstOrThrow()
  const rules = await programmeOf(tx, purchase.programme_version)
  const upline = await uplineOf(tx, bought.memberId, LEVELS)
  await noteTeamVolume(tx, { memberId: bought.memberId, at: bought.at, nft: bought.price })
  await holdRewards(
    tx,
    bought.at,
    upline
      .filter((one) => one.earns)
      .map((one) => ({
        kind: 'nft-level',
        beneficiaryId: one.memberId,
        sourceMemberId: bought.memberId,
        cause: { type: 'nft_purchase', id: bought.purchaseId },
        level: one.level,
        base: bought.price,
        percent: rules.nftLevelPercents[one.level - 1] ?? 0n,
        amount: shareOf(bought.price, rules.nftLevelPercents[one.level - 1] ?? 0n),
        version: rules.version,
      })),
  )
  const months = { monthlyReward: purchase.monthly_reward, startsAt: bought.at, times: purchase.duration_months }
  await notePromises(tx, promisesOfNft(months, rules))
}
