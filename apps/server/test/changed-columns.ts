import { sql } from 'kysely'
import type { Db } from '../src/platform/database.ts'

type Columns = ReadonlyMap<string, string>

/** For tests: what each column of each table holds, as a mark, and how many rows there are, as `table`. */
export async function columnMarks(db: Db): Promise<Columns> {
  const { rows: columns } = await sql<{ table: string; column: string }>`
    select table_name::text as table, column_name::text as column from information_schema.columns c
    join information_schema.tables t using (table_schema, table_name)
    where table_schema = 'public' and table_type = 'BASE TABLE' order by 1, 2`.execute(db)
  const parts = columns.map(
    ({ table, column }) =>
      `select '${table}.${column}' as name, md5(coalesce(string_agg(coalesce(${column}::text, '-'), '|' order by ${column}::text), '')) as mark from ${table}`,
  )
  const counts = [...new Set(columns.map(({ table }) => table))].map(
    (table) => `select '${table}' as name, count(*)::text as mark from ${table}`,
  )
  const { rows } = await sql.raw<{ name: string; mark: string }>([...parts, ...counts].join(' union all ')).execute(db)
  return new Map(rows.map(({ name, mark }) => [name, mark]))
}

/** Tables that have other rows, and columns that hold something else in as many rows as before. */
export function changedColumns(before: Columns, after: Columns): string[] {
  const changed = [...after.keys()].filter((name) => before.get(name) !== after.get(name))
  const tables = new Set(changed.filter((name) => !name.includes('.')))
  return changed.filter((name) => !tables.has(name.split('.')[0] ?? '') || tables.has(name)).toSorted()
}
