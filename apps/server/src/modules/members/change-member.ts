import type { Tx } from '../../platform/database.ts'

/** Notes that a member has proven the e-mail address. */
export async function markVerified(tx: Tx, id: bigint, at: Date): Promise<void> {
  await tx.updateTable('member').set({ is_verified: true, updated_at: at }).where('id', '=', id).execute()
}

/**
 * Sets a member's password.
 * @param input whose, the Argon2 hash, when, and whether a mailed link allowed it
 */
export async function setPasswordHash(tx: Tx, input: { id: bigint; passwordHash: string; at: Date; byReset?: boolean }): Promise<void> {
  await tx
    .updateTable('member')
    .set({
      password_hash: input.passwordHash,
      updated_at: input.at,
      ...(input.byReset === true ? { password_reset_at: input.at } : {}),
    })
    .where('id', '=', input.id)
    .execute()
}

/**
 * Notes whether sign-in asks a member for a second factor.
 * @param on whether it does
 */
export async function setSecondFactor(tx: Tx, id: bigint, on: boolean, at: Date): Promise<void> {
  await tx.updateTable('member').set({ second_factor: on, updated_at: at }).where('id', '=', id).execute()
}

/**
 * Gives a registration that nobody finished to whoever registers with the address next. The sponsor stays (I11).
 * @param tx a transaction that holds the member's lock
 */
export async function renewRegistration(
  tx: Tx,
  input: { id: bigint; name: string; phone: string; passwordHash: string; at: Date },
): Promise<void> {
  await tx
    .updateTable('member')
    .set({ name: input.name, phone: input.phone, password_hash: input.passwordHash, updated_at: input.at })
    .where('id', '=', input.id)
    .where('is_verified', '=', false)
    .execute()
}
