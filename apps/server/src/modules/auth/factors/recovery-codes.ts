import { randomBytes } from 'node:crypto'
import { RECOVERY_CODE_LENGTH } from '@tizara/contract/proof'
import { callerNetwork } from '../../../http/server/caller-network.ts'
import { AppError } from '../../../platform/runtime/app-error.ts'
import { type Db, inTransaction, type Tx } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { lockMember } from '../../members/index.ts'
import { auditAuth } from '../audit-auth.ts'
import { notifyFactorChange } from './notify-factor-change.ts'
import { hashCodes } from '../passwords/password-hash.ts'
import type { Origin } from '../sessions/sessions.ts'

/** Codes in a set. */
const SET_SIZE = 10
const SALT_BYTES = 16

/** A new set of codes: the readable codes for the member, and the digests for the table. */
export interface RecoveryCodes {
  shown: string[]
  salt: Buffer
  digests: string[]
}

/** Returns true for the form of a recovery code, which an authenticator code never has. */
export const isRecoveryCode = (code: string): boolean => code.length === RECOVERY_CODE_LENGTH

/**
 * Creates ten codes of 50 random bits. Call it outside transactions, because hashing is slow.
 * @throws AppError BUSY
 */
export async function createRecoveryCodes(deps: Pick<Deps, 'ids'>, origin: Origin): Promise<RecoveryCodes> {
  const codes = new Set<string>()
  while (codes.size < SET_SIZE) codes.add(deps.ids.code(RECOVERY_CODE_LENGTH))
  const salt = randomBytes(SALT_BYTES)
  const half = RECOVERY_CODE_LENGTH / 2
  return {
    shown: [...codes].map((code) => `${code.slice(0, half)}-${code.slice(half)}`),
    salt,
    digests: await hashCodes([...codes], salt, { caller: callerNetwork(origin.ip) }),
  }
}

/**
 * Replaces the member's codes. The deleted codes are recorded in the access journal, so that a restored backup does not make them valid
 * again.
 * @param tx a transaction that holds the member's lock
 */
export async function saveRecoveryCodes(tx: Tx, deps: Deps, memberId: bigint, { salt, digests }: RecoveryCodes): Promise<void> {
  await tx.deleteFrom('recovery_code').where('member_id', '=', memberId).execute()
  const row = { member_id: memberId, salt, created_at: deps.clock.now() }
  await tx
    .insertInto('recovery_code')
    .values(digests.map((code_digest) => ({ ...row, public_id: deps.ids.publicId(), code_digest })))
    .execute()
}

/**
 * Uses a recovery code. Each code is valid once. The member gets a mail, and the audit log gets an entry.
 * @param db the pool: the use is committed in any case
 * @param register counts the attempt
 * @throws AppError SECOND_FACTOR_REFUSED, BUSY, and the errors of `register`
 */
export async function consumeRecoveryCode(
  db: Db,
  deps: Deps,
  { memberId, code, origin }: { memberId: bigint; code: string; origin: Origin },
  register: () => Promise<void>,
): Promise<void> {
  const held = await db.selectFrom('recovery_code').select('salt').where('member_id', '=', memberId).limit(1).executeTakeFirst()
  // Hashes also if the member has no codes left, so that the time does not reveal the number of codes.
  const digests = await hashCodes([code], held?.salt ?? Buffer.alloc(SALT_BYTES), { caller: callerNetwork(origin.ip), register })
  await inTransaction(db, async (tx) => {
    const member = await lockMember(tx, memberId)
    const used = await tx
      .deleteFrom('recovery_code')
      .where('member_id', '=', memberId)
      .where('code_digest', 'in', digests)
      .executeTakeFirst()
    if (used.numDeletedRows === 0n) throw new AppError('SECOND_FACTOR_REFUSED')
    const unused = await countRecoveryCodes(tx, memberId)
    await notifyFactorChange(tx, deps, member, { what: 'recovery-code-used', unused })
    await auditAuth(tx, deps, { action: 'recovery-code-used', member, origin, detail: { unused } })
  })
}

/** Returns the number of a member's unused recovery codes. */
export async function countRecoveryCodes(db: Db, memberId: bigint): Promise<number> {
  const unused = await db.selectFrom('recovery_code').select('id').where('member_id', '=', memberId).execute()
  return unused.length
}
