import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/db/database.ts'

/**
 * Whether something happened to the chain or to a wallet that two people have not answered: nothing is paid out meanwhile. A payment that
 * no invoice claims stops nothing, or its sender could stop all payouts.
 */
export async function hasOpenIncident(db: Db): Promise<boolean> {
  const found = await sql`select from chain_incident where answered_at is null and kind <> 'UNCLAIMED' limit 1`.execute(db)
  return found.rows.length > 0
}

/**
 * Two people have looked at an incident and done what it takes.
 * @returns false when it is none, or was answered before
 */
export async function answerIncident(tx: Tx, id: string, at: Date): Promise<boolean> {
  const answered = await sql`update chain_incident set answered_at = ${at} where id::text = ${id} and answered_at is null`.execute(tx)
  return answered.numAffectedRows === 1n
}
