import type { Tx } from '../../platform/db/database.ts'

/** Notes that a member has proven the e-mail address. */
export async function markVerified(tx: Tx, id: bigint, at: Date): Promise<void> {
  await tx.updateTable('member').set({ is_verified: true, updated_at: at }).where('id', '=', id).execute()
}

/** Sets a member's password; whoever may do so has shown that the address is theirs. */
export async function setPasswordHash(tx: Tx, input: { id: bigint; passwordHash: string; at: Date; byReset?: boolean }): Promise<void> {
  await tx
    .updateTable('member')
    .set({
      password_hash: input.passwordHash,
      updated_at: input.at,
      password_proved: true,
      ...(input.byReset === true ? { password_reset_at: input.at } : {}),
    })
    .where('id', '=', input.id)
    .execute()
}

/** What makes payouts rest. */
export type HoldCause = 'password' | 'second-factor' | 'device'

/**
 * Keeps a member's payouts back, as whoever acts may not be the owner; a longer rest stays.
 * @param input whose, until when, and what happened
 */
export async function holdPayouts(tx: Tx, input: { id: bigint; until: Date; cause: HoldCause }): Promise<void> {
  await tx
    .updateTable('member')
    .set({ payouts_held_until: input.until, payouts_held_for: input.cause })
    .where('id', '=', input.id)
    .where((row) => row.or([row('payouts_held_until', 'is', null), row('payouts_held_until', '<', input.until)]))
    .execute()
}

/**
 * Stops a member's payouts until the owner lets them go on, or lets them.
 * @param at since when; null lets them go on
 */
export async function stopPayouts(tx: Tx, id: bigint, at: Date | null): Promise<void> {
  await tx.updateTable('member').set({ payouts_stopped_at: at }).where('id', '=', id).execute()
}

/** Notes whether sign-in asks a member for a second factor. */
export async function setSecondFactor(tx: Tx, id: bigint, on: boolean, at: Date): Promise<void> {
  await tx.updateTable('member').set({ second_factor: on, updated_at: at }).where('id', '=', id).execute()
}

/**
 * Takes a registration that nobody finished off its address: it is nothing, and its sponsor and password decide nothing
 * about who registers next. The row stays for the trail of what was done.
 * @param tx a transaction that holds the member's lock
 */
export async function releaseRegistration(tx: Tx, id: bigint, at: Date): Promise<void> {
  await tx
    .updateTable('member')
    .set({ email: `released-${id}@invalid`, name: 'Unfinished registration', phone: '', is_active: false, updated_at: at })
    .where('id', '=', id)
    .where('is_verified', '=', false)
    .execute()
}

/** Notes that whoever chose the password has shown that the address is theirs. */
export async function markPasswordProved(tx: Tx, id: bigint, at: Date): Promise<void> {
  await tx.updateTable('member').set({ password_proved: true, updated_at: at }).where('id', '=', id).execute()
}

/** Hashes the same password anew; it proves nothing. */
export async function renewPasswordHash(tx: Tx, input: { id: bigint; passwordHash: string; at: Date }): Promise<void> {
  await tx.updateTable('member').set({ password_hash: input.passwordHash, updated_at: input.at }).where('id', '=', input.id).execute()
}
