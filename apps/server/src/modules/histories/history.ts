import type { Route } from '@tizara/contract'
import type { HistoryKind } from '@tizara/contract/history-kinds'
import type { Receipt } from '@tizara/contract/wallets'
import type { RawBuilder } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import type { DB } from '../../platform/db/tables.generated.ts'

/** Finds the receipt of one row of a member's own history; undefined when there is none that is theirs. */
export type ReceiptFinder = (db: Db, memberId: bigint, id: string) => Promise<Receipt | undefined>

/** Where a list's rows stand and what is counted of them, in SQL over `row`. The table has `id`, `public_id` and `member_id`. */
export interface Counted {
  table: keyof DB
  /** The column of a row's moment, by which days are asked for; `created_at` when left out. */
  at?: string
  /** Which rows of the table are the list's; all of them when left out. Lists of one table differ in nothing else. */
  where?: string
  /** By what the figures are kept apart, such as a status. */
  bucket?: string
  /** What they add up to, in units. */
  amount?: string
}

/**
 * A list of a member's own rows, declared once, in the `history.ts` of the module whose rows they are, and collected in
 * main/histories.ts. The figures kept of it, its receipts, what an open page is told and the audit follow from it.
 */
export interface History {
  kind: HistoryKind
  /** The calls that show it. */
  lists: readonly Route[]
  /** Left out when the module keeps the figures of its list itself. */
  counted?: Counted
  /** Where the receipt of a row comes from, or why there is none. */
  receipt: ReceiptFinder | { none: string }
  /** Other reads whose answers hang on its rows. */
  also?: readonly Route[]
  /** SQL over member `m` for a text that is another one once a row has changed, for what the kept figures don't tell. */
  follows?: RawBuilder<string>
}

/** The receipt of a row of one of these histories; undefined when the member has no such row. */
export async function findReceipt(histories: readonly History[], db: Db, memberId: bigint, { kind, id }: { kind: string; id: string }) {
  const receipt = histories.find((history) => history.kind === kind)?.receipt
  return typeof receipt === 'function' ? receipt(db, memberId, id) : undefined
}
