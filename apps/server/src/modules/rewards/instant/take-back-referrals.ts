import type { Units } from '@tizara/money'
import { sql } from 'kysely'
import type { Tx } from '../../../platform/db/database.ts'
import { moveTallies, takeFromWeeks } from './tally.ts'

/** What a return of coin took back of held referral rewards. */
export interface TakenCoin {
  /** Rewards that it touched. */
  rewards: number
  /** Coin units that they stood on. */
  coin: Units
  /** Coin units of reward. */
  released: Units
}

/** Coin units that were given back, by member; of one purchase, where it is named. */
export interface CoinGivenBack {
  coins: ReadonlyMap<bigint, Units>
  at: Date
  purchaseId?: bigint
}

interface ChangedReward {
  memberId: bigint
  beneficiaryId: bigint
  coin: Units
  back: Units
  amount: Units
  createdAt: Date
  tallied: boolean
  fell: boolean
}

/**
 * Takes referral rewards back that are within their hold, pro rata to the coin that was given back, rounded up (invariant
 * I19), newest purchase first; or of one purchase only, all that is left (functions.sql). Only the rewards that it touches are
 * locked.
 * @param tx a transaction that holds the buyers' rows in `reward_mark`, so that nobody else takes any of these back
 * @returns with `coinOf`: on how many coin units of each member they stood
 */
export async function takeBackReferrals(
  tx: Tx,
  { coins, at, purchaseId }: CoinGivenBack,
): Promise<TakenCoin & { coinOf: ReadonlyMap<bigint, Units> }> {
  const found = await sql<ChangedReward>`
    select * from reward_take_back(${[...coins.keys()]}, ${[...coins.values()]}, ${at}, ${purchaseId ?? null})`.execute(tx)
  const counted = found.rows.filter((row) => row.tallied)
  await takeFromWeeks(
    tx,
    counted.map((row) => ({ memberId: row.beneficiaryId, kind: 'referral', createdAt: row.createdAt, back: row.back })),
  )
  await moveTallies(
    tx,
    counted
      .filter((row) => row.fell)
      .map((row) => ({ memberId: row.beneficiaryId, kind: 'referral', from: 'held', to: 'reversed', amount: row.amount })),
  )
  const coinOf = new Map<bigint, Units>()
  for (const { memberId, coin } of found.rows) coinOf.set(memberId, (coinOf.get(memberId) ?? 0n) + coin)
  return {
    coinOf,
    rewards: found.rows.length,
    coin: found.rows.reduce((total, row) => total + row.coin, 0n),
    released: found.rows.reduce((total, row) => total + row.back, 0n),
  }
}
