/**
 * Wallets: balances of members, their history, and the receipt of every movement. Owns `wallet_day`; balances belong to
 * the ledger.
 */
export { receiptFor, walletRoutes } from './wallets.routes.ts'
export { idsOfTime } from './ids-of-time.ts'
export {
  amountLine,
  momentLine,
  type MovingKind,
  receiptFromTransfers,
  receiptOfMovement,
  type ReceiptFrame,
  walletLabel,
} from './receipts.ts'
export { walletJobs } from './wallets.jobs.ts'
export { statementJob } from './statement.job.ts'
