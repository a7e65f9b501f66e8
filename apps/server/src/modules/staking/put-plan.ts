import type { Units } from '@tizara/money'
import { AppError } from '../../platform/runtime/app-error.ts'
import type { Db, Tx } from '../../platform/db/database.ts'
import type { Deps } from '../../platform/runtime/deps.ts'
import { plansAt } from './plans-at.ts'

/** Operator-defined values for a stake plan (EN-30, RW-09). */
export interface PlanValues {
  planName: string
  /** Days. */
  duration: number
  /** Coin units. */
  minimum: Units
  /** Percent over the whole duration, in units. */
  apy: Units
  omega: boolean
  /** ACTIVE if members may open stakes in it. */
  status: 'ACTIVE' | 'INACTIVE'
}

/**
 * Reads a plan's values at a moment, past or planned.
 * @throws AppError NOT_FOUND
 */
export async function planValues(db: Db, planId: string, at: Date): Promise<PlanValues> {
  const plan = await db.selectFrom(plansAt(at)).selectAll().where('public_id', '=', planId).executeTakeFirst()
  if (plan === undefined) throw new AppError('NOT_FOUND')
  return {
    planName: plan.name,
    duration: plan.duration_days,
    minimum: plan.minimum,
    apy: plan.apy,
    omega: plan.is_omega,
    status: plan.status === 'ACTIVE' ? 'ACTIVE' : 'INACTIVE',
  }
}

/**
 * Adds or edits a plan. Existing stakes keep their terms.
 * @param planId public id to edit; undefined adds a plan
 * @returns the plan's public id
 * @throws AppError NOT_FOUND, INVALID_INPUT when it would pay nothing
 */
export async function putPlan(tx: Tx, deps: Pick<Deps, 'clock' | 'ids'>, planId: string | undefined, values: PlanValues): Promise<string> {
  if (values.apy <= 0n) throw new AppError('INVALID_INPUT', {}, [{ path: 'apy', message: 'Must be above 0' }])
  const row = rowOf(values)
  if (planId === undefined) {
    const publicId = deps.ids.publicId()
    await tx
      .insertInto('stake_plan')
      .values({ ...row, public_id: publicId, created_at: deps.clock.now() })
      .execute()
    return publicId
  }
  const changed = await tx.updateTable('stake_plan').set(row).where('public_id', '=', planId).returning('id').executeTakeFirst()
  if (changed === undefined) throw new AppError('NOT_FOUND')
  await tx.deleteFrom('stake_plan_next').where('plan_id', '=', changed.id).where('starts_at', '<=', deps.clock.now()).execute()
  return planId
}

const rowOf = (values: PlanValues) => ({
  name: values.planName,
  duration_days: values.duration,
  minimum: values.minimum,
  apy: values.apy,
  is_omega: values.omega,
  status: values.status === 'ACTIVE' ? 'ACTIVE' : 'CLOSED',
})

/**
 * Replaces the planned terms of a plan.
 * @param planId public id; if the plan does not exist yet, the first step creates it
 * @param steps future steps in start order
 */
export async function schedulePlan(
  tx: Tx,
  deps: Pick<Deps, 'clock'>,
  planId: string,
  steps: readonly { startsAt: Date; values: PlanValues }[],
): Promise<void> {
  const now = deps.clock.now()
  await tx.deleteFrom('stake_plan').where('public_id', '=', planId).where('starts_at', '>', now).execute()
  const found = await tx.selectFrom('stake_plan').select('id').where('public_id', '=', planId).forUpdate().executeTakeFirst()
  const [first] = steps
  if (found !== undefined) await tx.deleteFrom('stake_plan_next').where('plan_id', '=', found.id).where('starts_at', '>', now).execute()
  const planned = first && { ...rowOf(first.values), public_id: planId, created_at: now, starts_at: first.startsAt }
  const id = found?.id ?? (planned && (await tx.insertInto('stake_plan').values(planned).returning('id').executeTakeFirstOrThrow()).id)
  if (id === undefined) return
  for (const { startsAt, values } of found === undefined ? steps.slice(1) : steps) {
    const row = { ...rowOf(values), plan_id: id, starts_at: startsAt }
    await tx
      .insertInto('stake_plan_next')
      .values(row)
      .onConflict((c) => c.columns(['plan_id', 'starts_at']).doUpdateSet(row))
      .execute()
  }
}
