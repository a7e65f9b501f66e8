import { sql } from 'kysely'
import type { Db } from '../platform/database.ts'

/** A rule that the stored data must obey, as a query for the rows that break it. */
export interface AuditCheck {
  /** The invariant of the security goals, such as `I2`. */
  invariant: string
  /** What holds, in one line. */
  title: string
  /** A query without parameters; every row that it returns is damage. */
  sql: string
}

/** How a check ended. */
export interface AuditResult {
  check: AuditCheck
  /** Rows that break the rule; 0 when it holds. */
  broken: number
  /** The first of them as JSON text, at most three. */
  examples: string[]
}

/** Runs checks on one snapshot of the database. */
export async function runAudit(db: Db, checks: readonly AuditCheck[]): Promise<AuditResult[]> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (tx) => {
      await sql`set local statement_timeout = 0`.execute(tx)
      return runChecks(tx, checks)
    })
}

/** As `runAudit`, on whatever the caller's connection sees. */
export async function runChecks(db: Db, checks: readonly AuditCheck[]): Promise<AuditResult[]> {
  const results: AuditResult[] = []
  for (const check of checks) {
    const found = await sql<{ broken: bigint; examples: string[] | null }>`
      with damage as materialized (${sql.raw(check.sql)})
      select (select count(*) from damage) as broken,
        (select array_agg(row_to_json(d)::text) from (select * from damage limit 3) d) as examples`.execute(db)
    const row = found.rows[0]
    results.push({ check, broken: Number(row?.broken ?? 0n), examples: row?.examples ?? [] })
  }
  return results
}

/** The results as a table for people, one line a check, with examples under a broken one. */
export function formatAudit(results: readonly AuditResult[]): string {
  const lines = results.flatMap(({ check, broken, examples }) => [
    `${broken === 0 ? 'ok    ' : 'BROKEN'}  ${check.invariant.padEnd(4)} ${check.title}${broken === 0 ? '' : `: ${broken} rows`}`,
    ...examples.map((example) => `              ${example}`),
  ])
  const failed = results.filter((result) => result.broken > 0).length
  return [...lines, failed === 0 ? `All ${results.length} checks hold.` : `${failed} of ${results.length} checks are BROKEN.`].join('\n')
}
