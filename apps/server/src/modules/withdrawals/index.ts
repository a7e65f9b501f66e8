/**
 * Pays USD from the deposit wallet (MF-03) and coin from My Wallet (MF-04) to external addresses. The module owns `payout_request`, the
 * address books in `payout_address`, and the chain payments in `payout_sending`. Also the payments of the platform itself: cold moves, and
 * returns of payments that were not credited. The ledger holds the amount from the request on. The owner confirms it, staff decide once,
 * and the hold is settled or released exactly once (invariant I7). Above a configured amount two staff members must approve
 * (docs/decisions/0016-payout-confirmation.md).
 */
export {
  approvePayout,
  revokeFirstPayoutApprovals,
  soloPayouts,
  type PayoutApproval,
  type PayoutDecision,
  rejectPayout,
} from './decisions/decide-payout.ts'
export { expireConfirmations, removeAddresses, repeatStops } from './confirmation/expire-confirmations.ts'
export { stopAndAuditPayouts } from './confirmation/stop-payouts.ts'
export { nameTransaction } from './name-transaction.ts'
export { revokePayoutApproval } from './decisions/revoke-approval.ts'
export { recordRejectedOutflow } from './guard/record-rejected-outflow.ts'
export { eraseAddresses } from './addresses/erase-addresses.ts'
export { requestBridge } from './request-bridge.ts'
export { requestWithdrawal } from './request-withdrawal.ts'
export {
  addressesOf,
  isBurst,
  isDecided,
  isNearDayLimit,
  membersOfPayout,
  nearDayLimit,
  paidInDay,
  payoutColumns,
  payoutQueue,
  payoutsFound,
  payoutWorkMark,
  queuedPayout,
  type QueuedPayout,
  toNewAddress,
  waitsForStaff,
  wasPaidBefore,
} from './decisions/payout-queue.queries.ts'
export { answerSending, assertAnswerable } from './sending/answer-sending.ts'
export { type AdoptionResult, adoptPaid } from './sending/adopt-paid.ts'
export { cancelSending } from './sending/cancel-sending.ts'
export { hasSignedPayouts } from './sending/open-sendings.queries.ts'
export { type SendingFacts, sendingOf } from './sending/sending.queries.ts'
export { bookCosts, costJob } from './costs/book-costs.ts'
export { type NetworkCosts, networkCosts, unbookedTransactions } from './costs/network-costs.queries.ts'
export { type SendingHealth, sendingHealth } from './sending/sending-health.queries.ts'
export { type SendingPorts, sendingJobs } from './sending/send-payouts.ts'
export { insertProceeds } from './proceeds/insert-proceeds.ts'
export { cancelPlatformPayout } from './platform-payouts/cancel-platform-payout.ts'
export { type PlatformPayoutRow, readPlatformPayouts } from './platform-payouts/platform-payouts.queries.ts'
export { assertColdMove, queueColdMove } from './cold-moves/queue-cold-move.ts'
export { type WalletHolding, walletHoldings } from './cold-moves/wallet-holdings.queries.ts'
export { voidPaymentReturns } from './payment-returns/void-payment-returns.ts'
export { type PaymentReturnRow, paymentReturnsOf } from './payment-returns/payment-returns.queries.ts'
export { assertPaymentReturn, type PaymentReturn, queuePaymentReturn } from './payment-returns/queue-payment-return.ts'
export { countOpenPayouts } from './open-payouts.queries.ts'
export { heldAt, paidOutSince } from './held-amounts.queries.ts'
export {
  approveByRule,
  lockUncheckedPayout,
  nextUncheckedPayout,
  recordRuleCheck,
  ruleUseToday,
  type UncheckedPayout,
} from './rules/decide-by-rule.ts'
export {
  assertWithinLimits,
  auditPayoutRules,
  latestPayoutRules,
  payoutRuleMacs,
  payoutRulesAt,
  plannedPayoutRules,
  RULES_SUBJECT,
  rulesOf,
  schedulePayoutRules,
  setPayoutRules,
  STOP_RULES,
} from './rules/payout-rules.ts'
export { addAddress } from './addresses/address-book.ts'
export { loadOutflowChecks, type StepUp } from './guard/authorize-outflow.ts'
export { type OpenedTransfer, openTransfers } from './open-transfers.ts'
export { cancelPayout, withdrawalRetention, withdrawalJobs } from './cancel-payout.ts'
export { payoutNotificationJobs } from './notify-member.ts'
export { withdrawalHistories } from './history.ts'
export { withdrawalRoutes } from './withdrawals.routes.ts'
export { auditChecks } from './audit-checks.ts'
export { costChecks } from './costs/audit-checks.ts'
export { addressMacs, auditAddresses, isUsable, provenBy, type StoredEntry, storedEntry } from './addresses/address-mac.ts'
export { auditPayoutMacs } from './audit-payout-macs.ts'
export { firstApprovalMacs, requestMacs } from './payout-mac.ts'
export { approvalMacs } from './sending/approval-mac.ts'
export { withdrawalTransfers } from './withdrawals.transfers.ts'
