import type { QueryRunner } from './dump-schema.ts'

const TYPES: Record<string, string> = {
  int8: 'bigint',
  int4: 'number',
  int2: 'number',
  float8: 'number',
  text: 'string',
  varchar: 'string',
  bpchar: 'string',
  uuid: 'string',
  inet: 'string',
  numeric: 'string',
  bool: 'boolean',
  date: 'string',
  timestamptz: 'Date',
  _timestamptz: 'Date[]',
  bytea: 'Buffer',
  jsonb: 'Json',
  _text: 'string[]',
  _int8: 'bigint[]',
  _int4: 'number[]',
}

interface Column {
  table_name: string
  column_name: string
  udt_name: string
  is_nullable: 'YES' | 'NO'
  column_default: string | null
  is_identity: 'YES' | 'NO'
  is_generated: string
  is_view: boolean
}

const COLUMNS = `
  select c.table_name, c.column_name, c.udt_name, c.is_nullable, c.column_default, c.is_identity, c.is_generated,
         t.table_type = 'VIEW' as is_view
  from information_schema.columns c
  join information_schema.tables t using (table_schema, table_name)
  where c.table_schema = 'public' order by c.table_name, c.ordinal_position`

const pascal = (name: string) => name.replace(/(?:^|_)([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())

function typeOf(column: Column): string {
  const base = TYPES[column.udt_name]
  if (base === undefined) throw new Error(`no TypeScript type for ${column.udt_name} (${column.table_name}.${column.column_name})`)
  const full = column.is_nullable === 'YES' && !column.is_view ? `${base} | null` : base
  const isGenerated = column.is_identity === 'YES' || column.column_default !== null || column.is_generated === 'ALWAYS'
  if (isGenerated && base === 'Json') return full.replace('Json', 'GivenJson')
  return isGenerated ? `Generated<${full}>` : full
}

/** Generates TypeScript types of tables and views for the query builder. */
export async function writeTableTypes(ask: QueryRunner): Promise<string> {
  const tables = Map.groupBy(await ask<Column>(COLUMNS), (column) => column.table_name)
  const interfaces = [...tables].map(
    ([table, columns]) =>
      `export interface ${pascal(table)}Table {\n${columns.map((column) => `  ${column.column_name}: ${typeOf(column)}`).join('\n')}\n}\n`,
  )
  return `// Made by \`npm run db:make\`. Do not edit.
import type { ColumnType, Generated } from 'kysely'

/** A JSON document: read as a value, written as text. */
export type Json = ColumnType<unknown, string, string>
/** A JSON document with a default. */
export type GivenJson = ColumnType<unknown, string | undefined, string>

${interfaces.join('\n')}
/** All tables and views. */
export interface DB {
${[...tables.keys()].map((table) => `  ${table}: ${pascal(table)}Table`).join('\n')}
}
`
}
