/**
 * Wallets: what members hold, how it came about, and the receipt of every movement. Owns `wallet_day`; balances
 * themselves belong to the ledger.
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
export { walletSweeps } from './wallets.jobs.ts'
export { statementJob } from './statement.job.ts'
