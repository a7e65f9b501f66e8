/**
 * Staking: plans, stakes, Omega stakes (stake logs), maturity and the planner.
 * - Wire: `GET /stack-coin-settings`, `POST /stack-now`, `GET /stack-now`, `GET /stake-logs`, `GET /staking/upcoming`, `POST
 * /staking/calendar-link`, `GET /staking/calendar.ics`.
 * - Owns `stake_plan*`, `stake`, `calendar_link`. Each sale hands over to rewards, which counts the daily payments; the planner adds
 * maturities to future rewards.
 * - Rules: the server recomputes every figure that a client repeats (VA-89). The principal stays in stakeWallet until maturity, and
 * returns to its wallet exactly once (MF-24, RW-11).
 */
export { type ImportedStake, importStakes, plansByName } from './import-stakes.ts'
export { withRunningStake } from './active-members.queries.ts'
export { auditChecks } from './audit-checks.ts'
export { revokeCalendarLinks } from './calendar.ts'
export { stakingHistories } from './history.ts'
export { newestStakes } from './newest-stakes.queries.ts'
export { openStake } from './open-stake.ts'
export { planValues, type PlanValues, putPlan, schedulePlan } from './put-plan.ts'
export { stakingJobs } from './staking.jobs.ts'
export { listPlans, plansOnSale, runningByPlan } from './staking.queries.ts'
export { stakingRoutes } from './staking.routes.ts'
export { reverseStake } from './reverse-stake.ts'
export { stakingTransfers } from './staking.transfers.ts'
