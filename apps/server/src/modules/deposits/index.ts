/**
 * Deposits: hosted USDT payments and in-app token invoices.
 * - Routes: `POST /pay/create-payment`, `POST /pay/notice`, `GET /pay/get-my-depsit`, `GET /deposit-request`, `POST
 * /autoPayRoutes/create-invoice`; the invoice service `GET /invoice-api/invoice/:id`, `GET /invoice-api/payments/:id`, and in a sandbox
 * `POST /invoice-api/sandbox/invoices/:id/pay`.
 * - Owns: `deposit` (deposit request and payment record in one, EN-26), `deposit_decision`, `provider_payment`, `payment_credit`,
 * `payment_notice`, `provider_scan`, `invoice_transfer`.
 * - Rules: the server credits each arrived part once (invariant I8); a webhook only triggers a query to the provider; a status moves only
 * forward, PENDING to REJECT to APPROVE; an outage of provider or chain expires no invoice.
 */
export { applyPayment } from './provider/apply-payment.ts'
export { auditChecks } from './audit-checks.ts'
export { auditFinalTransfers } from './invoices/audit-transfers.ts'
export { claimAddress, receivedAt } from './invoices/claim-address.ts'
export { createInvoice } from './invoices/create-invoice.ts'
export { OPEN_PAYMENTS_MAX } from './provider/create-payment.ts'
export {
  approveDeposit,
  soloCredits,
  revokeFirstDepositApprovals,
  type DepositApproval,
  type DepositDecision,
  rejectDeposit,
} from './decisions/decide-deposit.ts'
export { auditFirstApprovals, decisionMacs as depositDecisionMacs, depositMacs as depositFirstMacs } from './decisions/first-approval.ts'
export { creditsOf, type GoneCredit } from './decisions/gone-credits.queries.ts'
export { creditedDeposits } from './credited-deposits.queries.ts'
export { depositQueue, depositsToReview, queuedDeposit, type QueuedDeposit } from './decisions/deposit-queue.queries.ts'
export {
  depositsFound,
  depositsToDecide,
  depositWork,
  depositWorkMark,
  invoiceProblems,
  membersOfTransaction,
  openReviewsOf,
  paymentsOf,
} from './decisions/deposit-work.queries.ts'
export { readReturnable } from './returns/request-return.ts'
export { assertReturnable, returnableOf, type ReturnedPayments, returnPayments } from './returns/return-payments.ts'
export { revokeDepositApproval } from './decisions/revoke-approval.ts'
export { depositRetention, depositJobs, INVOICE_WATCHER } from './deposits.jobs.ts'
export { type CreditToReverse, holdCredit, reverseCredit } from './decisions/reverse-credit.ts'
export { depositHistories } from './history.ts'
export { depositRoutes } from './deposits.routes.ts'
export type { DepositPorts, SandboxWallet } from './ports.ts'
export { depositTransfers } from './deposits.transfers.ts'
export { findingJob } from './provider/find-payments.ts'
export { lastScan, type ProviderScan } from './provider/provider-scan.queries.ts'
export { hasOpenInvoices } from './invoices/invoice.queries.ts'
export { wakeInvoices } from './invoices/watch-invoices.ts'
