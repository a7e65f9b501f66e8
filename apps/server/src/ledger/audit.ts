import { sql } from 'kysely'
import type { Db } from '../platform/db/database.ts'
import { type AuditWindow, inSql, monthInTurn } from './audit-window.ts'

/** A rule for stored data, as a query for the violating rows. */
export interface AuditCheck {
  /** Id in docs/invariants.md, such as `I2`. */
  invariant: string
  /** One-line description of the rule. */
  title: string
  /** A query without parameters. Every returned row is damage. */
  sql: string
  /**
   * Form of the check after the newest period close. `same`: the same query over later transfers. SQL: another query, where
   * `public.ledger_transfer` means all transfers. `closed`: skipped, because the month's hash covers the rows. `within`: rows of a module
   * in a window, either the newest or a closed month. Such a query may report correct rows at the edges of the window, but misses no wrong
   * row; a full read confirms the findings. Omitted: a full read each time.
   */
  afterClose?: 'same' | 'closed' | { sql: string } | { within: Within }
}

/** @param ask returns the single number of a query */
type Within = (window: AuditWindow, ask: (text: string) => Promise<bigint>) => string | Promise<string>

/** How a check ended. */
export interface AuditResult {
  check: Pick<AuditCheck, 'invariant' | 'title'>
  /** Rows with a violation; 0 if the rule holds. */
  broken: number
  /** The first of them as JSON text, at most three. */
  examples: string[]
}

/** Chooses the rows of an audit: all, or a window found on the same snapshot. */
type ChooseWindow = (db: Db) => Promise<AuditWindow | 'nothing' | undefined>

/**
 * Runs checks on one snapshot of the database.
 * @param chooseWindow selects the window; without it the audit reads all rows
 */
export async function runAudit(db: Db, checks: readonly AuditCheck[], chooseWindow?: ChooseWindow): Promise<AuditResult[]> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (tx) => {
      await sql`set local statement_timeout = 0`.execute(tx)
      const window = await chooseWindow?.(tx)
      return window === 'nothing' ? [] : runChecks(tx, checks, window)
    })
}

/**
 * Audits one closed month again: the hash of the month and the modules' rows.
 * @param turn counter that selects the month, such as the day number
 * @returns one result, or undefined without a closed month
 */
export async function checkMonth(db: Db, checks: readonly AuditCheck[], turn: number): Promise<AuditResult | undefined> {
  let month: string | undefined
  const results = await runAudit(db, checks, async (tx) => {
    const window = await monthInTurn(tx, turn)
    month = window?.month
    return window ?? 'nothing'
  })
  if (month === undefined) return undefined
  const broken = results.filter((one) => one.broken > 0)
  return {
    check: { invariant: 'I3', title: `the closed month ${month}, checked in rotation, is unchanged, and all checks hold in it` },
    broken: broken.reduce((sum, one) => sum + one.broken, 0),
    examples: broken.flatMap(({ check, examples }) => [check.title, ...examples]),
  }
}

/** Runs the checks like `runAudit`, but on the connection or in the transaction of the caller. */
export async function runChecks(db: Db, checks: readonly AuditCheck[], window?: AuditWindow): Promise<AuditResult[]> {
  const results: AuditResult[] = []
  for (const check of checks) {
    const text = window === undefined ? check.sql : await textWithin(db, check, window)
    if (text === undefined) continue
    const found = await runAuditCheck(db, check, text)
    const isCertain = found.broken === 0 || typeof check.afterClose !== 'object' || !('within' in check.afterClose) || window === undefined
    results.push(isCertain ? found : await runAuditCheck(db, check, check.sql))
  }
  return results
}

/** Returns the query of a check for a window, or undefined if it does not apply. */
async function textWithin(db: Db, { sql: text, afterClose }: AuditCheck, window: AuditWindow): Promise<string | undefined> {
  if (typeof afterClose === 'object' && 'within' in afterClose) return afterClose.within(window, (statement) => numberOf(db, statement))
  // The month's hash covers its transfers.
  if (afterClose === 'closed' || window.month !== undefined) return undefined
  if (afterClose === undefined) return text
  // Replaces the table by its new rows in the check's query.
  return `with ledger_transfer as not materialized (select * from public.ledger_transfer where ${inSql('id', window.own)})
    select * from (${afterClose === 'same' ? text : afterClose.sql}) later`
}

async function numberOf(db: Db, text: string): Promise<bigint> {
  const found = await sql<{ number: bigint | null }>`select (${sql.raw(text)})::bigint as number`.execute(db)
  return found.rows[0]?.number ?? 0n
}

async function runAuditCheck(db: Db, { invariant, title }: AuditCheck, text: string): Promise<AuditResult> {
  const found = await sql<{ broken: bigint; examples: string[] | null }>`
    with damage as materialized (${sql.raw(text)})
    select (select count(*) from damage) as broken,
      (select array_agg(row_to_json(d)::text) from (select * from damage limit 3) d) as examples`.execute(db)
  const row = found.rows[0]
  return { check: { invariant, title }, broken: Number(row?.broken ?? 0n), examples: row?.examples ?? [] }
}

/** Formats the results as a table, one row per check, with examples of violations. */
export function formatAudit(results: readonly AuditResult[]): string {
  const lines = results.flatMap(({ check, broken, examples }) => [
    `${broken === 0 ? 'ok    ' : 'BROKEN'}  ${check.invariant.padEnd(4)} ${check.title}${broken === 0 ? '' : `: ${broken} rows`}`,
    ...examples.map((example) => `              ${example}`),
  ])
  const failed = results.filter((result) => result.broken > 0).length
  return [...lines, failed === 0 ? `All ${results.length} checks hold.` : `${failed} of ${results.length} checks are BROKEN.`].join('\n')
}
