import { sql } from 'kysely'
import type { Db } from '../src/platform/db/database.ts'
import { tableStates } from './stored-state.ts'

type Columns = ReadonlyMap<string, string>

/** Columns of each table, and their content at the last known state. */
interface ColumnState {
  columns: ReadonlyMap<string, string[]>
  marks: Map<string, { state: string; marks: [string, string][] }>
}
const known = new WeakMap<Db, ColumnState>()

async function readColumns(db: Db): Promise<ColumnState> {
  const { rows } = await sql<{ table: string; column: string }>`
    select table_name::text as table, column_name::text as column from information_schema.columns c
    join information_schema.tables t using (table_schema, table_name)
    where table_schema = 'public' and table_type = 'BASE TABLE' order by 1, 2`.execute(db)
  const columns = new Map([...Map.groupBy(rows, ({ table }) => table)].map(([table, its]) => [table, its.map(({ column }) => column)]))
  const made = { columns, marks: new Map() }
  known.set(db, made)
  return made
}

/** Returns a digest of each column's content, and each table's row count under its name. */
export async function columnMarks(db: Db): Promise<Columns> {
  const { columns, marks } = known.get(db) ?? (await readColumns(db))
  const states = await tableStates(db)
  // Reads only changed tables, with one statement per table. A statement per column takes longer to plan than to run.
  const parts = [...columns]
    .filter(([table]) => marks.get(table)?.state !== states.get(table))
    .map(([table, its]) => {
      const digests = its.map(
        (column) => `'${column}', md5(coalesce(string_agg(coalesce(${column}::text, '-'), '|' order by ${column}::text), ''))`,
      )
      return `select '${table}' as name, count(*)::text as rows, json_build_object(${digests.join(', ')}) as marks from ${table}`
    })
  if (parts.length > 0) {
    const found = await sql.raw<{ name: string; rows: string; marks: Record<string, string> }>(parts.join(' union all ')).execute(db)
    for (const { name, rows, marks: its } of found.rows) {
      const all = Object.entries(its).map(([column, mark]): [string, string] => [`${name}.${column}`, mark])
      marks.set(name, { state: states.get(name) ?? '', marks: [[name, rows], ...all] })
    }
  }
  return new Map([...marks.values()].flatMap((table) => table.marks))
}

/** Returns tables with other rows, and columns with other content in the same number of rows. */
export function changedColumns(before: Columns, after: Columns): string[] {
  const changed = [...after.keys()].filter((name) => before.get(name) !== after.get(name))
  const tables = new Set(changed.filter((name) => !name.includes('.')))
  return changed.filter((name) => !tables.has(name.split('.')[0] ?? '') || tables.has(name)).toSorted()
}
