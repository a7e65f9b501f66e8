import type { Units } from '@tizara/money'
import { isRefused, type Posting, postBatch, refusalError } from '../../ledger/index.ts'
import { AppError } from '../../platform/app-error.ts'
import type { Tx } from '../../platform/database.ts'
import type { Deps } from '../../platform/deps.ts'
import { membersByEmail } from '../members/index.ts'
import { onUsdSent, type UsdSent } from '../rewards/index.ts'

/** A payment between members: who sends, how many USD units, and the receiver's address (normalised). */
export interface MemberPayment {
  senderId: bigint
  amount: Units
  email: string
}

/**
 * Sends USD from one member's deposit wallet to another's (MF-09). Fee 0.
 * @returns id of the ledger transfer
 * @throws AppError USER_NOT_FOUND (unknown, unverified or blocked), TRANSFER_TO_SELF, INSUFFICIENT_BALANCE (VA-56)
 */
export async function sendToMember(tx: Tx, deps: Pick<Deps, 'clock'>, input: MemberPayment): Promise<bigint> {
  const [sent] = await sendToMembers(tx, deps, [input])
  if (typeof sent !== 'bigint') throw sent ?? new AppError('INTERNAL')
  return sent
}

/**
 * As `sendToMember`, for payments that arrive together, in order; a refused one leaves the others alone.
 * @returns one per payment: id of the ledger transfer, or its refusal, which left nothing behind
 */
export async function sendToMembers(tx: Tx, deps: Pick<Deps, 'clock'>, inputs: readonly MemberPayment[]): Promise<(bigint | AppError)[]> {
  const found = await membersByEmail(tx, [...new Set(inputs.map((input) => input.email))])
  const receivers = new Map(found.map((member) => [member.email, member]))
  const at = deps.clock.now()
  const wanted = inputs.map((input) => {
    const receiver = receivers.get(input.email)
    if (receiver === undefined || !receiver.is_verified || !receiver.is_active) return new AppError('USER_NOT_FOUND')
    if (receiver.id === input.senderId) return new AppError('TRANSFER_TO_SELF')
    return { senderId: input.senderId, receiverId: receiver.id, amount: input.amount }
  })
  const posted = await postBatch(
    tx,
    wanted.filter((one): one is UsdSent => !(one instanceof AppError)).map((one) => payment(one, at)),
  )
  const results = posted.values()
  const sent: UsdSent[] = []
  const outcome = wanted.map((one) => {
    if (one instanceof AppError) return one
    const result = results.next().value
    if (result === undefined) throw new Error('a payment got no result')
    if (isRefused(result)) return refusalError(result)
    sent.push(one)
    return firstId(result)
  })
  await onUsdSent(tx, at, sent)
  return outcome
}

function payment({ senderId, receiverId, amount }: UsdSent, at: Date): Posting {
  return {
    kind: 'userToUser',
    cause: { type: 'member', id: String(receiverId) },
    at,
    transfers: [{ from: { owner: senderId, kind: 'depositWallet' }, to: { owner: receiverId, kind: 'depositWallet' }, amount }],
  }
}

/** The first transfer's id of a posting. */
export function firstId(posted: { transfers: readonly { id: bigint }[] }): bigint {
  const first = posted.transfers[0]
  if (first === undefined) throw new Error('a posting without a transfer')
  return first.id
}
