import { STAKE_ABOVE } from '@tizara/contract'
import type { StakeWallet } from '@tizara/contract/staking'
import { dailyReward, formatUnits, type Units } from '@tizara/money'
import type { Selectable } from 'kysely'
import { post } from '../../ledger/index.ts'
import { AppError } from '../../platform/app-error.ts'
import type { Tx } from '../../platform/database.ts'
import type { Deps } from '../../platform/deps.ts'
import type { StakePlanTable } from '../../platform/tables.generated.ts'
import { assertCovered, currentProgramme, openSource } from '../rewards/index.ts'
import { type EchoedFigures, figuresMatch, walletOf } from './staking.rules.ts'

/** A stake as the member asks for it. */
export interface StakeWish extends EchoedFigures {
  memberId: bigint
  /** Public id of the plan. */
  planId: string
  /** Coin units. */
  stakeAmount: Units
  wallet: StakeWallet
}

/**
 * Opens a stake (API-47, MF-13): the principal moves into stakeWallet until maturity, and rewards begin.
 * @param wish what the member asks for, with the figures that the screen showed
 * @returns the stake's public id, and whether it is a stake log
 * @throws AppError PLAN_NOT_AVAILABLE, FIGURES_CHANGED, STAKE_TOO_SMALL, BELOW_MINIMUM_STAKE, INSUFFICIENT_BALANCE, NOT_COVERED
 */
export async function openStake(tx: Tx, deps: Deps, wish: StakeWish): Promise<{ stakeId: string; isOmega: boolean }> {
  const now = deps.clock.now()
  const plan = await activePlan(tx, wish.planId)
  if (wish.stakeAmount <= STAKE_ABOVE) throw new AppError('STAKE_TOO_SMALL')
  if (!figuresMatch(plan, wish.stakeAmount, wish)) throw new AppError('FIGURES_CHANGED')
  if (wish.stakeAmount < plan.minimum) throw new AppError('BELOW_MINIMUM_STAKE', { minimum: formatUnits(plan.minimum) })
  const programme = await currentProgramme(tx, now)
  const publicId = deps.ids.publicId()
  const posted = await post(tx, {
    kind: 'stake',
    cause: { type: 'stake', id: publicId },
    at: now,
    ruleVersion: programme.version,
    transfers: [
      {
        from: { owner: wish.memberId, kind: walletOf[wish.wallet] },
        to: { owner: wish.memberId, kind: 'stakeWallet' },
        amount: wish.stakeAmount,
      },
    ],
  })
  await assertCovered(tx, deps, { kind: 'stake', amount: wish.stakeAmount, apy: plan.apy, durationDays: plan.duration_days, at: now })
  const daily = dailyReward(wish.stakeAmount, plan.apy, plan.duration_days)
  await tx
    .insertInto('stake')
    .values({
      public_id: publicId,
      member_id: wish.memberId,
      plan_id: plan.id,
      plan_name: plan.name,
      is_omega: plan.is_omega,
      wallet: wish.wallet,
      amount: wish.stakeAmount,
      apy: plan.apy,
      duration_days: plan.duration_days,
      daily_reward: daily,
      programme_version: programme.version,
      started_at: now,
      transfer_id: posted.transfers[0]?.id ?? null,
    })
    .execute()
  await openSource(tx, {
    stream: plan.is_omega ? 1 : 0,
    publicId,
    label: plan.name,
    memberId: wish.memberId,
    principal: wish.stakeAmount,
    percent: plan.apy,
    amount: daily,
    times: plan.duration_days,
    startsAt: now,
    version: programme.version,
  })
  return { stakeId: publicId, isOmega: plan.is_omega }
}

/** The plan, held still until the stake stands. */
async function activePlan(tx: Tx, publicId: string): Promise<Selectable<StakePlanTable>> {
  const plan = await tx.selectFrom('stake_plan').selectAll().where('public_id', '=', publicId).forShare().executeTakeFirst()
  if (plan === undefined || plan.status !== 'ACTIVE') throw new AppError('PLAN_NOT_AVAILABLE')
  return plan
}
