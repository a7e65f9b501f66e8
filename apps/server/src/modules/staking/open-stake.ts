import { STAKE_ABOVE } from '@tizara/contract'
import type { StakeWallet } from '@tizara/contract/staking'
import { dailyReward, formatUnits, type Units } from '@tizara/money'
import { type Selectable, sql } from 'kysely'
import { postEach, type Posting } from '../../ledger/index.ts'
import { okValues, AppError, zipOk, mapOk, unwrapSingle } from '../../platform/runtime/app-error.ts'
import { queryDeferred, type Tx } from '../../platform/db/database.ts'
import type { Deps } from '../../platform/runtime/deps.ts'
import { insertRows } from '../../platform/db/insert-rows.ts'
import type { StakePlanTable } from '../../platform/db/tables.generated.ts'
import { assertCovered, openSources, liabilityOf, saleTerms } from '../rewards/index.ts'
import { type EchoedFigures, figuresMatch, walletOf } from './staking.rules.ts'

export interface OpenStakeInput extends EchoedFigures {
  memberId: bigint
  /** Public id of the plan. */
  planId: string
  /** Coin units. */
  stakeAmount: Units
  wallet: StakeWallet
}

export interface OpenedStake {
  stakeId: string
  /** True for a stake log. */
  isOmega: boolean
}

type Plan = Selectable<StakePlanTable>
interface NewStake extends OpenStakeInput {
  plan: Plan
  publicId: string
  /** Coin units per day, and the whole liability. */
  daily: Units
  promise: Units
}

/**
 * Opens a stake (API-47, MF-13): the principal moves to stakeWallet until maturity, and rewards begin.
 * @throws AppError PLAN_NOT_AVAILABLE, FIGURES_CHANGED, STAKE_TOO_SMALL, BELOW_MINIMUM_STAKE, INSUFFICIENT_BALANCE, NOT_COVERED
 */
export async function openStake(tx: Tx, deps: Deps, input: OpenStakeInput): Promise<OpenedStake> {
  return unwrapSingle(await openStakes(tx, deps, [input]))
}

/**
 * Handles a batch of stakes like `openStake`, in order. A refused stake has no effect.
 * @throws AppError NOT_COVERED when their rewards together are not covered
 */
export async function openStakes(tx: Tx, deps: Deps, inputs: readonly OpenStakeInput[]): Promise<(OpenedStake | AppError)[]> {
  const now = deps.clock.now()
  const offered = await activePlans(tx, inputs, now)
  const terms = await saleTerms(tx, now, 'COIN')
  const plans = offered()
  const { programme, capacity } = terms
  const orders = inputs.map((input) => {
    const plan = plans.get(input.planId)
    if (plan === undefined) return new AppError('PLAN_NOT_AVAILABLE')
    const refused = rejectionOf(input, plan)
    if (refused !== undefined) return refused
    const { apy, duration_days: durationDays } = plan
    const promise = liabilityOf({ kind: 'stake', amount: input.stakeAmount, apy, durationDays }, programme)
    return { ...input, plan, publicId: deps.ids.publicId(), daily: dailyReward(input.stakeAmount, apy, durationDays), promise }
  })
  const posted = await postEach(
    tx,
    mapOk(orders, (stake) => postingOf(stake, programme.version, now)),
  )
  const opened = zipOk(orders, posted, (stake, { transfers }) => ({ ...stake, transferId: transfers[0]?.id ?? null }))
  const stakes = okValues(opened)
  assertCovered(
    capacity,
    stakes.map((stake) => stake.promise),
  )
  await insertRows(
    tx,
    'stake',
    stakes.map((stake) => ({ ...rowOf(stake), programme_version: programme.version, started_at: now, transfer_id: stake.transferId })),
  )
  await openSources(tx, terms, now, stakes.map(sourceOf))
  return mapOk(opened, ({ publicId, plan }) => ({ stakeId: publicId, isOmega: plan.is_omega }))
}

/** Reads and locks the plans until the stakes commit (functions.sql). */
async function activePlans(tx: Tx, inputs: readonly OpenStakeInput[], now: Date): Promise<() => Map<string, Plan>> {
  const ids = [...new Set(inputs.map((input) => input.planId))]
  const found = await queryDeferred(tx, sql<Plan>`select * from stake_plans_for_sale(${ids}, ${now})`.compile(tx))
  return () =>
    new Map(
      found()
        .filter((plan) => plan.status === 'ACTIVE')
        .map((plan) => [plan.public_id, plan]),
    )
}

function rejectionOf(input: OpenStakeInput, plan: Plan): AppError | undefined {
  if (input.stakeAmount <= STAKE_ABOVE) return new AppError('STAKE_TOO_SMALL')
  if (!figuresMatch(plan, input.stakeAmount, input)) return new AppError('FIGURES_CHANGED')
  return input.stakeAmount < plan.minimum ? new AppError('BELOW_MINIMUM_STAKE', { minimum: formatUnits(plan.minimum) }) : undefined
}

const postingOf = ({ memberId: owner, wallet, stakeAmount, publicId }: NewStake, version: number, at: Date): Posting => ({
  kind: 'stake',
  cause: { type: 'stake', id: publicId },
  at,
  ruleVersion: version,
  transfers: [{ from: { owner, kind: walletOf[wallet] }, to: { owner, kind: 'stakeWallet' }, amount: stakeAmount }],
})

const rowOf = ({ publicId, memberId, plan, wallet, stakeAmount, daily }: NewStake) => ({
  public_id: publicId,
  member_id: memberId,
  plan_id: plan.id,
  plan_name: plan.name,
  is_omega: plan.is_omega,
  wallet,
  amount: stakeAmount,
  apy: plan.apy,
  duration_days: plan.duration_days,
  daily_reward: daily,
})

const sourceOf = ({ publicId, memberId, plan, stakeAmount, daily }: NewStake) => ({
  stream: plan.is_omega ? (1 as const) : (0 as const),
  publicId,
  label: plan.name,
  memberId,
  principal: stakeAmount,
  percent: plan.apy,
  amount: daily,
  steps: plan.duration_days,
})
