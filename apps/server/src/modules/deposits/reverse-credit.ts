import type { Units } from '@tizara/money'
import { sql } from 'kysely'
import type { Tx } from '../../platform/db/database.ts'

/** A credit of a deposit that is about to be taken back. */
export interface CreditToReverse {
  depositId: bigint
  /** USD units that it counted for. */
  usd: Units
}

/**
 * Holds the deposit that a transfer credited, as everything does that moves its money.
 * @param deposit its id on the wire
 * @returns undefined when the transfer is no credit of it
 */
export async function holdCredit(tx: Tx, deposit: string, transferId: bigint): Promise<CreditToReverse | undefined> {
  const row = await tx.selectFrom('deposit').select('id').where('public_id', '=', deposit).forUpdate().executeTakeFirst()
  if (row === undefined) return undefined
  const found = await sql<{ usd: Units }>`
    select c.amount as usd from payment_credit c join provider_payment p using (payment_id)
      where p.deposit_id = ${row.id} and c.transfer_id = ${transferId}
    union all select usd_amount from invoice_transfer where deposit_id = ${row.id} and transfer_id = ${transferId}`.execute(tx)
  const usd = found.rows[0]?.usd
  return usd === undefined ? undefined : { depositId: row.id, usd }
}

/** Takes a credit out of what the deposit counts for; that it arrived stays written, so that it never is credited again. */
export async function reverseCredit(tx: Tx, { depositId, usd }: CreditToReverse): Promise<void> {
  await sql`update deposit set reversed_usd = reversed_usd + ${usd} where id = ${depositId}`.execute(tx)
}
