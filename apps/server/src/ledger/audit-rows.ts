import type { AuditCheck, AuditResult } from './audit.ts'

const EXAMPLES = 3

/** A row with its id, the name of its kind in the API, and the result of the MAC check. */
export interface AuditedRow {
  id: bigint
  name: string
  isValid: boolean
}

/**
 * Runs a check that needs code outside SQL, such as MAC checks, because the database has no key.
 * @param next returns the rows after a number; none ends the check
 * @param first the number after which it starts
 */
export async function auditRows(
  { invariant, title }: Pick<AuditCheck, 'invariant' | 'title'>,
  next: (after: bigint) => Promise<AuditedRow[]>,
  first = 0n,
): Promise<AuditResult> {
  const broken: string[] = []
  let rows = await next(first)
  while (rows.length > 0) {
    broken.push(...rows.filter((row) => !row.isValid).map((row) => row.name))
    rows = await next(rows.at(-1)?.id ?? 0n)
  }
  return { check: { invariant, title }, broken: broken.length, examples: broken.slice(0, EXAMPLES) }
}
