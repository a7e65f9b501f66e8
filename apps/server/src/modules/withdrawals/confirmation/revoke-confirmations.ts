import type { Selectable } from 'kysely'
import type { Tx } from '../../../platform/db/database.ts'
import type { PayoutRequestTable } from '../../../platform/db/tables.generated.ts'
import { recordAudit } from '../../audit/index.ts'
import { NO_FIRST_APPROVAL } from '../payout-mac.ts'

/** Reason in the audit log for a first approval that a stop revoked. */
export const STOPPED = 'The member stopped it'

export type PendingRequest = Selectable<PayoutRequestTable>

/**
 * Revokes the confirmations and first approvals of all pending payouts of members, and the confirmations and proofs of their addresses.
 * The job returns the payouts to their wallets. Call `auditRevokedApprovals` with the result at the end of the transaction.
 * @param memberIds all members for a restored database without a journal
 * @returns the pending requests as they were, locked
 */
export async function revokeConfirmations(tx: Tx, memberIds: readonly bigint[] | 'all', now: Date): Promise<PendingRequest[]> {
  if (memberIds.length === 0) return []
  const ids = memberIds === 'all' ? undefined : [...memberIds]
  const pending = tx.selectFrom('payout_request').selectAll().where('status', '=', 'PENDING')
  // Locks all request rows before the ledger accounts: every caller uses this order.
  const waiting = await (ids === undefined ? pending : pending.where('member_id', 'in', ids)).orderBy('id').forUpdate().execute()
  const requests = tx
    .updateTable('payout_request')
    .set({ confirmed_at: null, confirmed_how: null, confirm_by: now, ...NO_FIRST_APPROVAL })
    .where('status', '=', 'PENDING')
  await (ids === undefined ? requests : requests.where('member_id', 'in', ids)).execute()
  const addresses = tx
    .updateTable('payout_address')
    .set({ confirmed_at: null, usable_from: null, challenge: null, challenge_at: null, proven_at: null, proven_by: null, entry_mac: null })
    .where('removed_at', 'is', null)
  await (ids === undefined ? addresses : addresses.where('member_id', 'in', ids)).execute()
  return waiting
}

/** Records the revocation of first approvals in the audit log, so that the approvals stay invalid. */
export async function auditRevokedApprovals(
  tx: Tx,
  at: Date,
  requests: readonly Pick<PendingRequest, 'public_id' | 'kind' | 'first_approved_by'>[],
  reason: string,
): Promise<void> {
  for (const { public_id: id, kind, first_approved_by: first } of requests) {
    if (first === null) continue
    const subject = { type: kind === 'bridge' ? 'bridges' : 'withdrawals', id }
    const entry = { actorId: null, actorRole: 'SYSTEM', action: 'staff.request.revoke-approval', reason, outcome: 'ok' }
    await recordAudit(tx, { ...entry, at, subject })
  }
}
