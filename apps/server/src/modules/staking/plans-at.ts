import { type Selectable, sql } from 'kysely'
import type { StakePlanTable } from '../../platform/db/tables.generated.ts'

export const plansAt = (at: Date) => sql<Selectable<StakePlanTable>>`stake_plans_at(${at}::timestamptz)`.as('stake_plan')
