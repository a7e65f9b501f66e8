import type { AuditCheck, AuditResult } from './audit.ts'

const EXAMPLES = 3

/** A row with its number, its wire name, and whether its MAC is valid. */
export interface AuditedRow {
  id: bigint
  name: string
  holds: boolean
}

/**
 * A check that no query can make, such as of seals, as the database has no key.
 * @param next the next rows behind a number; none ends it
 * @param first the number behind which it begins
 */
export async function auditRows(
  { invariant, title }: Pick<AuditCheck, 'invariant' | 'title'>,
  next: (after: bigint) => Promise<AuditedRow[]>,
  first = 0n,
): Promise<AuditResult> {
  const broken: string[] = []
  let rows = await next(first)
  while (rows.length > 0) {
    broken.push(...rows.filter((row) => !row.holds).map((row) => row.name))
    rows = await next(rows.at(-1)?.id ?? 0n)
  }
  return { check: { invariant, title }, broken: broken.length, examples: broken.slice(0, EXAMPLES) }
}
