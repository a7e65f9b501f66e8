import type { Units } from '@tizara/money'
import { balancesOf } from '../../ledger/index.ts'
import { type Limit, registerCall, scaled } from '../../http/calls/rate-limit.ts'
import { AppError } from '../../platform/runtime/app-error.ts'
import { DAY_MS } from '../../platform/runtime/clock.ts'
import { type Db, inTransaction, type Tx } from '../../platform/db/database.ts'
import type { Deps } from '../../platform/runtime/deps.ts'
import { initialsOf, mayReceiveTransfers, memberById, membersByEmail } from '../members/index.ts'
import { rateLimitedSenders, rejectUnknown } from './unknown-receivers.ts'

/** Different receivers per sender and day. */
const NEW_RECEIVERS: Limit = { hits: 30, windowMs: DAY_MS }

interface ReceiverQuery {
  senderId: bigint
  amount: Units
  email: string
}

/**
 * Returns the initials of a receiver, so that the sender can check them before sending (MF-09). The sender must have the amount, and can
 * look up 30 different receivers a day. An unknown receiver counts towards the limits of the transfer itself (ASVS 6.3.8).
 * @throws AppError TOO_MANY_REQUESTS, USER_NOT_FOUND, TRANSFER_TO_SELF, INSUFFICIENT_BALANCE
 */
export async function findReceiver(db: Db, deps: Deps, query: ReceiverQuery): Promise<{ initials: string }> {
  // Throws the refusal after the commit, because the count of a refused call must be stored.
  const found = await inTransaction(db, (tx) => lookUp(tx, deps, query))
  if (found instanceof AppError) throw found
  return found
}

async function lookUp(tx: Tx, deps: Deps, query: ReceiverQuery): Promise<{ initials: string } | AppError> {
  const limited = await rateLimitedSenders(tx, deps, [query])
  const receivers = await membersByEmail(tx, [query.email])
  const refusal = limited().get(query.senderId)
  if (refusal !== undefined) return refusal
  const receiver = receivers.find(mayReceiveTransfers)
  if (receiver === undefined) return (await rejectUnknown(tx, deps, [query])).get(query) ?? new AppError('USER_NOT_FOUND')
  if (receiver.id === query.senderId) return new AppError('TRANSFER_TO_SELF')
  const { depositWallet } = await balancesOf(tx, query.senderId)
  if (depositWallet < query.amount) return new AppError('INSUFFICIENT_BALANCE')
  const counted = await registerReceiver(tx, deps, query.senderId, receiver.id)
  if (counted !== undefined) return counted
  const member = await memberById(tx, receiver.id)
  return { initials: initialsOf(member?.name ?? '') }
}

/** Counts a receiver once a day towards the sender's limit. */
async function registerReceiver(tx: Tx, deps: Deps, senderId: bigint, receiverId: bigint): Promise<AppError | undefined> {
  const now = deps.clock.now()
  try {
    await registerCall(tx, `receiver:account:${senderId}:${receiverId}`, { hits: 1, windowMs: NEW_RECEIVERS.windowMs }, now)
  } catch (error) {
    if (error instanceof AppError) return undefined
    throw error
  }
  try {
    await registerCall(tx, `receivers-of-day:account:${senderId}`, scaled(deps, NEW_RECEIVERS), now)
    return undefined
  } catch (error) {
    if (error instanceof AppError) return error
    throw error
  }
}
