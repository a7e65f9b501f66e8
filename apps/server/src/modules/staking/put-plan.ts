import type { Units } from '@tizara/money'
import { AppError } from '../../platform/app-error.ts'
import type { Db, Tx } from '../../platform/database.ts'
import type { Deps } from '../../platform/deps.ts'

/** A stake plan as the operator sets it (EN-30, RW-09). */
export interface PlanValues {
  planName: string
  /** Days. */
  duration: number
  /** Coin units. */
  minimum: Units
  /** Total percent of the plan, in units. */
  apy: Units
  omega: boolean
  /** Whether members may open stakes in it. */
  status: 'ACTIVE' | 'INACTIVE'
}

/**
 * The figures of a plan.
 * @throws AppError NOT_FOUND
 */
export async function planValues(db: Db, planId: string): Promise<PlanValues> {
  const plan = await db.selectFrom('stake_plan').selectAll().where('public_id', '=', planId).executeTakeFirst()
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
 * Adds a plan, or changes one; stakes keep the figures they were opened with.
 * @param planId id on the wire of the plan to change; undefined adds one
 * @returns the plan's id on the wire
 * @throws AppError NOT_FOUND, INVALID_INPUT when it would pay nothing
 */
export async function putPlan(tx: Tx, deps: Pick<Deps, 'clock' | 'ids'>, planId: string | undefined, values: PlanValues): Promise<string> {
  if (values.apy <= 0n) throw new AppError('INVALID_INPUT', {}, [{ path: 'apy', message: 'Must be above 0' }])
  const row = {
    name: values.planName,
    duration_days: values.duration,
    minimum: values.minimum,
    apy: values.apy,
    is_omega: values.omega,
    status: values.status === 'ACTIVE' ? 'ACTIVE' : 'CLOSED',
  }
  if (planId === undefined) {
    const publicId = deps.ids.publicId()
    await tx
      .insertInto('stake_plan')
      .values({ ...row, public_id: publicId, created_at: deps.clock.now() })
      .execute()
    return publicId
  }
  const changed = await tx.updateTable('stake_plan').set(row).where('public_id', '=', planId).executeTakeFirst()
  if (changed.numUpdatedRows === 0n) throw new AppError('NOT_FOUND')
  return planId
}
