import type { Units } from '@tizara/money'
import { mulDiv } from '@tizara/money'
import { balancesOf, post } from '../../../ledger/index.ts'
import type { Tx } from '../../../platform/database.ts'
import type { Cause } from './hold-reward.ts'
import { INSTANT_FACTS, type InstantKind } from '../programme/rewards.rules.ts'
import { takeHeldBack } from '../pool/promises.ts'
import { moveTallies, takeFromWeeks } from './tally.ts'

/** A purchase that was undone, in whole or in part. */
export interface UndoneCause {
  cause: Cause
  /** How much of the purchase's base was undone, in units of the base. */
  undone: Units
  at: Date
}

/** What an undo took back. */
export interface TakenBack {
  /** Rewards that it touched. */
  rewards: number
  /** Units that were still held, and units that came back out of wallets. */
  released: Units
  recovered: Units
  /** Units that were paid and are no longer in the wallet. */
  unrecovered: Units
}

/**
 * Takes back the instant rewards of a purchase that was undone, pro rata, rounded up (invariant I19): held ones shrink or
 * fall away, paid ones go back from the wallet to the pool as far as it holds them.
 */
export async function undoRewards(tx: Tx, input: UndoneCause): Promise<TakenBack> {
  const rows = await tx
    .selectFrom('reward_instant')
    .selectAll()
    .where('cause_type', '=', input.cause.type)
    .where('cause_id', '=', input.cause.id)
    .where('status', '<>', 'reversed')
    .orderBy('id')
    .forUpdate()
    .execute()
  const taken: TakenBack = { rewards: 0, released: 0n, recovered: 0n, unrecovered: 0n }
  for (const row of rows) {
    const left = row.amount - row.reversed
    const share = mulDiv(row.amount, input.undone, row.base, 'up')
    const back = share > left ? left : share
    if (back <= 0n) continue
    const wasPaid = row.status === 'paid'
    const recovered = wasPaid ? await takeFromWallet(tx, row.kind as InstantKind, row.beneficiary_id, row.id, back, input.at) : 0n
    const status = row.reversed + back === row.amount ? 'reversed' : row.status
    await tx
      .updateTable('reward_instant')
      .set({ reversed: row.reversed + back, status, unrecovered: row.unrecovered + (wasPaid ? back - recovered : 0n) })
      .where('id', '=', row.id)
      .execute()
    if (row.status === 'held' && row.promised) await takeHeldBack(tx, [{ kind: row.kind, amount: back, releaseAt: row.release_at }])
    if (row.tallied) await takeFromWeeks(tx, [{ memberId: row.beneficiary_id, kind: row.kind, createdAt: row.created_at, back }])
    if (row.tallied && status !== row.status) {
      await moveTallies(tx, [{ memberId: row.beneficiary_id, kind: row.kind, from: row.status, to: status, amount: row.amount }])
    }
    taken.rewards += 1
    if (wasPaid) {
      taken.recovered += recovered
      taken.unrecovered += back - recovered
    } else taken.released += back
  }
  return taken
}

async function takeFromWallet(tx: Tx, kind: InstantKind, memberId: bigint, rewardId: bigint, back: Units, at: Date): Promise<Units> {
  const facts = INSTANT_FACTS[kind]
  const balance = (await balancesOf(tx, memberId))[facts.wallet]
  const amount = balance < back ? balance : back
  if (amount <= 0n) return 0n
  await post(tx, {
    kind: 'rewardReversal',
    cause: { type: 'reward_instant', id: String(rewardId) },
    at,
    transfers: [{ from: { owner: memberId, kind: facts.wallet }, to: { house: 'SYS-REWARD', asset: facts.asset }, amount }],
  })
  return amount
}
