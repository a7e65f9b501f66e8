import type { Page, QueryOf } from '@tizara/contract'
import type { myStakes, StakePlan, StakeRow, stakePlans } from '@tizara/contract/staking'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { readPageRange } from '../../platform/db/paging.ts'
import { readHistory, sumByStatus } from '../histories/index.ts'
import { currentProgramme, levelSharePercent, type PlanOnSale } from '../rewards/index.ts'
import type { stakeLogs, stakes } from './history.ts'
import { progressOf } from '../rewards/index.ts'
import { plansAt } from './plans-at.ts'

/** Lists the stake plans, newest first (API-67). */
export async function listPlans(db: Db, now: Date, query: QueryOf<typeof stakePlans>): Promise<Page<StakePlan>> {
  const { page, limit, offset, since, before } = readPageRange(query)
  let plans = db.selectFrom(plansAt(now))
  if (query.status !== undefined) plans = plans.where('status', '=', query.status)
  if (since !== undefined) plans = plans.where('created_at', '>=', since)
  if (before !== undefined) plans = plans.where('created_at', '<', before)
  const rows = await plans.selectAll().orderBy('id', 'desc').limit(limit).offset(offset).execute()
  const { total } = await plans.select((eb) => eb.fn.countAll<bigint>().as('total')).executeTakeFirstOrThrow()
  const { fullLevelShareDays } = await currentProgramme(db, now)
  const next = await nextOf(
    db,
    rows.map((plan) => plan.id),
    now,
  )
  const data = rows.map((plan) => ({
    id: plan.public_id,
    planName: plan.name,
    duration: plan.duration_days,
    minimum: plan.minimum,
    apy: plan.apy,
    status: plan.status,
    omega: plan.is_omega,
    levelShare: levelSharePercent(plan.duration_days, fullLevelShareDays),
    next: next.get(plan.id),
  }))
  return { data, meta: { total: Number(total), page, limit } }
}

/** Returns the next planned change of terms by plan id. Plans without one are absent. */
async function nextOf(db: Db, ids: readonly bigint[], now: Date): Promise<Map<bigint, StakePlan['next']>> {
  if (ids.length === 0) return new Map()
  const steps = await db
    .selectFrom('stake_plan_next')
    .selectAll()
    .distinctOn('plan_id')
    .where('plan_id', 'in', ids)
    .where('starts_at', '>', now)
    .orderBy('plan_id')
    .orderBy('starts_at')
    .execute()
  return new Map(
    steps.map(({ plan_id: id, starts_at: startsAt, name: planName, duration_days: duration, minimum, apy, status }) => [
      id,
      { startsAt, planName, duration, minimum, apy, status },
    ]),
  )
}

/** Lists the plans on sale at a moment, as input for the maximum gain of a member group. */
export async function plansOnSale(db: Db, at: Date): Promise<PlanOnSale[]> {
  const rows = await db.selectFrom(plansAt(at)).selectAll().where('status', '=', 'ACTIVE').orderBy('id').execute()
  return rows.map((plan) => ({ name: plan.name, durationDays: plan.duration_days, apy: plan.apy, isOmega: plan.is_omega }))
}

/**
 * Lists a member's stakes or stake logs (Omega stakes), newest first (API-66, API-80). The sums in `meta` are sums of the
 * principal, in coin units.
 */
export async function listStakes(
  db: Db,
  memberId: bigint,
  history: typeof stakes | typeof stakeLogs,
  query: QueryOf<typeof myStakes>,
): Promise<Page<StakeRow>> {
  const { rows, counters, meta } = await readHistory(db, history, memberId, query)
  const progress = await progressOf(
    db,
    rows.map((stake) => stake.public_id),
  )
  const data = rows.map((stake) => ({
    planName: stake.plan_name,
    wallet: stake.wallet,
    stakeAmount: stake.amount,
    duration: stake.duration_days,
    apy: stake.apy,
    dailyRoy: stake.daily_reward,
    createdAt: stake.started_at,
    status: stake.status,
    startDate: stake.started_at,
    ...(stake.matures_at === null ? {} : { maturesAt: stake.matures_at }),
    paidDays: progress(stake.public_id).processed,
    paidTotal: stake.daily_reward * BigInt(progress(stake.public_id).processed),
    id: stake.public_id,
    receipt: { kind: history.kind, id: stake.public_id },
  }))
  return { data, meta: { ...meta, sum: counters.sum, sumByStatus: sumByStatus(counters) } }
}

/** Counts and sums the running stakes per plan, by the plan's public id, with an index-only scan. */
export async function runningByPlan(db: Db): Promise<Map<string, { stakes: number; coin: bigint }>> {
  const { rows } = await sql<{ id: string; stakes: number; coin: bigint }>`
    select p.public_id as id, r.stakes, r.coin from (
      select plan_id, count(*)::int as stakes, sum(amount)::bigint as coin from stake where status = 'ACTIVE' group by plan_id
    ) r join stake_plan p on p.id = r.plan_id`.execute(db)
  return new Map(rows.map(({ id, ...running }) => [id, running]))
}
