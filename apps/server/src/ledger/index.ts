/**
 * The ledger: the only code that changes a balance (RW-13, invariants I1-I3). Double entry, append-only; amounts are units of 10^-8. A use
 * case calls `post` inside its transaction, if possible only once, because a single call locks all accounts in order and cannot deadlock
 * with another call. Reasons: docs/decisions/0003-ledger.md.
 */
export {
  balanceOfSystemAccount,
  balancesIn,
  creditedSince,
  balancesOf,
  systemBalances,
  lockFreeBudget,
  lockSystemAccounts,
  moveToShard,
  openAccounts,
  openAccountsOf,
  transferById,
  walletsMark,
} from './accounts.ts'
export type { SystemBalance } from './accounts.ts'
export { balanceSheetOf, externalMoney } from './balance-sheet.ts'
export { type AuditCheck, type AuditResult, formatAudit, checkMonth, runAudit } from './audit.ts'
export { auditRows, type AuditedRow } from './audit-rows.ts'
export { closedListCheck, differencesSql, factCheck } from './audit-causes.ts'
export { ledgerChecks } from './audit-checks.ts'
export { atSql, type AuditWindow, inSql, openWindow, overRows, rowRule } from './audit-window.ts'
export type { AccountRef, AnyAccountRef, AnySystemKind, Asset, WalletKind } from './chart-of-accounts.ts'
export { REWARD_SHARDS, walletKinds, walletId } from './chart-of-accounts.ts'
export {
  countEntries,
  type Entry,
  entriesOf,
  type EntrySearch,
  sourceOfFunds,
  knownAccount,
  shownNumber,
  shardsOfAccount,
  transfersOfCause,
} from './explore.ts'
export { hold, holdEach, release, settle, type SettleInput } from './holds.ts'
export { type BulkInput, postBulk } from './post-bulk.ts'
export { type MovementSearch, movementsOf, movementsOfPostings, movementSums, type WalletMovement } from './movements.ts'
export { newMoneyIn, newMoneyOf, recordNewMoneyDebt, returnNewMoney } from './new-money.ts'
export { type OwnerFlow, ownerFlows } from './owner-flows.ts'
export { post, postBatch, postEach, postEachInTurn } from './post.ts'
export { isRejected, type Posted, type Posting, rejectionError, type Transfer } from './posting.ts'
export { postReversal, type Reversal, reversalOf } from './reversals.ts'
export {
  A_RETURN,
  accountSql,
  assetOfSide,
  irreversible,
  ledgerTransfers,
  PURCHASE_REVERSAL,
  type ReversalRule,
  reversible,
  type Side,
  systemSql,
  type TransferKind,
  walletSql,
} from './transfer-kinds.ts'
export { assertNotStopped, currentPause, liftLedgerStop, stopLedger, stopMark, pauseReason } from './stop.ts'
export { cutOf, lastBefore, movementsBetween, MAX_TRANSFER_ID } from './wallet-range.ts'
export { type Close, closeOf, closesBefore, journalTotals, type JournalTotal } from './journal-totals.ts'
export { type DueClose, dueClose, isSettled, closeMonth } from './period-close.ts'
export {
  countPostings,
  payersOf,
  type Receipt,
  receiptOf,
  receiptsOfPosting,
  statement,
  type StatementCursor,
  type StatementLine,
} from './statement.ts'
