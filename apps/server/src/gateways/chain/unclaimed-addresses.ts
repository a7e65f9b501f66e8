import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/db/database.ts'

/**
 * Returns the addresses of an open incident about unclaimed payments that have no invoice yet, sorted.
 * @param incident id of the incident, as text
 */
export async function unclaimedAddresses(db: Db, incident: string): Promise<string[]> {
  const { rows } = await sql<{ address: string }>`
    select distinct a.address from chain_incident i cross join jsonb_array_elements_text(i.transfers) t (transfer)
    join chain_address a on a.address = split_part(t.transfer, ' ', 2)
    where i.id::text = ${incident} and i.kind = 'UNCLAIMED' and i.answered_at is null and a.invoice_id is null order by 1`.execute(db)
  return rows.map(({ address }) => address)
}

/**
 * Assigns an address without an invoice to an invoice. Of two concurrent calls the guarded update lets one succeed.
 * @returns false if the address is unknown or has an invoice
 */
export async function assignAddress(tx: Tx, address: string, invoiceId: string): Promise<boolean> {
  const assigned = await sql`
    update chain_address set invoice_id = ${invoiceId} where address = ${address} and invoice_id is null`.execute(tx)
  return assigned.numAffectedRows === 1n
}
