import type { Tx } from '../../../platform/db/database.ts'
import { auditRevokedApprovals, revokeConfirmations, STOPPED } from './revoke-confirmations.ts'

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

/**
 * Revokes the confirmations and first approvals again that a stop of payouts revoked after the backup, also if the member has resumed payouts
 * since. The job returns the payouts; an address must be added again.
 * @param memberIds members who stopped their payouts since the backup; all if the journal is missing
 * @returns the number of payouts that had a confirmation
 */
export async function repeatStops(tx: Tx, memberIds: readonly bigint[] | 'all', now: Date): Promise<number> {
  const waiting = await revokeConfirmations(tx, memberIds, now)
  // Otherwise a link from before the restore would confirm the addresses again.
  await expireConfirmations(tx, now)
  await auditRevokedApprovals(tx, now, waiting, memberIds === 'all' ? 'The restored database has no access journal' : STOPPED)
  return waiting.filter((row) => row.confirmed_at !== null).length
}

/**
 * Removes payout addresses from the books of a restored database.
 * @param publicIds addresses that their owners removed since the backup; all if the journal is missing
 */
export async function removeAddresses(tx: Tx, publicIds: readonly string[] | 'all', now: Date): Promise<number> {
  if (publicIds.length === 0) return 0
  const open = tx.updateTable('payout_address').set({ removed_at: now }).where('removed_at', 'is', null)
  const { numUpdatedRows } = await (publicIds === 'all' ? open : open.where('public_id', 'in', [...publicIds])).executeTakeFirst()
  return Number(numUpdatedRows)
}
