import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Tx } from '../../../platform/db/database.ts'
import { markPasswordsUnproved, replacePasswords, setSecondFactor } from '../../members/index.ts'
import { cancelAllRecoveries } from '../account/account-recovery.ts'
import { hashPassword } from '../passwords/password-hash.ts'

/**
 * Ends every session and API key, invalidates every mailed code and link, and forgets every device of all accounts, for a restored
 * database. A backup may contain sessions, links and devices that ended after it was made.
 * @returns the number of ended sessions
 */
export async function revokeAllAccess(tx: Tx, now: Date): Promise<number> {
  const { numUpdatedRows } = await tx
    .updateTable('session')
    .set({ ended_at: now, end_reason: 'restored' })
    .where('ended_at', 'is', null)
    .executeTakeFirst()
  await tx.updateTable('api_key').set({ ended_at: now, end_reason: 'restored' }).where('ended_at', 'is', null).execute()
  await tx.updateTable('mail_code').set({ used_at: now }).where('used_at', 'is', null).execute()
  await tx.updateTable('mail_link').set({ used_at: now }).where('used_at', 'is', null).execute()
  await tx.updateTable('reset_request').set({ handled_at: now }).where('handled_at', 'is', null).execute()
  await sql`update email_change set stopped_at = coalesce(stopped_at, ${now}), stop_digest = 'used ' || id`.execute(tx)
  await cancelAllRecoveries(tx)
  await tx.deleteFrom('registration_attempt').execute()
  await tx.deleteFrom('passkey_challenge').execute()
  // A device that its owner reported since the backup must not be trusted again.
  await tx.deleteFrom('known_device').execute()
  return Number(numUpdatedRows)
}

/**
 * Makes the passwords invalid that were changed since the backup, by the members' public ids. The backup contains the earlier passwords,
 * which other people may know. The members set new passwords through a mailed link.
 * @returns the number of passwords
 */
export async function revokePasswords(tx: Tx, publicIds: readonly string[], now: Date): Promise<number> {
  const ids = [...new Set(publicIds)]
  return replacePasswords(tx, ids, await hashPassword(randomBytes(32).toString('base64url')), now)
}

/** Deletes passkeys that their owners removed since the backup, by public id. */
export async function revokePasskeys(tx: Tx, publicIds: readonly string[]): Promise<number> {
  if (publicIds.length === 0) return 0
  const { numDeletedRows } = await tx
    .deleteFrom('passkey')
    .where('public_id', 'in', [...publicIds])
    .executeTakeFirst()
  return Number(numDeletedRows)
}

/**
 * Deletes recovery codes that were used or replaced since the backup.
 * @param publicIds ids of the codes, or `all` if the journal is not valid: any code may have been used
 */
export async function revokeRecoveryCodes(tx: Tx, publicIds: readonly string[] | 'all'): Promise<number> {
  if (publicIds.length === 0) return 0
  const all = tx.deleteFrom('recovery_code')
  const { numDeletedRows } = await (publicIds === 'all' ? all : all.where('public_id', 'in', [...publicIds])).executeTakeFirst()
  return Number(numDeletedRows)
}

/**
 * Removes authenticator apps that were removed since the backup, with the passkeys beside them. The password alone is then not
 * enough: the next sign-in needs a mailed code too.
 * @param removed the member's public id and the setup time of the removed app
 */
export async function revokeFactors(tx: Tx, removed: readonly { subject: string; value: string }[], now: Date): Promise<number> {
  const { rows } = await sql<{ id: bigint }>`
    delete from second_factor f using member m, unnest(${removed.map((one) => one.subject)}::text[], ${removed.map((one) => one.value)}::text[]) r (subject, value)
    where m.id = f.member_id and m.public_id = r.subject and journal_time(f.created_at) = r.value returning m.id`.execute(tx)
  const ids = rows.map(({ id }) => id)
  if (ids.length === 0) return 0
  await tx.deleteFrom('passkey').where('member_id', 'in', ids).execute()
  await setSecondFactor(tx, ids, false, now)
  await markPasswordsUnproved(tx, ids, now)
  return ids.length
}
