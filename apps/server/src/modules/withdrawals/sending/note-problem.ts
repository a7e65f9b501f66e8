import type { Lease } from '../../../jobs/lease.ts'

/** What people read of a payout that differs from its approval. */
export const NOT_APPROVED = 'not what was approved: the row was changed'

/** What people read of a payout whose nonce is used, and none of whose transactions is in a block. */
export const NONCE_TAKEN = 'its nonce was used by a transaction that is not ours'

/** What they read of a token that says yes and pays nothing: neither paid nor lost until people have looked. */
export const NO_TRANSFER = 'the transaction succeeded without the transfer'

/** Shown for a receipt that can't be true: it settles nothing, and holds up no other payout. */
export const ODD_RECEIPT = 'the node tells of more gas than was signed for'

/** Shown for a payment that the signer does not sign. */
export const NOT_SIGNED = 'the signer does not sign it'

/** Writes down why a payout does not go on, where it is not written down already. */
export async function noteProblem(lease: Lease, requestId: bigint, problem: string): Promise<void> {
  await lease.inTransaction((tx) =>
    tx
      .updateTable('payout_sending')
      .set({ problem })
      .where('request_id', '=', requestId)
      .where('problem', 'is distinct from', problem)
      .execute(),
  )
}
