import type { Units } from '@tizara/money'
import { type Asset, post } from '../../../ledger/index.ts'
import type { Tx } from '../../../platform/database.ts'
import type { Deps } from '../../../platform/deps.ts'
import { recordAudit } from '../../members/index.ts'

/** Who of the staff does it, and why. */
export interface StaffAct {
  by: { memberId: bigint; role: string }
  reason: string
  /** Member id of the second person, for an act above the four-eyes limit. */
  approvedBy?: bigint
  ip?: string
  requestId?: string
}

/** Money for the reward pool. */
export interface PoolFunds extends StaffAct {
  asset: Asset
  amount: Units
  /** `stock`: coin of the house's stock or USD of its sales; `operator`: the operator's own money from outside. */
  source: 'stock' | 'operator'
}

/**
 * Moves money into the reward pool; what is owed is paid by the next sweep.
 * @returns the ledger transfer
 * @throws AppError COIN_SOLD_OUT or INSUFFICIENT_BALANCE when the source does not hold it
 */
export async function fundRewardPool(tx: Tx, deps: Pick<Deps, 'clock' | 'ids'>, funds: PoolFunds): Promise<{ transferId: bigint }> {
  const at = deps.clock.now()
  const id = deps.ids.publicId()
  const stock = funds.asset === 'COIN' ? 'SYS-COIN' : 'SYS-SALES'
  const posted = await post(tx, {
    kind: 'fundRewardPool',
    cause: { type: 'reward_pool', id },
    at,
    transfers: [
      {
        from: { house: funds.source === 'operator' ? 'SYS-OPERATOR' : stock, asset: funds.asset },
        to: { house: 'SYS-REWARD', asset: funds.asset },
        amount: funds.amount,
      },
    ],
  })
  await recordAudit(tx, {
    at,
    actorId: funds.by.memberId,
    actorRole: funds.by.role,
    action: 'rewards.fund-pool',
    subject: { type: 'reward_pool', id },
    reason: funds.reason,
    outcome: 'ok',
    detail: {
      asset: funds.asset,
      amount: String(funds.amount),
      source: funds.source,
      ...(funds.approvedBy === undefined ? {} : { approvedBy: String(funds.approvedBy) }),
    },
    ...(funds.ip === undefined ? {} : { ip: funds.ip }),
    ...(funds.requestId === undefined ? {} : { requestId: funds.requestId }),
  })
  const transferId = posted.transfers[0]?.id
  if (transferId === undefined) throw new Error('a posting without a transfer')
  return { transferId }
}
