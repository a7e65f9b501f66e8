import type { Tx } from '../../platform/db/database.ts'

/**
 * Ends every session and invalidates every mailed code and link of all accounts, for a restored database. A backup may contain
 * sessions and links that ended after it was made.
 * @returns the number of ended sessions
 */
export async function endAllAccess(tx: Tx, now: Date): Promise<number> {
  const { numUpdatedRows } = await tx
    .updateTable('session')
    .set({ ended_at: now, end_reason: 'restored' })
    .where('ended_at', 'is', null)
    .executeTakeFirst()
  await tx.updateTable('mail_code').set({ used_at: now }).where('used_at', 'is', null).execute()
  await tx.updateTable('mail_link').set({ used_at: now }).where('used_at', 'is', null).execute()
  await tx.updateTable('reset_request').set({ handled_at: now }).where('handled_at', 'is', null).execute()
  await tx.deleteFrom('registration_attempt').execute()
  await tx.deleteFrom('passkey_challenge').execute()
  return Number(numUpdatedRows)
}
