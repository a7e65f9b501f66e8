/**
 * Staking: plans, stakes and Omega stakes (stake logs), their maturity, and the planner.
 * - Wire: `GET /stack-coin-settings`, `POST /stack-now`, `GET /stack-now`, `GET /stake-logs`, `GET /staking/upcoming`,
 *   `POST /staking/calendar-link`, `GET /staking/calendar.ics`.
 * - Owns: `stake_plan*`, `stake`, `calendar_link`. What a stake pays by day is counted by rewards, to which a sale hands it over;
 *   the planner adds maturities to what rewards has to come.
 * - Rules: every figure that a client repeats is recomputed (VA-89); the principal rests in stakeWallet until maturity
 *   and returns to the wallet it came from exactly once (MF-24, RW-11).
 */
export { auditChecks } from './audit-checks.ts'
export { stakingHistories } from './history.ts'
export { newestStakes } from './newest-stakes.queries.ts'
export { openStake } from './open-stake.ts'
export { planValues, type PlanValues, putPlan, schedulePlan } from './put-plan.ts'
export { stakingSweeps } from './staking.jobs.ts'
export { listPlans, plansOnSale, runningByPlan } from './staking.queries.ts'
export { stakingRoutes } from './staking.routes.ts'
export { undoStake } from './undo-stake.ts'
export { stakingTransfers } from './staking.transfers.ts'
