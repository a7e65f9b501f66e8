import { sql } from 'kysely'
import type { Db } from '../src/platform/db/database.ts'

/** Candidate limits for a column. */
const AROUND = [0n, 1n, 5n, 365n, 1200n, 36_500n, 100_000_000n, 2_000_000_000n].flatMap((at) => [at - 1n, at, at + 1n])

/**
 * Returns the range allowed by a table's checks for each integer column, as `1…36500`; a side without a limit stays blank. These
 * checks are the last guard behind every use case, which rejects wrong figures first.
 */
export async function limitsOf(db: Db, table: string): Promise<Record<string, string>> {
  const { rows } = await sql<{ column: string; rule: string }>`
    select a.attname as column, pg_get_expr(c.conbin, c.conrelid) as rule
    from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
    where c.conrelid = ${table}::regclass and c.contype = 'c' and cardinality(c.conkey) = 1
      and a.atttypid in ('int8'::regtype, 'int4'::regtype, 'int2'::regtype)
    order by a.attnum`.execute(db)
  const limits: Record<string, string> = {}
  for (const { column, rule } of rows) {
    const found = await sql<{ least: bigint; most: bigint }>`
      select min(v)::bigint as least, max(v)::bigint as most
      from (select v, v as ${sql.ref(column)} from unnest(${AROUND}::bigint[]) v) around where ${sql.raw(rule)}`.execute(db)
    const { least, most } = found.rows[0] ?? {}
    limits[column] = `${least === AROUND[0] ? '' : least}…${most === AROUND.at(-1) ? '' : most}`
  }
  return limits
}
