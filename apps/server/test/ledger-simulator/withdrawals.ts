import { AppError } from '../../src/platform/runtime/app-error.ts'
import type { AccountRef } from '../../src/ledger/chart-of-accounts.ts'
import { hold, release, settle } from '../../src/ledger/holds.ts'
import type { Withdrawal, Withdrawals, World } from './world.ts'

/** Returns an empty withdrawal list. */
export function withdrawals(): Withdrawals {
  return { all: [] }
}

const held = { system: 'SYS-HOLD', asset: 'USD' } as const
const wallet = (owner: bigint): { owner: bigint; kind: 'depositWallet' } => ({ owner, kind: 'depositWallet' })

/** Runs one payout step: a new request, or workers that settle holds, some with stale knowledge. */
export async function runWithdrawals(world: World): Promise<void> {
  if (world.withdrawals.all.length === 0 || world.random.chance(0.4)) await request(world)
  else await end(world)
}

async function request(world: World): Promise<void> {
  const { random, oracle } = world
  const repeat = world.withdrawals.all.length > 0 && random.chance(0.3)
  const withdrawal: Withdrawal = repeat
    ? random.pick(world.withdrawals.all)
    : {
        key: `withdrawal-${world.withdrawals.all.length}`,
        owner: random.pick(world.members),
        amount: BigInt(2 + random.below(40)),
        holdId: undefined,
        ended: false,
      }
  const covered = oracle.balance(wallet(withdrawal.owner)) >= withdrawal.amount
  const known = withdrawal.holdId !== undefined
  const made = await attempt(world, async () => {
    const { key, owner, amount } = withdrawal
    return hold(world.db, { from: wallet(owner), amount, kind: 'withdrawal', cause: { type: 'simulator', id: key }, at: world.now(), key })
  })
  if (made === 'unknown') return
  if (made === 'INSUFFICIENT_BALANCE' && !known && !covered) return
  if (typeof made === 'string') throw new Error(`${withdrawal.key} was refused: ${made}`)
  if (made.repeated !== known) throw new Error(`${withdrawal.key} is a repeat: ${made.repeated}, expected ${known}`)
  if (known) return
  if (!covered) throw new Error(`${withdrawal.key} was not covered`)
  withdrawal.holdId = made.holdId
  world.withdrawals.all.push(withdrawal)
  oracle.move(wallet(withdrawal.owner), held, withdrawal.amount)
}

async function end(world: World): Promise<void> {
  const { random, oracle } = world
  const withdrawal = random.pick(world.withdrawals.all)
  const { holdId, amount, owner } = withdrawal
  if (holdId === undefined) return
  const common = { holdId, kind: 'payout' as const, cause: { type: 'simulator', id: withdrawal.key }, at: world.now() }
  const fee = 1n
  const legs: { to: AccountRef; amount: bigint }[] = [
    { to: { system: 'SYS-WITHDRAW', asset: 'USD' }, amount: amount - fee },
    { to: { system: 'SYS-FEE', asset: 'USD' }, amount: fee },
  ]
  // Runs several workers that believe the hold is open, one after another, each with separate faults.
  for (let worker = 0; worker < 1 + random.below(3); worker += 1) {
    const pays = random.chance(0.5)
    const done = await attempt(world, () => (pays ? settle(world.db, { ...common, legs }) : release(world.db, common)))
    if (done === 'unknown') continue
    if (withdrawal.ended !== (done === 'ALREADY_DECIDED'))
      throw new Error(`${withdrawal.key} ended before: ${withdrawal.ended}, and now ${typeof done === 'string' ? done : 'done'}`)
    if (withdrawal.ended) continue
    if (typeof done === 'string') throw new Error(`${withdrawal.key} could not be ended: ${done}`)
    withdrawal.ended = true
    if (pays) for (const leg of legs) oracle.move(held, leg.to, leg.amount)
    else oracle.move(held, wallet(owner), amount)
  }
}

/** Runs a worker's transaction. Returns its result, its refusal code, or `unknown` if the store failed before the commit. */
async function attempt<T>(world: World, work: () => Promise<T>): Promise<T | string> {
  const fault = world.fault()
  try {
    return await world.transact(fault, work)
  } catch (error) {
    if (error instanceof AppError) return error.code
    if (fault === 'none' || fault === 'crash_after_commit') throw error
    return 'unknown'
  }
}
