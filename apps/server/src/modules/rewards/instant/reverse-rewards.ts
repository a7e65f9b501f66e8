import type { Units } from '@tizara/money'
import { type RawBuilder, sql } from 'kysely'
import { AppError } from '../../../platform/runtime/app-error.ts'
import { DAY_MS } from '../../../platform/runtime/clock.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { currentSettings, type Settings } from '../../settings/index.ts'
import type { Cause } from './hold-reward.ts'
import { releasePendingLiabilities } from '../pool/liabilities.ts'
import { moveCounters, subtractFromWeeks } from './reward-counters.ts'

/** Number and units of the rewards that a reversed purchase loses. */
export interface ReversedRewards {
  rewards: number
  reversedUnits: Units
}

/**
 * Returns the days within which staff can reverse a purchase. For a coin purchase these are the hold days of the referral reward. A stake
 * or an NFT has a separate setting, because its level rewards stay pending until maturity or the first month (RW-02, RW-07).
 */
export const reversalDaysOf = (settings: Settings, purchase: 'coin' | 'stake' | 'nft'): number =>
  purchase === 'coin' ? settings.rewardHoldDays : settings.reversalDays

/**
 * Rejects a reversal after the allowed days, or after the release of one of the purchase's rewards, because the member may have spent the
 * reward. Locks the rewards until the end of the transaction.
 * @param tx the reversal's transaction, which locks the purchase's row
 * @throws AppError PURCHASE_NOT_REVERSIBLE
 */
export async function assertReversible(
  tx: Tx,
  purchase: { kind: 'coin' | 'stake' | 'nft'; cause: Cause; at: Date },
  now: Date,
): Promise<void> {
  const days = reversalDaysOf(await currentSettings(tx, now), purchase.kind)
  if (now.getTime() >= purchase.at.getTime() + days * DAY_MS)
    throw new AppError('PURCHASE_NOT_REVERSIBLE', { why: `the ${days} days for a reversal are over` })
  const rewards = await tx
    .selectFrom('reward_instant')
    .select('status')
    .where('cause_type', '=', purchase.cause.type)
    .where('cause_id', '=', purchase.cause.id)
    .orderBy('id')
    .forUpdate()
    .execute()
  if (rewards.some(({ status }) => status === 'paid' || status === 'owed'))
    throw new AppError('PURCHASE_NOT_REVERSIBLE', { why: 'rewards for it have been released already' })
}

/** Reverses the remaining pending rewards for a purchase that {@link assertReversible} accepted in this transaction. */
export async function reverseRewards(tx: Tx, cause: Cause): Promise<ReversedRewards> {
  const taken = await revokePending(tx, sql`cause_type = ${cause.type} and cause_id = ${cause.id} and status = 'held'`, null)
  return { rewards: taken.length, reversedUnits: taken.reduce((total, row) => total + row.back, 0n) }
}

/** A reversed reward, with its remaining units before. */
interface TakenReward {
  memberId: bigint
  kind: string
  asset: string
  amount: Units
  back: Units
  createdAt: Date
  releaseAt: Date
  in_counters: boolean
  is_liability: boolean
  /** Status before the reversal. */
  from: 'held' | 'owed'
}

/**
 * Reverses the rest of rewards, and updates the liabilities and the counters of the lists.
 * @param which condition on `reward_instant` for pending or owed rows
 * @param reason by staff, shown to the member; null when the cause was reversed
 */
export async function revokePending(tx: Tx, which: RawBuilder<unknown>, reason: string | null): Promise<TakenReward[]> {
  const { rows } = await sql<TakenReward>`
    with held as (select id, status as "from", amount - reversed as back from reward_instant where ${which} order by id for update)
    update reward_instant i set status = 'reversed', reversed = i.amount, cancel_reason = ${reason} from held where i.id = held.id
    returning i.beneficiary_id as "memberId", i.kind, i.asset, i.amount, held.back, i.created_at as "createdAt", i.release_at as "releaseAt",
      i.in_counters, i.is_liability, held."from"`.execute(tx)
  await releasePendingLiabilities(
    tx,
    rows.filter((row) => row.is_liability && row.from === 'held').map(({ kind, back, releaseAt }) => ({ kind, amount: back, releaseAt })),
  )
  const counted = rows.filter((row) => row.in_counters)
  await subtractFromWeeks(tx, counted)
  await moveCounters(
    tx,
    counted.map((row) => ({ ...row, to: 'reversed' })),
  )
  return rows
}
