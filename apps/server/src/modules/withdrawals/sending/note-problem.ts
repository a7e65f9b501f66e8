import type { Lease } from '../../../jobs/lease.ts'

/** What people read of a payout that differs from its approval. */
export const NOT_APPROVED = 'not what was approved: the row was changed'

/** What people read of a payout whose nonce is used, and none of whose transactions is in a block. */
export const NONCE_TAKEN = 'its nonce was used by a transaction that is not ours'

/** What they read of a token that says yes and pays nothing: neither paid nor lost until people have looked. */
export const NO_TRANSFER = 'the transaction succeeded without the transfer'

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
