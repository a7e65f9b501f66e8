import type { Units } from '@tizara/money'
import { post } from '../../../ledger/index.ts'
import type { Tx } from '../../../platform/database.ts'
import type { Deps } from '../../../platform/deps.ts'
import { recordAudit } from '../../members/index.ts'
import type { StaffAct } from './fund-reward-pool.ts'

/** Coin for a member's RCM wallet. */
export interface RcmCredit extends StaffAct {
  memberId: bigint
  /** Coin units. */
  amount: Units
}

/**
 * Credits a member's RCM wallet out of the reward pool (MF-25, RW-10); every credit is on record with its reason.
 * @returns the ledger transfer
 * @throws AppError NOT_COVERED when the pool does not hold it
 */
export async function creditRcm(tx: Tx, deps: Pick<Deps, 'clock' | 'ids'>, credit: RcmCredit): Promise<{ transferId: bigint }> {
  const at = deps.clock.now()
  const id = deps.ids.publicId()
  const posted = await post(tx, {
    kind: 'rcmCredit',
    cause: { type: 'rcm_credit', id },
    at,
    transfers: [{ from: { house: 'SYS-REWARD', asset: 'COIN' }, to: { owner: credit.memberId, kind: 'rcmWallet' }, amount: credit.amount }],
  })
  await recordAudit(tx, {
    at,
    actorId: credit.by.memberId,
    actorRole: credit.by.role,
    action: 'rewards.credit-rcm',
    subject: { type: 'member', id: String(credit.memberId) },
    reason: credit.reason,
    outcome: 'ok',
    detail: {
      credit: id,
      amount: String(credit.amount),
      ...(credit.approvedBy === undefined ? {} : { approvedBy: String(credit.approvedBy) }),
    },
    ...(credit.ip === undefined ? {} : { ip: credit.ip }),
    ...(credit.requestId === undefined ? {} : { requestId: credit.requestId }),
  })
  const transferId = posted.transfers[0]?.id
  if (transferId === undefined) throw new Error('a posting without a transfer')
  return { transferId }
}
