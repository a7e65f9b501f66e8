import type { Units } from '@tizara/money'
import { type RawBuilder, sql } from 'kysely'
import { AppError } from '../../../platform/runtime/app-error.ts'
import { DAY_MS } from '../../../platform/runtime/clock.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { currentSettings } from '../../settings/index.ts'
import type { Cause } from './hold-reward.ts'
import { takeHeldBack } from '../pool/promises.ts'
import { moveTallies, takeFromWeeks } from './tally.ts'

/** What an undo took back: how many rewards, and units of them. */
export interface TakenBack {
  rewards: number
  released: Units
}

/**
 * Refuses to undo a purchase when the hold period of its rewards is over, or when one of them left the hold before: what
 * was paid out may be spent. Holds the rewards' rows, so that none is released until the transaction ends.
 * @param tx the transaction of the undo, which holds the row of the purchase
 * @throws AppError UNDO_REFUSED
 */
export async function assertUndoable(tx: Tx, purchase: { cause: Cause; at: Date }, now: Date): Promise<void> {
  const { rewardHoldDays } = await currentSettings(tx, now)
  if (now.getTime() >= purchase.at.getTime() + rewardHoldDays * DAY_MS)
    throw new AppError('UNDO_REFUSED', { why: `the hold period of ${rewardHoldDays} days is over` })
  const rewards = await tx
    .selectFrom('reward_instant')
    .select('status')
    .where('cause_type', '=', purchase.cause.type)
    .where('cause_id', '=', purchase.cause.id)
    .orderBy('id')
    .forUpdate()
    .execute()
  if (rewards.some(({ status }) => status === 'paid' || status === 'owed'))
    throw new AppError('UNDO_REFUSED', { why: 'rewards for it have been released already' })
}

/** Takes back what is left of the held rewards of a purchase that {@link assertUndoable} has let pass in this transaction. */
export async function undoRewards(tx: Tx, cause: Cause): Promise<TakenBack> {
  const taken = await takeHeld(tx, sql`cause_type = ${cause.type} and cause_id = ${cause.id} and status = 'held'`, null)
  return { rewards: taken.length, released: taken.reduce((total, row) => total + row.back, 0n) }
}

/** A held reward that was taken back: how much of it was left. */
interface TakenReward {
  memberId: bigint
  kind: string
  asset: string
  amount: Units
  back: Units
  createdAt: Date
  releaseAt: Date
  tallied: boolean
  promised: boolean
  /** Where it stood before. */
  from: 'held' | 'owed'
}

/**
 * Takes back all that is left of rewards, out of the forecast and the lists' figures, too.
 * @param which of `reward_instant`: rows that are held or owed
 * @param reason why staff did it, as the member will read it; null where what they rest on is gone
 */
export async function takeHeld(tx: Tx, which: RawBuilder<unknown>, reason: string | null): Promise<TakenReward[]> {
  const { rows } = await sql<TakenReward>`
    with held as (select id, status as "from", amount - reversed as back from reward_instant where ${which} order by id for update)
    update reward_instant i set status = 'reversed', reversed = i.amount, cancel_reason = ${reason} from held where i.id = held.id
    returning i.beneficiary_id as "memberId", i.kind, i.asset, i.amount, held.back, i.created_at as "createdAt", i.release_at as "releaseAt",
      i.tallied, i.promised, held."from"`.execute(tx)
  await takeHeldBack(
    tx,
    rows.filter((row) => row.promised && row.from === 'held').map(({ kind, back, releaseAt }) => ({ kind, amount: back, releaseAt })),
  )
  const counted = rows.filter((row) => row.tallied)
  await takeFromWeeks(tx, counted)
  await moveTallies(
    tx,
    counted.map((row) => ({ ...row, to: 'reversed' })),
  )
  return rows
}
