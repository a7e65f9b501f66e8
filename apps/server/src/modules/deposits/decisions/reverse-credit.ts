import type { Units } from '@tizara/money'
import { sql } from 'kysely'
import type { Tx } from '../../../platform/db/database.ts'

/** Deposit credit before its reversal. */
export interface CreditToReverse {
  depositId: bigint
  /** Credited USD units. */
  usd: Units
}

/**
 * Locks the deposit that a ledger transfer credited, as every change to its money does.
 * @param deposit public id
 * @returns undefined if the transfer did not credit this deposit
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

/** Subtracts a reversed credit from the deposit. The arrival stays recorded, so that it is never credited again. */
export async function reverseCredit(tx: Tx, { depositId, usd }: CreditToReverse): Promise<void> {
  await sql`update deposit set reversed_usd = reversed_usd + ${usd} where id = ${depositId}`.execute(tx)
}
