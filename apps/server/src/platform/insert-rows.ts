import { CompiledQuery, type Insertable, type Selectable } from 'kysely'
import type { Tx } from './database.ts'
import type { DB } from './tables.generated.ts'

type Row<T extends keyof DB> = Insertable<DB[T]>

/**
 * Inserts many rows in one statement whose text is the same for any number of them; the query builder takes longer to
 * write one parameter a value than the database takes to insert. Ids ascend in the order of the rows.
 * @param rows all with the columns of the first
 * @param also which columns to hand back, and whether rows that exist already are left as they are
 */
export async function insertRows<T extends keyof DB, Column extends keyof Selectable<DB[T]> & string = never>(
  tx: Tx,
  table: T,
  rows: readonly Row<T>[],
  also: { returning?: readonly Column[]; skipKnown?: boolean } = {},
): Promise<Pick<Selectable<DB[T]>, Column>[]> {
  const [first] = rows
  if (first === undefined) return []
  const columns = Object.keys(first)
    .map((column) => `"${column}"`)
    .join(', ')
  const known = also.skipKnown === true ? ' on conflict do nothing' : ''
  const returning = also.returning === undefined ? '' : ` returning ${also.returning.map((column) => `"${column}"`).join(', ')}`
  const text = `insert into "${table}" (${columns}) select ${columns} from json_populate_recordset(null::"${table}", $1)${known}${returning}`
  const written = JSON.stringify(rows.map((row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, inJson(value)]))))
  return (await tx.executeQuery<Pick<Selectable<DB[T]>, Column>>(CompiledQuery.raw(text, [written]))).rows
}

/** 64-bit integers and bytes as the text that the database reads them from. */
function inJson(value: unknown): unknown {
  if (typeof value === 'bigint') return String(value)
  return value instanceof Buffer ? `\\x${value.toString('hex')}` : value
}
