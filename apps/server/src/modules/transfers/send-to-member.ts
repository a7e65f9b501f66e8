import type { Units } from '@tizara/money'
import { post } from '../../ledger/index.ts'
import { AppError } from '../../platform/app-error.ts'
import type { Tx } from '../../platform/database.ts'
import type { Deps } from '../../platform/deps.ts'
import { memberByEmail } from '../members/index.ts'

/**
 * Sends USD from one member's deposit wallet to another's (MF-09). Fee 0.
 * @param tx an open transaction
 * @param deps the clock
 * @param input who sends, how many USD units, and the receiver's address (normalised)
 * @returns id of the ledger transfer
 * @throws AppError USER_NOT_FOUND (unknown, unverified or blocked), TRANSFER_TO_SELF, INSUFFICIENT_BALANCE (VA-56)
 */
export async function sendToMember(tx: Tx, deps: Deps, input: { senderId: bigint; amount: Units; email: string }): Promise<bigint> {
  const receiver = await memberByEmail(tx, input.email)
  if (receiver === undefined || !receiver.is_verified || !receiver.is_active) throw new AppError('USER_NOT_FOUND')
  if (receiver.id === input.senderId) throw new AppError('TRANSFER_TO_SELF')
  const posted = await post(tx, {
    kind: 'userToUser',
    cause: { type: 'member', id: String(receiver.id) },
    at: deps.clock.now(),
    transfers: [
      { from: { owner: input.senderId, kind: 'depositWallet' }, to: { owner: receiver.id, kind: 'depositWallet' }, amount: input.amount },
    ],
  })
  return firstId(posted)
}

/** The first transfer's id of a posting. */
export function firstId(posted: { transfers: readonly { id: bigint }[] }): bigint {
  const first = posted.transfers[0]
  if (first === undefined) throw new Error('a posting without a transfer')
  return first.id
}
