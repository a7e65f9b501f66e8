import { sql } from 'kysely'
import { DAY_MS } from '../platform/runtime/clock.ts'
import type { Db } from '../platform/db/database.ts'

/**
 * Window of a partial audit: all rows since the newest period close, or those of one closed month. A window is a range of transfer ids and
 * a range of times. Ids and times can have different orders, and server clocks can differ by up to `SLACK_MS`. The ranges therefore
 * overlap, and the range of transfers is wider than the range of other rows.
 */
export interface AuditWindow {
  /** First day of the closed month, `YYYY-MM-DD`; undefined for the window after the newest close. */
  month: string | undefined
  /** The month before the window; undefined for the first. */
  closeBefore: string | undefined
  /** Transfers of the window itself. */
  own: Range
  /** Range that contains every transfer with a time in the window. */
  wide: Range
  from: Date
  /** End of the window (exclusive); undefined for the window after the newest close. */
  until: Date | undefined
}

/** Range of ids: above `after`, up to and including `last`. Without `last` the range has no end. */
interface Range {
  after: bigint
  last: bigint | undefined
}

/** Maximum difference between server clocks in ms. The ranges of a window are wider by this time. */
const SLACK_MS = DAY_MS

/** Returns SQL for times of a column within the window. */
export const atSql = (column: string, { from, until }: AuditWindow): string =>
  `${column} >= '${from.toISOString()}'${until === undefined ? '' : ` and ${column} < '${until.toISOString()}'`}`

/** Returns SQL for ids of a column within a range. */
export const inSql = (column: string, { after, last }: Range): string =>
  `${column} > ${after}${last === undefined ? '' : ` and ${column} <= ${last}`}`

/** Returns the window after the newest period close, or undefined without one. */
export const openWindow = (db: Db): Promise<AuditWindow | undefined> => windowOf(db, undefined)

/**
 * Returns one closed month in rotation.
 * @param turn counter from 0, such as the day number
 */
export async function monthInTurn(db: Db, turn: number): Promise<AuditWindow | undefined> {
  const months = (await sql<{ month: string }>`select month::text as month from ledger_close order by month`.execute(db)).rows
  const month = months[turn % Math.max(months.length, 1)]?.month
  return month === undefined ? undefined : windowOf(db, month)
}

async function windowOf(db: Db, month: string | undefined): Promise<AuditWindow | undefined> {
  const found = await sql<{ month: string; before: string | null; from: Date; until: Date; after: bigint; last: bigint; earlier: bigint }>`
    select s.month::text as month, b.month::text as before, s.after_id as after, s.last_id as last, coalesce(b.after_id, 0) as earlier,
      s.month::timestamp at time zone 'UTC' as from, (s.month + interval '1 month') at time zone 'UTC' as until
    from ledger_close s left join ledger_close b on b.month = s.month - interval '1 month'
    where s.month = coalesce(${month ?? null}::date, (select max(month) from ledger_close))`.execute(db)
  const [close] = found.rows
  if (close === undefined) return undefined
  const before = async (after: bigint, at: Date) =>
    (await sql<{ id: bigint }>`select ledger_last_before(${after}::bigint, ${at}::timestamptz) as id`.execute(db)).rows[0]?.id ?? after
  const early = (at: Date) => new Date(at.getTime() - SLACK_MS)
  if (month !== undefined) {
    const end = new Date(close.until.getTime() + SLACK_MS)
    return {
      month,
      closeBefore: close.before ?? undefined,
      own: { after: close.after, last: close.last },
      wide: { after: await before(close.earlier, early(close.from)), last: await before(close.last, end) },
      from: close.from,
      until: close.until,
    }
  }
  // Starts one day earlier, so that no row falls between two windows.
  const from = early(close.until)
  const wide = { after: await before(close.after, early(from)), last: undefined }
  return { month, closeBefore: close.month, own: { after: close.last, last: undefined }, wide, from, until: undefined }
}

/**
 * Returns a check of single rows. In a window the check applies only to the rows of the window.
 * @param text the query of the check
 * @param rows indexed SQL conditions by table for rows of the window
 */
export const rowRule = (
  text: string,
  rows: (at: (column: string) => string) => Readonly<Record<string, readonly string[]>>,
): { sql: string; afterClose: { within: (window: AuditWindow) => string } } => ({
  sql: text,
  afterClose: {
    within: (window) =>
      overRows(
        text,
        rows((column) => atSql(column, window)),
      ),
  },
})

/** Limits a query to the rows of a window. Each table name is replaced by its filtered rows. */
export function overRows(text: string, rows: Readonly<Record<string, readonly string[]>>): string {
  const tables = Object.entries(rows).map(([table, conditions]) => {
    const parts = conditions.map((way, index) =>
      [`(${way})`, ...conditions.slice(0, index).map((one) => `(${one}) is not true`)].join(' and '),
    )
    return `${table} as not materialized (${parts.map((part) => `select * from public.${table} where ${part}`).join(' union all ')})`
  })
  return `with ${tables.join(', ')} select * from (${text}) rule`
}
