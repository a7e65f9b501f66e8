import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/db/database.ts'

/** Incident awaiting the answers of two people. */
interface Incident {
  kind: 'FINAL_GONE' | 'TOO_DEEP' | 'WALLET_SPENT' | 'PAYOUT_GONE' | 'SWEEP_GONE'
  at: Date
  /** First affected block. */
  from: number
  transfers: readonly string[]
}

/** Records an incident once. Workers find the same incident in each round. */
export async function recordIncident(tx: Tx, { kind, at, from, transfers }: Incident): Promise<void> {
  const listed = JSON.stringify(transfers)
  await sql`
    insert into chain_incident (kind, noted_at, from_block, transfers)
    select ${kind}, ${at}, ${from}, ${listed}::jsonb
    where not exists (select from chain_incident where kind = ${kind} and from_block = ${from} and transfers = ${listed}::jsonb)`.execute(
    tx,
  )
}

/**
 * Returns true while a chain or wallet incident lacks its two answers, which stops payouts. Unclaimed payments are excluded:
 * otherwise any sender could stop all payouts.
 */
export async function hasOpenIncident(db: Db): Promise<boolean> {
  const found = await sql`select from chain_incident where answered_at is null and kind <> 'UNCLAIMED' limit 1`.execute(db)
  return found.rows.length > 0
}

/**
 * Marks an incident as answered by two people.
 * @returns false if the incident does not exist or was answered before
 */
export async function answerIncident(tx: Tx, id: string, at: Date): Promise<boolean> {
  const answered = await sql`update chain_incident set answered_at = ${at} where id::text = ${id} and answered_at is null`.execute(tx)
  return answered.numAffectedRows === 1n
}
