import type { Tx } from '../../platform/db/database.ts'

/**
 * Ends every open confirmation, for a restored database. Mailed links are signed and not stored, so a link from before the restore
 * would still confirm. The job returns the payouts to their wallets; an address must be added again. A link to stop still works.
 * @returns the numbers of expired payouts and removed addresses
 */
export async function expireConfirmations(tx: Tx, now: Date): Promise<{ payouts: number; addresses: number }> {
  const payouts = await tx
    .updateTable('payout_request')
    .set({ confirm_by: now })
    .where('status', '=', 'PENDING')
    .where('confirmed_at', 'is', null)
    .where('confirm_by', '>', now)
    .executeTakeFirst()
  const addresses = await tx
    .updateTable('payout_address')
    .set({ removed_at: now })
    .where('confirmed_at', 'is', null)
    .where('removed_at', 'is', null)
    .executeTakeFirst()
  return { payouts: Number(payouts.numUpdatedRows), addresses: Number(addresses.numUpdatedRows) }
}
