import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'

/** Difference between chain and books, found in two rounds. */
export interface ConfirmedDifference {
  kind: 'UNSEEN' | 'MISSING' | 'UNCREDITED' | 'NATIVE' | 'RECEIPT' | 'DEPOSITS' | 'PAYOUTS'
  subject: string
  expected: string
  found: string
  since: Date
}

/**
 * Returns differences that more than one round found, at most ten, oldest first. A difference that only one round found may be money in
 * transit. Native coin comes last, because any sender can cause it.
 */
export async function confirmedDifferences(db: Db): Promise<ConfirmedDifference[]> {
  const rows = await sql<ConfirmedDifference>`
    select kind, subject, expected::text, found::text, first_seen_at as since from chain_difference
    where last_seen_at > first_seen_at order by kind = 'NATIVE', first_seen_at, subject limit 10`.execute(db)
  return rows.rows
}
