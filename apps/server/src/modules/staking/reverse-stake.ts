import { post } from '../../ledger/index.ts'
import { AppError } from '../../platform/runtime/app-error.ts'
import type { Tx } from '../../platform/db/database.ts'
import type { Deps } from '../../platform/runtime/deps.ts'
import { assertSourceReversible, type ReversedRewards, reverseSource } from '../rewards/index.ts'
import { walletOf } from './staking.rules.ts'

/**
 * Reverses a stake within `reversalDays` and before its last day is counted. The principal returns to its wallet, and no further day is paid.
 * The uplines' pending level rewards are reversed; paid days stay paid.
 * @returns the staker, and the reversed rewards
 * @throws AppError NOT_FOUND, PURCHASE_NOT_REVERSIBLE
 */
export async function reverseStake(
  tx: Tx,
  deps: Pick<Deps, 'clock'>,
  stakeId: string,
): Promise<{ memberId: bigint; taken: ReversedRewards }> {
  const now = deps.clock.now()
  const stake = await tx.selectFrom('stake').selectAll().where('public_id', '=', stakeId).forUpdate().executeTakeFirst()
  if (stake === undefined) throw new AppError('NOT_FOUND')
  if (stake.status === 'REVERSED') throw new AppError('PURCHASE_NOT_REVERSIBLE', { why: 'it was already reversed' })
  if (stake.imported_at !== null) throw new AppError('PURCHASE_NOT_REVERSIBLE', { why: 'it was made on the earlier platform' })
  await assertSourceReversible(tx, stakeId, now)
  await post(tx, {
    kind: 'stakeReversed',
    cause: { type: 'stake', id: stake.public_id },
    at: now,
    ruleVersion: stake.programme_version,
    key: `stake-reversal:${stake.id}`,
    transfers: [
      {
        from: { owner: stake.member_id, kind: 'stakeWallet' },
        to: { owner: stake.member_id, kind: walletOf[stake.wallet === 'mywallet' ? 'mywallet' : 'nativewallet'] },
        amount: stake.amount,
      },
    ],
  })
  await tx.updateTable('stake').set({ status: 'REVERSED', reversed_at: now }).where('id', '=', stake.id).execute()
  const reversed = await reverseSource(tx, stakeId, now)
  return { memberId: stake.member_id, taken: reversed }
}
