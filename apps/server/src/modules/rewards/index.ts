/**
 * Rewards: the programme, the rewards that events make at once, the daily runs, the pool that pays.
 * - Owns: `reward_*`. A sale of a stake or NFT hands over one `reward_source` (`openSources`): what is due, counted and to
 *   come is reckoned from it; `reward_progress` publishes it.
 * - Rooms: `programme` (figures), `sources` (what pays by day or month), `pool` (funds and promises), `instant` (rewards of
 *   one event), `runs` (daily and monthly), `lists` (what members read), `trials` (drafts, tried on days of the past); a room imports only those before it.
 * - Rules: each reward once (invariant I10); by UTC business day, none skipped, none in the future, at most three days
 *   made up without a person (invariant I18); the rows of a run add up to what the ledger paid; the pool never goes below
 *   zero: what it cannot pay waits as owed, in order.
 * - A new house has no pool and no commitment: `saleTerms` leaves no room for stakes and NFTs until the pool is funded
 *   (`fundRewardPool`), the operator commits an amount or sets the mode to `observe` (`setRewardPolicy`).
 * - Why it is built so: docs/decisions/0005-rewards.md.
 */
export { assertCovered, promiseOf, type Sale, saleTerms } from './pool/assert-covered.ts'
export { coverageOf, currentPolicy, setRewardPolicy } from './pool/coverage.ts'
export { onCoinCameBack, onCoinSentOut, onCoinSold, onCoinUndone, onDepositReversed } from './instant/new-money.ts'
export { onCoinBought } from './instant/on-coin-bought.ts'
export { assertSourceUndoable, openSources, undoSource } from './instant/source-sales.ts'
export { progressOf } from './sources/source.ts'
export { addProgramme, assertProgramme, scheduleProgramme } from './pool/add-programme.ts'
export { currentProgramme, type Programme } from './programme/programme.ts'
export { LEVELS, levelSharePercent, type ProgrammeRules, rulesText } from './programme/rewards.rules.ts'
export { type Below, earnedFrom } from './instant/earned-from.ts'
export { earnedOf } from './instant/earned.ts'
export { forecastByMonth } from './pool/promises.ts'
export { auditChecks } from './audit-checks.ts'
export { creditRcm, fundRewardPool } from './pool/staff-money.ts'
export { rankMember } from './instant/rank-members.ts'
export { haltedSince, listRewardRuns, oldestOpenDay, payDay, payDueNow, tryDay } from './runs/reward-runs.ts'
export { rewardSweeps } from './rewards.jobs.ts'
export { laneSweeps } from './runs/run-lanes.ts'
export { cancelHeld, listHeld, sumHeld } from './instant/cancel-rewards.ts'
export { recordStakesEnded as onStakesEnded } from '../team/index.ts'
export { assertUndoable, type TakenBack } from './instant/undo-rewards.ts'
export { rewardTotals } from './lists/reward-totals.ts'
export { rewardRoutes } from './rewards.routes.ts'
export { rewardHistories } from './history.ts'
export { type UpcomingReward, upcomingRewards } from './lists/upcoming.queries.ts'
export { rewardTransfers } from './rewards.transfers.ts'
export { type Bound, type NftOnSale, type Offer, type PlanOnSale, programmeBound, waysOut } from './programme/bound.rules.ts'
export {
  markOfDays,
  type Moved,
  takeFigures,
  type Trial,
  type TrialDays,
  type Tried,
  trialDays,
  type TrialFigure,
  wholeDraft,
} from './trials/trial.ts'
export { tryMembers } from './trials/try-members.ts'
export { tryReferrals, tryUnrewarded, unrewardedSpans } from './trials/try-referrals.ts'
export { trySources } from './trials/try-sources.ts'
export { trialRetention } from './trials/retention.ts'
