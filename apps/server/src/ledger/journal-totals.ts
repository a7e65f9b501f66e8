import { sql } from 'kysely'
import type { Db } from '../platform/db/database.ts'
import { type Side, sideOfNumber, sideSql } from './transfer-kinds.ts'

/** A closed month (docs/decisions/0021-period-close.md) and the ids of its transfers: above `afterId`, through `lastId`. */
export interface Close {
  /** `YYYY-MM` */
  month: string
  afterId: bigint
  lastId: bigint
  transfers: bigint
  hash: string
}

/** Transfers of one day, kind and pair of sides together. */
export interface JournalTotal {
  /** `YYYY-MM-DD`, UTC, in the month of the close. */
  day: string
  kind: string
  debit: Side
  credit: Side
  transfers: bigint
  /** Units of the sides' asset. The sum of a month can exceed 64 bits. */
  amount: bigint
}

const COLUMNS = sql`to_char(month, 'YYYY-MM') as month, after_id as "afterId", last_id as "lastId", transfers, close_hash as hash`

/** Returns the close of a month, `YYYY-MM`; undefined while the month is open. */
export async function closeOf(db: Db, month: string): Promise<Close | undefined> {
  const { rows } = await sql<Close>`select ${COLUMNS} from ledger_close where month = to_date(${month}, 'YYYY-MM')`.execute(db)
  return rows[0]
}

/** Returns closed months, newest first. `before` is the last month of the previous page. */
export async function closesBefore(db: Db, before: string | undefined, limit: number): Promise<Close[]> {
  const { rows } = await sql<Close>`
    select ${COLUMNS} from ledger_close where ${before ?? null}::text is null or month < to_date(${before ?? null}, 'YYYY-MM')
    order by month desc limit ${limit}`.execute(db)
  return rows
}

/**
 * Sums the transfers of a part of a closed month: ids above `after`, through `last`. Ids and times can differ in order, so a transfer
 * with a time outside its month counts on the month's first or last day. Moves between shards of one account are left out.
 */
export async function journalTotals(db: Db, { month }: Close, after: bigint, last: bigint): Promise<JournalTotal[]> {
  const { rows } = await sql<{ day: string; kind: string; debit: bigint; credit: bigint; transfers: bigint; amount: string }>`
    select to_char(day, 'YYYY-MM-DD') as day, kind, debit, credit, count(*) as transfers, sum(amount)::text as amount
    from (select least(greatest((created_at at time zone 'UTC')::date, first), (first + interval '1 month - 1 day')::date) as day, kind, amount,
        ${sql.raw(sideSql('debit_account'))} as debit, ${sql.raw(sideSql('credit_account'))} as credit
      from ledger_transfer, to_date(${month}, 'YYYY-MM') first
      where id > ${after}::bigint and id <= ${last}::bigint and kind <> 'shardMove') t
    group by 1, 2, 3, 4`.execute(db)
  return rows.map(({ debit, credit, amount, ...row }) => ({
    ...row,
    debit: sideOfNumber(debit),
    credit: sideOfNumber(credit),
    amount: BigInt(amount),
  }))
}
