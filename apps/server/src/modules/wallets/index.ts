/**
 * Wallets: what members hold, how it came about, and the receipt of every movement (tier 2). Owns `wallet_day`; balances
 * themselves belong to the ledger.
 */
export { amountLine, momentLine, type MovingKind, receiptFromTransfers, type ReceiptFrame } from './receipts.ts'
export { receiptFor, walletRoutes } from './wallets.routes.ts'
export { walletSweeps } from './wallets.jobs.ts'
