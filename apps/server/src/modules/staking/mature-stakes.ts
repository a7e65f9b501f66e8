import { isRejected, postBatch, rejectionError } from '../../ledger/index.ts'
import type { Batch, Lease } from '../../jobs/lease.ts'
import type { Tx } from '../../platform/db/database.ts'
import type { Deps } from '../../platform/runtime/deps.ts'
import { recordEvents } from '../notices/index.ts'
import { onStakesEnded } from '../rewards/index.ts'
import { walletOf } from './staking.rules.ts'

/** Stakes matured per transaction. */
const BATCH = 500

/**
 * Returns the principal of each matured stake to the wallet that paid it (MF-24, RW-11). The reward of the last day must be paid or owed
 * before.
 * @returns the number of matured stakes
 */
export function matureStakes(lease: Lease, deps: Deps): Promise<number> {
  return lease.untilDone((tx) => matureBatch(tx, deps.clock.now()))
}

async function matureBatch(tx: Tx, now: Date): Promise<Batch> {
  const due = await tx
    .selectFrom('stake')
    .innerJoin('reward_progress', 'reward_progress.public_id', 'stake.public_id')
    .select([
      'stake.id',
      'stake.public_id',
      'stake.member_id',
      'stake.wallet',
      'stake.is_omega',
      'stake.amount',
      'stake.programme_version',
      'stake.matures_at',
    ])
    .where('stake.status', '=', 'ACTIVE')
    .where('stake.matures_at', '<=', now)
    .whereRef('reward_progress.processed', '>=', 'reward_progress.steps')
    .orderBy('stake.matures_at')
    .orderBy('stake.id')
    .limit(BATCH)
    .forUpdate('stake')
    .skipLocked()
    .execute()
  if (due.length === 0) return { done: 0, more: false }
  await tx
    .updateTable('stake')
    .set({ status: 'COMPLETED', matured_at: now })
    .where(
      'id',
      'in',
      due.map((stake) => stake.id),
    )
    .execute()
  const results = await postBatch(
    tx,
    due.map((stake) => ({
      kind: 'stakeMatured',
      cause: { type: 'stake', id: stake.public_id },
      at: now,
      ruleVersion: stake.programme_version,
      key: `stake-maturity:${stake.id}`,
      transfers: [
        {
          from: { owner: stake.member_id, kind: 'stakeWallet' as const },
          to: { owner: stake.member_id, kind: walletOf[stake.wallet === 'mywallet' ? 'mywallet' : 'nativewallet'] },
          amount: stake.amount,
        },
      ],
    })),
  )
  for (const result of results) {
    if (isRejected(result)) throw rejectionError(result)
    if (result.repeated) throw new Error('a stake was about to mature twice')
  }
  await onStakesEnded(
    tx,
    now,
    due.map((stake) => ({
      publicId: stake.public_id,
      memberId: stake.member_id,
      amount: stake.amount,
      maturesAt: stake.matures_at ?? now,
    })),
  )
  await recordEvents(
    tx,
    now,
    due.map((stake) => ({
      memberId: stake.member_id,
      event: 'stake-ended',
      cause: stake.public_id,
      amount: stake.amount,
      asset: 'coin',
      facts: { stake: stake.public_id, list: stake.is_omega ? 'stake-log' : 'stake' },
    })),
  )
  return { done: due.length, more: due.length === BATCH }
}
