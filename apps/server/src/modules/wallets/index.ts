/** Wallets: balances, their history, and a receipt for every movement. Owns `wallet_day`; the ledger owns the balances. */
export { receiptFor, walletRoutes } from './wallets.routes.ts'
export { idsOfTime } from './ids-of-time.ts'
export { PAGE as PDF_PAGE, type PdfHead, renderPdf, unitName } from './pdf-pages.ts'
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
export { describeMovement } from './statement-month.ts'
