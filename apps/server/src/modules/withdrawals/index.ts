/**
 * Withdrawals: USD of the deposit wallet (MF-03) and coin of my wallet (MF-04) to an address outside. Owns
 * `payout_request`. The amount is on hold in the ledger from the request on; staff decide once, and the hold is settled or
 * released exactly once (invariant I7). Above a set amount two staff members have to approve.
 */
export {
  approvePayout,
  dropFirstPayoutApprovals,
  paidOutAlone,
  type PayoutApproval,
  type PayoutDecision,
  rejectPayout,
} from './decide-payout.ts'
export { takeBackPayoutApproval } from './take-back-approval.ts'
export { requestBridge } from './request-bridge.ts'
export { requestWithdrawal } from './request-withdrawal.ts'
export { cameSoon, payoutColumns, payoutQueue, queuedPayout, type QueuedPayout, toNewAddress } from './payout-queue.queries.ts'
export { withdrawalHistories } from './history.ts'
export { withdrawalRoutes } from './withdrawals.routes.ts'
export { auditChecks } from './audit-checks.ts'
export { withdrawalTransfers } from './withdrawals.transfers.ts'
