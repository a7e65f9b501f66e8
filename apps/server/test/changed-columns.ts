import { sql } from 'kysely'
import type { Db } from '../src/platform/db/database.ts'

type Columns = ReadonlyMap<string, string>

/** For tests: what each column of each table holds, as a mark, and how many rows there are, as `table`. */
export async function columnMarks(db: Db): Promise<Columns> {
  const { rows: columns } = await sql<{ table: string; column: string }>`
    select table_name::text as table, column_name::text as column from information_schema.columns c
    join information_schema.tables t using (table_schema, table_name)
    where table_schema = 'public' and table_type = 'BASE TABLE' order by 1, 2`.execute(db)
  const tables = Map.groupBy(columns, ({ table }) => table)
  // One statement for each table: one for each column takes longer to plan than to run.
  const parts = [...tables].map(([table, its]) => {
    const marks = its.map(
      ({ column }) => `'${column}', md5(coalesce(string_agg(coalesce(${column}::text, '-'), '|' order by ${column}::text), ''))`,
    )
    return `select '${table}' as name, count(*)::text as rows, json_build_object(${marks.join(', ')}) as marks from ${table}`
  })
  const found = await sql.raw<{ name: string; rows: string; marks: Record<string, string> }>(parts.join(' union all ')).execute(db)
  return new Map(
    found.rows.flatMap(({ name, rows, marks }): [string, string][] => [
      [name, rows],
      ...Object.entries(marks).map(([column, mark]): [string, string] => [`${name}.${column}`, mark]),
    ]),
  )
}

/** Tables that have other rows, and columns that hold something else in as many rows as before. */
export function changedColumns(before: Columns, after: Columns): string[] {
  const changed = [...after.keys()].filter((name) => before.get(name) !== after.get(name))
  const tables = new Set(changed.filter((name) => !name.includes('.')))
  return changed.filter((name) => !tables.has(name.split('.')[0] ?? '') || tables.has(name)).toSorted()
}
