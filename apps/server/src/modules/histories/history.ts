import type { Route } from '@tizara/contract'
import type { HistoryKind } from '@tizara/contract/history-kinds'
import type { Receipt } from '@tizara/contract/wallets'
import type { RawBuilder } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import type { DB } from '../../platform/db/tables.generated.ts'

/** Finds the receipt for a row in a member's own history; undefined if the member has no such row. */
export type ReceiptFinder = (db: Db, memberId: bigint, id: string) => Promise<Receipt | undefined>

/** Table of a list and the counted values, in SQL over `row`. The table has `id`, `public_id` and `member_id`. */
export interface CountedRows {
  table: keyof DB
  /** Time column for date ranges; `created_at` by default. */
  at?: string
  /** Condition for the rows of the list; all rows by default. Several lists of one table differ only in this condition. */
  where?: string
  /** SQL expression that groups the counts, for example the status. */
  bucket?: string
  /** Summed amount, in units. */
  amount?: string
}

/**
 * A list with a member's own rows, declared once in its module's `history.ts` and collected in main/histories.ts.
 * The server derives counters, receipts, live updates and audit checks from it.
 */
export interface History {
  kind: HistoryKind
  /** Routes for the list. */
  lists: readonly Route[]
  /** Omitted when the module maintains its own counters. */
  counted?: CountedRows
  /** Finder for a row's receipt, or the reason for having none. */
  receipt: ReceiptFinder | { none: string }
  /**
   * Finds the ledger transfers of the member's newest 50 rows with a transaction hash or address of the chain.
   * @param text in lower case
   */
  findOnChain?: (db: Db, memberId: bigint, text: string) => Promise<bigint[]>
  /** Other reads with data from its rows. */
  also?: readonly Route[]
  /** SQL over member `m`: a text that changes with the rows, for changes without effect on the counters. */
  follows?: RawBuilder<string>
}

/** Finds the receipt for a row in these histories; undefined if the member has no such row. */
export async function findReceipt(histories: readonly History[], db: Db, memberId: bigint, { kind, id }: { kind: string; id: string }) {
  const receipt = histories.find((history) => history.kind === kind)?.receipt
  return typeof receipt === 'function' ? receipt(db, memberId, id) : undefined
}
