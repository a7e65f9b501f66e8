import { CompiledQuery, type Insertable, type Selectable } from 'kysely'
import { executeDeferred, type Tx } from './database.ts'
import type { DB } from './tables.generated.ts'

type Row<T extends keyof DB> = Insertable<DB[T]>

/**
 * Inserts many rows in one statement with constant text, because the query builder takes longer to write one parameter per value than the
 * database takes to insert. Ids ascend in the order of the rows. Without returned columns the statement is deferred (`executeDeferred`).
 * @param rows all with the same columns as the first row
 * @param also columns to return
 */
export async function insertRows<T extends keyof DB, Column extends keyof Selectable<DB[T]> & string = never>(
  tx: Tx,
  table: T,
  rows: readonly Row<T>[],
  also: { returning?: readonly Column[] } = {},
): Promise<Pick<Selectable<DB[T]>, Column>[]> {
  const [first] = rows
  if (first === undefined) return []
  const columns = Object.keys(first)
    .map((column) => `"${column}"`)
    .join(', ')
  const text = `insert into "${table}" (${columns}) select ${columns} from json_populate_recordset(null::"${table}", $1)`
  const written = asJson(rows)
  if (also.returning === undefined) return executeDeferred(tx, text, [written]).then(() => [])
  const returning = also.returning.map((column) => `"${column}"`).join(', ')
  return (await tx.executeQuery<Pick<Selectable<DB[T]>, Column>>(CompiledQuery.raw(`${text} returning ${returning}`, [written]))).rows
}

/** Rows as `json_populate_recordset` reads them. */
export const asJson = (rows: readonly object[]): string =>
  JSON.stringify(
    rows.map((row) => {
      const written: Record<string, unknown> = { ...row }
      for (const name of Object.keys(written)) written[name] = inJson(written[name])
      return written
    }),
  )

/** Converts 64-bit integers and bytes to the database's text format. */
function inJson(value: unknown): unknown {
  if (typeof value === 'bigint') return String(value)
  return value instanceof Buffer ? `\\x${value.toString('hex')}` : value
}
