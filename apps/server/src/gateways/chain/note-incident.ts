import { sql } from 'kysely'
import type { Tx } from '../../platform/db/database.ts'

/** Incident awaiting the answers of two people. */
interface Incident {
  kind: 'FINAL_GONE' | 'TOO_DEEP' | 'WALLET_SPENT' | 'PAYOUT_GONE' | 'SWEEP_GONE'
  at: Date
  /** First affected block. */
  from: number
  transfers: readonly string[]
}

/** Records an incident once. Workers find the same incident in each round. */
export async function noteIncident(tx: Tx, { kind, at, from, transfers }: Incident): Promise<void> {
  const listed = JSON.stringify(transfers)
  await sql`
    insert into chain_incident (kind, noted_at, from_block, transfers)
    select ${kind}, ${at}, ${from}, ${listed}::jsonb
    where not exists (select from chain_incident where kind = ${kind} and from_block = ${from} and transfers = ${listed}::jsonb)`.execute(
    tx,
  )
}
