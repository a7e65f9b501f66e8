/**
 * Rewards: the programme, instant rewards, the daily runs and the reward pool.
 * - Owns `reward_*`. A stake or NFT sale hands over one `reward_source` (`openSources`); due, counted and future rewards are computed from
 * it, and `reward_progress` publishes it.
 * - Folders: `programme` (rules), `sources` (daily or monthly payers), `pool` (funds and liabilities), `instant` (rewards for one event),
 * `runs` (daily and monthly), `lists` (member pages), `simulation` (draft simulation on past days). A folder imports only earlier ones.
 * - Rules: each reward once (invariant I10). One run per UTC business day, none skipped, none in the future; the job catches up on at most
 * three days (invariant I18). A run's rows add up to the paid amount. The pool never goes below zero: unfunded rewards wait as owed, in
 * order.
 * - A new instance has no pool and no commitment. `saleTerms` leaves no capacity for stakes and NFTs until the pool is funded
 * (`fundRewardPool`), or the operator commits an amount (`setRewardPolicy`).
 * - Design: docs/decisions/0005-rewards.md.
 */
export { assertCovered, liabilityOf, type Sale, saleTerms } from './pool/assert-covered.ts'
export { type Coverage, coverageOf, currentPolicy } from './pool/coverage.ts'
export { onCoinCameBack, onCoinSentOut, onCoinSold, onCoinPurchaseReversed, onDepositReversed } from './instant/new-money.ts'
export { onCoinBought } from './instant/on-coin-bought.ts'
export { assertSourceReversible, openSources, reverseSource } from './instant/source-sales.ts'
export { progressOf } from './sources/source.ts'
export { addProgramme, assertProgramme, referralsToCome, scheduleProgramme } from './pool/add-programme.ts'
export { currentProgramme, type Programme } from './programme/programme.ts'
export { LEVELS, levelSharePercent, type ProgrammeRules, rulesText } from './programme/rewards.rules.ts'
export { type DownlineMember, earnedFrom } from './instant/earned-from.ts'
export { earnedOf } from './instant/earned.ts'
export { forecastByMonth } from './pool/liabilities.ts'
export { auditChecks } from './audit-checks.ts'
export { creditRcm, fundRewardPool, setRewardPolicy } from './pool/staff-money.ts'
export { rankMember } from './instant/rank-members.ts'
export { haltedSince, listRewardRuns, oldestOpenDay, payDay, payDueRewardsNow, simulateDay } from './runs/reward-runs.ts'
export { bountyAt, firstImportedDue, MAX_UNPAID_DAYS, startSourceImport, stepAt } from './runs/import-sources.ts'
export { rewardJobs } from './rewards.jobs.ts'
export { assistantJobs } from './runs/assist-runs.ts'
export { cancelPending, listPending, sumPending } from './instant/cancel-rewards.ts'
export { onStakesEnded } from './instant/hand-out-budgets.ts'
export { assertReversible, type ReversedRewards, reversalDaysOf } from './instant/reverse-rewards.ts'
export { earningsJob } from './lists/earnings.job.ts'
export { rewardTotals } from './lists/reward-totals.ts'
export { rewardRoutes } from './rewards.routes.ts'
export { rewardHistories } from './history.ts'
export { type UpcomingReward, upcomingRewards } from './lists/upcoming.queries.ts'
export { rewardTransfers } from './rewards.transfers.ts'
export { type MaxGain, type NftOnSale, type Offer, type PlanOnSale, maxGroupGain } from './programme/max-gain.rules.ts'
export {
  dayHashes,
  type SimulatedChange,
  takeFigures,
  type Simulation,
  type SimulatedDays,
  type BatchResult,
  simulatedDays,
  type SimulationFigure,
  wholeDraft,
} from './simulation/simulation.ts'
export { simulateMembers } from './simulation/simulate-members.ts'
export { simulateReferrals, simulateUnrewarded, unrewardedSpans } from './simulation/simulate-referrals.ts'
export { simulateSources } from './simulation/simulate-sources.ts'
export { simulationRetention } from './simulation/retention.ts'
