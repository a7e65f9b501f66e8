/**
 * Rewards: the programme, the rewards that events make at once, the daily runs, the pool that pays (tier 3).
 * - Owns: `reward_*`, `shared_trace*` (out of `session` and `payout_request`); writes `stake.paid_days`, the progress columns of `nft_purchase` and `member.rank`.
 * - Rules: each reward once (invariant I10); by UTC business day, none skipped, none in the future, at most three days
 *   made up without a person (invariant I18); the rows of a run add up to what the ledger paid; the pool never goes below
 *   zero: what it cannot pay waits as owed, in order.
 * - A new house has no pool and no commitment: `assertCovered` refuses stakes and NFTs until the pool is funded
 *   (`fundRewardPool`), the operator commits an amount or sets the mode to `observe` (`setRewardPolicy`).
 * - Why it is built so: docs/decisions/0005-rewards.md.
 */
export { assertCovered, type Sale } from './assert-covered.ts'
export { type Coverage, coverageOf, type RewardPolicy, setRewardPolicy } from './coverage.ts'
export { type CoinBought, onCoinBought } from './on-coin-bought.ts'
export { type NftBought, onNftBought } from './on-nft-bought.ts'
export { onStakeOpened, type StakeOpened } from './on-stake-opened.ts'
export { addProgramme, currentProgramme, type NewProgramme, type Programme } from './programme.ts'
export { type ProgrammeRules, type Rank } from './programme.rules.ts'
export { forecastByMonth, type MonthForecast } from './promises.ts'
export { auditChecks } from './audit-checks.ts'
export { creditRcm, type RcmCredit } from './credit-rcm.ts'
export { fundRewardPool, type PoolFunds, type StaffAct } from './fund-reward-pool.ts'
export { haltedSince, listRewardRuns, payDay, payDueNow, type RewardRunRow, tryDay } from './reward-runs.ts'
export { rewardSweeps } from './rewards.jobs.ts'
export type { DayByHand, DayResult } from './pay-by-hand.ts'
export type { KindTotal } from './run-facts.ts'
export { assertUndoable } from './assert-undoable.ts'
export { onCoinUndone, onNftUndone, onStakeUndone } from './on-undone.ts'
export { type TakenBack } from './undo-rewards.ts'
export { rewardTotals, type RewardTotals } from './reward-totals.ts'
export { rewardRoutes } from './rewards.routes.ts'
export { rewardReceipts } from './receipts.ts'
export { listSharedTraces } from './shared-traces.ts'
