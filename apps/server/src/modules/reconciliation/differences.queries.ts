import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'

/** A difference between the chain and the books that two rounds have found. */
export interface StandingDifference {
  kind: 'UNSEEN' | 'MISSING' | 'UNCREDITED' | 'DEPOSITS' | 'PAYOUTS'
  subject: string
  expected: string
  found: string
  since: Date
}

/** Differences that were found more than once: what one round finds may have been on its way. At most ten, the oldest first. */
export async function standingDifferences(db: Db): Promise<StandingDifference[]> {
  const rows = await sql<StandingDifference>`
    select kind, subject, expected::text, found::text, first_seen_at as since from chain_difference
    where last_seen_at > first_seen_at order by first_seen_at, subject limit 10`.execute(db)
  return rows.rows
}

/** When the books were last compared with the chain; null before the first time. */
export async function lastReconciled(db: Db, chainId: number): Promise<Date | null> {
  const row = await db.selectFrom('chain_check').select('checked_at').where('chain_id', '=', BigInt(chainId)).executeTakeFirst()
  return row?.checked_at ?? null
}
