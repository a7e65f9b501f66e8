import { sql } from 'kysely'
import type { Tx } from '../../platform/db/database.ts'

/** Records that a member has proven the email address. */
export async function markVerified(tx: Tx, id: bigint, at: Date): Promise<void> {
  await tx.updateTable('member').set({ is_verified: true, updated_at: at }).where('id', '=', id).execute()
}

/** Sets a member's password. The caller has verified the member's address. */
export async function setPasswordHash(tx: Tx, input: { id: bigint; passwordHash: string; at: Date; byReset?: boolean }): Promise<void> {
  await tx
    .updateTable('member')
    .set({
      password_hash: input.passwordHash,
      updated_at: input.at,
      password_proved: true,
      password_changed_at: input.at,
      ...(input.byReset === true ? { password_reset_at: input.at } : {}),
    })
    .where('id', '=', input.id)
    .execute()
}

/**
 * Replaces the passwords of accounts, by public id, so that only a reset through a mailed link allows a sign-in.
 * @param passwordHash hash of a password that nobody knows
 * @returns the number of found accounts
 */
export async function replacePasswords(tx: Tx, publicIds: readonly string[], passwordHash: string, at: Date): Promise<number> {
  if (publicIds.length === 0) return 0
  const replaced = await tx
    .updateTable('member')
    .set({ password_hash: passwordHash, updated_at: at })
    .where('public_id', 'in', [...publicIds])
    .executeTakeFirst()
  return Number(replaced.numUpdatedRows)
}

/**
 * Changes a member's name, phone number or address. The caller has checked the address; the unique index rejects an address of another
 * account.
 */
export async function setContact(
  tx: Tx,
  id: bigint,
  contact: { name: string } | { phone: string } | { email: string },
  at: Date,
): Promise<void> {
  await tx
    .updateTable('member')
    .set({ ...contact, updated_at: at })
    .where('id', '=', id)
    .execute()
}

/** Sets the language of a member's mails and pages. */
export async function setLanguage(tx: Tx, id: bigint, language: string | null): Promise<void> {
  await tx.updateTable('member').set({ language }).where('id', '=', id).execute()
}

/**
 * Sets a member's profile image.
 * @param image small image as a `data:` URL, so that the profile needs no other call; null shows the default image
 */
export async function storeProfileImage(tx: Tx, id: bigint, image: string | null): Promise<void> {
  await tx.updateTable('member').set({ profile_image: image }).where('id', '=', id).execute()
}

/** Causes for a payout freeze. */
export type FreezeCause = 'password' | 'second-factor' | 'contact' | 'device' | 'restore'

/**
 * Freezes a member's payouts, because an attacker may have signed in. A longer freeze keeps its end. Every other cause replaces the cause
 * `device` of a running freeze, which refuses fewer transfers, whichever freeze ends later.
 * @param input the member, the time of the call, the end and the cause
 */
export async function freezePayouts(
  tx: Tx,
  { id, at, until, cause }: { id: bigint; at: Date; until: Date; cause: FreezeCause },
): Promise<void> {
  await tx
    .updateTable('member')
    .set({
      payouts_frozen_until: sql`greatest(payouts_frozen_until, ${until}::timestamptz)`,
      payouts_frozen_for: sql`case when payouts_frozen_until > ${at}
        and (${cause} = 'device' or payouts_frozen_for <> 'device' and payouts_frozen_until > ${until}) then payouts_frozen_for else ${cause} end`,
    })
    .where('id', '=', id)
    .execute()
}

/** Freezes the payouts of all members after a restore, because the backup may contain rights that have ended. A longer freeze keeps its end. */
export async function freezeAllPayouts(tx: Tx, until: Date): Promise<void> {
  await tx
    .updateTable('member')
    .set({ payouts_frozen_until: sql`greatest(payouts_frozen_until, ${until}::timestamptz)`, payouts_frozen_for: 'restore' })
    .execute()
}

/**
 * Sets when a member's payouts were stopped. `stopPayouts` of withdrawals also revokes the confirmations of pending payouts.
 * @param at null if the owner resumes them
 */
export async function setPayoutStop(tx: Tx, id: bigint, at: Date | null): Promise<void> {
  await tx.updateTable('member').set({ payouts_stopped_at: at }).where('id', '=', id).execute()
}

/** Sets whether the sign-ins of accounts require a second factor. */
export async function setSecondFactor(tx: Tx, ids: readonly bigint[], on: boolean, at: Date): Promise<void> {
  await tx
    .updateTable('member')
    .set({ second_factor: on, updated_at: at })
    .where('id', 'in', [...ids])
    .execute()
}

/**
 * Releases the addresses of unfinished registrations, so that their sponsors and passwords do not affect the next registrations. The rows
 * stay for the audit log.
 * @param tx a transaction that locks the members
 */
export async function releaseRegistrations(tx: Tx, ids: readonly bigint[], at: Date): Promise<void> {
  const email = sql<string>`'released-' || id || '@invalid'`
  await tx
    .updateTable('member')
    .set({ email, name: 'Unfinished registration', phone: '', is_active: false, updated_at: at })
    .where('id', '=', sql<bigint>`any(${ids})`)
    .where('is_verified', '=', false)
    .execute()
}

/** Records that the password's author has proved the address. */
export async function markPasswordProved(tx: Tx, id: bigint, at: Date): Promise<void> {
  await tx.updateTable('member').set({ password_proved: true, updated_at: at }).where('id', '=', id).execute()
}

/** Stores a new hash of the same password, without marking the password as proved. */
export async function renewPasswordHash(tx: Tx, input: { id: bigint; passwordHash: string; at: Date }): Promise<void> {
  await tx.updateTable('member').set({ password_hash: input.passwordHash, updated_at: input.at }).where('id', '=', input.id).execute()
}

/**
 * Marks the passwords of accounts as not proved, so that they sign in only with a mailed code. Leaves out accounts without a proved address:
 * their sign-in needs the code anyway, and with neither proof an account gives way to a registration of its address.
 */
export async function markPasswordsUnproved(tx: Tx, ids: readonly bigint[], at: Date): Promise<void> {
  const changes = { password_proved: false, updated_at: at }
  await tx
    .updateTable('member')
    .set(changes)
    .where('id', 'in', [...ids])
    .where('is_verified', '=', true)
    .execute()
}
