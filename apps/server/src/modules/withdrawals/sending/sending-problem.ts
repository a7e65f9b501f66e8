import type { Lease } from '../../../jobs/lease.ts'
import type { Tx } from '../../../platform/db/database.ts'

/** Shown for a payout that differs from its approval. */
export const NOT_APPROVED = 'the row was modified after its approval'

/** Shown for a payout with a used nonce and no mined transaction. */
export const NONCE_TAKEN = 'a foreign transaction used its nonce'

/** Shown if a token reports success without a transfer. The payout is neither paid nor lost until staff decide. */
export const NO_TRANSFER = 'the transaction succeeded without the transfer'

/** Shown if the receiver got the token in another amount, for example less a fee. The money is never returned then. */
export const PART_ARRIVED = 'the receiver got another amount of the token than approved'

export { IMPOSSIBLE_RECEIPT } from '../../../gateways/chain/index.ts'

/** Shown for a transaction that pays the market price and is in no block after an hour. */
export const NOT_MINED = 'it is in no block after an hour, although its fee suffices'

/** Shown while the market price is above PAYOUT_GAS_GWEI. */
export const TOO_EXPENSIVE = 'the gas price is above the maximum'

/** Shown if the wallet cannot pay the network fee. */
export const NO_GAS = 'the hot wallet has too little native coin for gas'

/** Shown for a payment refused by the signer. */
export const NOT_SIGNED = 'the signer does not sign it'

/** Shown for a cold move whose receiver is no longer in RESERVE_ADDRESSES. */
export const NOT_COLD = 'the receiver is no cold address of the settings'

/**
 * Shown for a cold move larger than the surplus, for example after payouts. The move waits until the wallet holds more or staff cancel it.
 */
export const NO_SURPLUS = 'the hot wallet has no such surplus above its ceiling and the waiting payouts'

/** Shown for proceeds whose receiver is not in PROCEEDS_ADDRESSES any more. */
export const NO_PROCEEDS_ADDRESS = 'the receiver is no proceeds address of the settings'

/** Shown for proceeds that the hot wallet does not have after the waiting payouts. They wait until it holds more, or staff cancel them. */
export const INSUFFICIENT_AFTER_QUEUE = 'the hot wallet has too little of the token after the waiting payouts'

/** Problems without a replacement. They end once the fee of a stored transaction suffices. */
const NOT_REPLACED: readonly string[] = [TOO_EXPENSIVE, NO_GAS, NOT_SIGNED]

/** Clears the problem of a payout whose replacement is stored in the same transaction. A cancellation proves no approval. */
export async function clearProblemOfReplaced(tx: Tx, requestId: bigint, { isApproved }: { isApproved: boolean }): Promise<void> {
  await tx
    .updateTable('payout_sending')
    .set({ problem: null })
    .where('request_id', '=', requestId)
    .$if(!isApproved, (rows) => rows.where('problem', '<>', NOT_APPROVED))
    .where('problem', 'is not', null)
    .execute()
}

/** Clears the problem of a payout that needs no replacement any more. Problems of another cause stay. */
export async function clearNotReplaced(lease: Lease, requestId: bigint): Promise<void> {
  await lease.inTransaction((tx) =>
    tx
      .updateTable('payout_sending')
      .set({ problem: null })
      .where('request_id', '=', requestId)
      .where('problem', 'in', NOT_REPLACED)
      .execute(),
  )
}

/** Records why a payout is stuck, unless already recorded. */
export async function recordSendingProblem(lease: Lease, requestId: bigint, problem: string): Promise<void> {
  await lease.inTransaction((tx) =>
    tx
      .updateTable('payout_sending')
      .set({ problem })
      .where('request_id', '=', requestId)
      .where('problem', 'is distinct from', problem)
      .execute(),
  )
}
