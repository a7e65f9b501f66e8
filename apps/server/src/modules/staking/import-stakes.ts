import type { StakeWallet } from '@tizara/contract/staking'
import { dailyReward, type Units } from '@tizara/money'
import type { Db, Tx } from '../../platform/db/database.ts'
import { insertRows } from '../../platform/db/insert-rows.ts'
import type { Deps } from '../../platform/runtime/deps.ts'
import type { startSourceImport } from '../rewards/index.ts'
import { plansAt } from './plans-at.ts'

/** A running stake of another platform, with its own terms. */
export interface ImportedStake {
  memberId: bigint
  planId: bigint
  /** Wallet that receives the principal at maturity. */
  wallet: StakeWallet
  /** Coin units. */
  amount: Units
  /** Units of percent over the whole duration. */
  apy: Units
  durationDays: number
  startedAt: Date
  /** Days whose reward the other platform has paid. */
  paidDays: number
  /** Transfer of the principal into stakeWallet, with all imported stakes of the member. */
  transferId: bigint
}

/** Lists the plans by name, in force at a moment, on sale or closed. A name is not unique. */
export async function plansByName(db: Db, at: Date): Promise<Map<string, { id: bigint; name: string; isOmega: boolean }[]>> {
  const plans = await db.selectFrom(plansAt(at)).select(['id', 'name', 'is_omega as isOmega']).execute()
  return Map.groupBy(plans, ({ name }) => name)
}

/**
 * Adds stakes of another platform. The caller has posted the principals.
 * @param sources takes the rewards of the stakes
 */
export async function importStakes(
  tx: Tx,
  deps: Pick<Deps, 'ids'>,
  at: Date,
  sources: Awaited<ReturnType<typeof startSourceImport>>,
  stakes: readonly ImportedStake[],
): Promise<void> {
  const ids = [...new Set(stakes.map(({ planId }) => planId))]
  const plans = new Map(
    (await tx.selectFrom(plansAt(at)).select(['id', 'name', 'is_omega']).where('id', 'in', ids).execute()).map((plan) => [plan.id, plan]),
  )
  const added = stakes.map((stake) => {
    const plan = plans.get(stake.planId)
    if (plan === undefined) throw new Error(`no stake plan ${stake.planId}`)
    return { ...stake, plan, publicId: deps.ids.publicId(), daily: dailyReward(stake.amount, stake.apy, stake.durationDays) }
  })
  await insertRows(
    tx,
    'stake',
    added.map(({ publicId, plan, daily, ...stake }) => ({
      public_id: publicId,
      member_id: stake.memberId,
      plan_id: plan.id,
      plan_name: plan.name,
      is_omega: plan.is_omega,
      wallet: stake.wallet,
      amount: stake.amount,
      apy: stake.apy,
      duration_days: stake.durationDays,
      daily_reward: daily,
      programme_version: sources.version,
      started_at: stake.startedAt,
      transfer_id: stake.transferId,
      imported_at: at,
    })),
  )
  await sources.add(
    added.map(({ publicId, plan, daily, ...stake }) => ({
      stream: plan.is_omega ? 1 : 0,
      publicId,
      label: plan.name,
      memberId: stake.memberId,
      principal: stake.amount,
      percent: stake.apy,
      amount: daily,
      steps: stake.durationDays,
      startsAt: stake.startedAt,
      processed: stake.paidDays,
    })),
  )
}
