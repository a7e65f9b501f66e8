import { registerCall, type Limit, scaled, usedUp } from '../../http/calls/rate-limit.ts'
import type { Units } from '@tizara/money'
import { balancesOf } from '../../ledger/index.ts'
import { AppError } from '../../platform/runtime/app-error.ts'
import { DAY_MS } from '../../platform/runtime/clock.ts'
import type { Tx } from '../../platform/db/database.ts'
import type { Deps } from '../../platform/runtime/deps.ts'

/** Payment fields used by the limits. */
interface Attempt {
  senderId: bigint
  amount: Units
}

/** Limits on unknown receivers per sender. Above them every payment by the sender is refused, also to known receivers. */
const LIMITS: readonly (Limit & { name: string })[] = [
  { name: 'unknown-receiver', hits: 5, windowMs: 15 * 60_000 },
  { name: 'unknown-receiver-of-day', hits: 20, windowMs: DAY_MS },
]

const keyOf = (name: string, senderId: bigint) => `${name}:account:${senderId}`

/** Returns the rate-limited senders with their refusals. */
export async function rateLimitedSenders(tx: Tx, deps: Deps, payments: readonly Attempt[]): Promise<() => Map<bigint, AppError>> {
  const senders = [...new Set(payments.map((payment) => payment.senderId))]
  const limits = LIMITS.flatMap((limit) => senders.map((id) => [keyOf(limit.name, id), scaled(deps, limit)] as const))
  const used = await usedUp(tx, new Map(limits), deps.clock.now())
  return () => {
    const reached = used()
    if (reached.size === 0) return new Map()
    return new Map(
      senders.flatMap((id) => {
        const refusal = LIMITS.map((limit) => reached.get(keyOf(limit.name, id))).findLast((one) => one !== undefined)
        return refusal === undefined ? [] : [[id, refusal] as const]
      }),
    )
  }
}

/**
 * Rejects payments to unknown receivers. A sender with too small a balance gets INSUFFICIENT_BALANCE and is not counted; any other attempt
 * is counted. The counters are locked in order of sender, before any account.
 */
export async function rejectUnknown(tx: Tx, deps: Deps, payments: readonly Attempt[]): Promise<Map<Attempt, AppError>> {
  const refusals = new Map<Attempt, AppError>()
  for (const payment of payments.toSorted((a, b) => (a.senderId < b.senderId ? -1 : 1))) {
    const { depositWallet } = await balancesOf(tx, payment.senderId)
    if (depositWallet < payment.amount) {
      refusals.set(payment, new AppError('INSUFFICIENT_BALANCE'))
      continue
    }
    refusals.set(payment, (await registerUnknownReceiver(tx, deps, payment.senderId)) ?? new AppError('USER_NOT_FOUND'))
  }
  return refusals
}

async function registerUnknownReceiver(tx: Tx, deps: Deps, senderId: bigint): Promise<AppError | undefined> {
  try {
    for (const limit of LIMITS) await registerCall(tx, keyOf(limit.name, senderId), scaled(deps, limit), deps.clock.now())
    return undefined
  } catch (error) {
    if (error instanceof AppError) return error
    throw error
  }
}
