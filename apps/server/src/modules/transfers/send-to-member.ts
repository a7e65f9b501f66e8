import type { Units } from '@tizara/money'
import { AppError, unwrapSingle } from '../../platform/runtime/app-error.ts'
import type { Tx } from '../../platform/db/database.ts'
import type { Deps } from '../../platform/runtime/deps.ts'
import { mayReceiveTransfers, membersByEmail } from '../members/index.ts'
import { deferTradeSettings } from '../settings/index.ts'
import { loadOutflowChecks, type OpenedTransfer, openTransfers, type StepUp } from '../withdrawals/index.ts'
import { rateLimitedSenders, rejectUnknown } from './unknown-receivers.ts'

/** Payment between members in USD units, with the receiver's normalised address. */
export interface MemberPayment {
  senderId: bigint
  amount: Units
  email: string
  stepUp?: StepUp | undefined
}

/**
 * Sends USD from one member's deposit wallet to another's (MF-09), without fee.
 * @returns the ledger transfer; above the 24-hour limit for transfers without confirmation, one that waits for the sender
 * @throws AppError USER_NOT_FOUND (unknown, unverified, blocked or staff), TRANSFER_TO_SELF, INSUFFICIENT_BALANCE (VA-56),
 * TOO_MANY_REQUESTS after many unknown receivers, and the errors of `openTransfers`
 */
export async function sendToMember(tx: Tx, deps: Deps, input: MemberPayment): Promise<OpenedTransfer> {
  return unwrapSingle(await sendToMembers(tx, deps, [input]))
}

/**
 * Handles a batch like `sendToMember`, in order; a refusal does not affect the others. Only members who could pay learn if an address has
 * an account, and only a limited number of times (ASVS 6.3.8).
 * @returns in order: the transfer, or its refusal, which stored only an unknown-receiver count
 */
export async function sendToMembers(tx: Tx, deps: Deps, inputs: readonly MemberPayment[]): Promise<(OpenedTransfer | AppError)[]> {
  const targets = inputs.map(({ senderId, email }) => ({
    kind: 'transfer' as const,
    memberId: senderId,
    address: email,
    network: 0 as const,
  }))
  const checks = await loadOutflowChecks(tx, deps, targets)
  const settings = await deferTradeSettings(tx, deps.clock.now())
  const guessers = await rateLimitedSenders(tx, deps, inputs)
  const found = await membersByEmail(tx, [...new Set(inputs.map((input) => input.email))])
  const waiting = guessers()
  const receivers = new Map(found.filter(mayReceiveTransfers).map((member) => [member.email, member]))
  const refusals = await rejectUnknown(
    tx,
    deps,
    inputs.filter((input) => !waiting.has(input.senderId) && !receivers.has(input.email)),
  )
  const outflows = inputs.map((input) => {
    const receiver = receivers.get(input.email)
    const refused = waiting.get(input.senderId) ?? refusals.get(input)
    if (refused !== undefined || receiver === undefined) return refused ?? new AppError('USER_NOT_FOUND')
    if (receiver.id === input.senderId) return new AppError('TRANSFER_TO_SELF')
    const { senderId: memberId, amount, email: address, stepUp } = input
    return { kind: 'transfer' as const, network: 0 as const, memberId, amount, address, receiverId: receiver.id, stepUp }
  })
  return openTransfers(tx, deps, { settings: settings(), checksOf: checks() }, outflows)
}
