import { formatUnits, type Units } from '@tizara/money'
import { type Posting, postEach } from '../../ledger/index.ts'
import { okValues, AppError, zipOk, mapOk, unwrapSingle } from '../../platform/runtime/app-error.ts'
import type { Tx } from '../../platform/db/database.ts'
import type { Deps } from '../../platform/runtime/deps.ts'
import { membersByEmail } from '../members/index.ts'
import { type NoticeEvent, recordEvents } from '../notices/index.ts'
import { firstIds } from './first-ids.ts'
import { rateLimitedSenders, refuseUnknown } from './unknown-receivers.ts'

/** A payment between members: who sends, how many USD units, and the receiver's address (normalised). */
export interface MemberPayment {
  senderId: bigint
  amount: Units
  email: string
}

/**
 * Sends USD from one member's deposit wallet to another's (MF-09). Fee 0.
 * @returns id of the ledger transfer
 * @throws AppError USER_NOT_FOUND (unknown, unverified, blocked or staff), TRANSFER_TO_SELF, INSUFFICIENT_BALANCE (VA-56),
 *   TOO_MANY_REQUESTS after many unknown receivers
 */
export async function sendToMember(tx: Tx, deps: Deps, input: MemberPayment): Promise<bigint> {
  return unwrapSingle(await sendToMembers(tx, deps, [input]))
}

/**
 * As `sendToMember`, for payments that arrive together, in order; a refused one leaves the others alone. Whether an
 * address has an account is told only to who could pay, and to each only so often (ASVS 6.3.8).
 * @returns one per payment: id of the ledger transfer, or its refusal, which left nothing but a count of unknown receivers
 */
export async function sendToMembers(tx: Tx, deps: Deps, inputs: readonly MemberPayment[]): Promise<(bigint | AppError)[]> {
  const guessers = await rateLimitedSenders(tx, deps, inputs)
  const found = await membersByEmail(tx, [...new Set(inputs.map((input) => input.email))])
  const waiting = guessers()
  const receivers = new Map(found.filter(mayReceive).map((member) => [member.email, member]))
  const refusals = await refuseUnknown(
    tx,
    deps,
    inputs.filter((input) => !waiting.has(input.senderId) && !receivers.has(input.email)),
  )
  const at = deps.clock.now()
  const wanted = inputs.map((input) => {
    const receiver = receivers.get(input.email)
    const refused = waiting.get(input.senderId) ?? refusals.get(input)
    if (refused !== undefined || receiver === undefined) return refused ?? new AppError('USER_NOT_FOUND')
    if (receiver.id === input.senderId) return new AppError('TRANSFER_TO_SELF')
    return { senderId: input.senderId, receiverId: receiver.id, amount: input.amount }
  })
  const posted = await postEach(
    tx,
    mapOk(wanted, (one) => payment(one, at)),
  )
  const ids = firstIds(posted)
  await recordEvents(tx, at, okValues(zipOk(wanted, ids, received)))
  return ids
}

/** A payment whose receiver is known; the amount in USD units. */
interface KnownPayment {
  senderId: bigint
  receiverId: bigint
  amount: Units
}

const received = ({ receiverId, amount }: KnownPayment, id: bigint): NoticeEvent => ({
  memberId: receiverId,
  event: 'received',
  cause: String(id),
  said: `${formatUnits(amount)} USD came from another member.`,
})

/** Staff have no wallets to be paid into. */
const mayReceive = (member: { is_verified: boolean; is_active: boolean; role: string }) =>
  member.is_verified && member.is_active && member.role === 'MEMBER'

function payment({ senderId, receiverId, amount }: KnownPayment, at: Date): Posting {
  return {
    kind: 'userToUser',
    cause: { type: 'member', id: String(receiverId) },
    at,
    transfers: [{ from: { owner: senderId, kind: 'depositWallet' }, to: { owner: receiverId, kind: 'depositWallet' }, amount }],
  }
}
