import type { Tx } from '../../../platform/db/database.ts'
import { setPayoutStop } from '../../members/index.ts'
import { auditRevokedApprovals, type PendingRequest, revokeConfirmations, STOPPED } from './revoke-confirmations.ts'

/**
 * Stops all payouts of a member until a password reset by mail. Everything that was confirmed or approved before is revoked, because an
 * attacker may have done it.
 * @param tx a transaction that locks the member
 * @returns the pending requests as they were. Call `auditRevokedApprovals` with them at the end of the transaction.
 */
export async function stopPayouts(tx: Tx, memberId: bigint, now: Date): Promise<PendingRequest[]> {
  await setPayoutStop(tx, memberId, now)
  return revokeConfirmations(tx, [memberId], now)
}

/** Stops all payouts of a member like `stopPayouts`, for modules which this module uses. `main` passes it to them. */
export async function stopAndAuditPayouts(tx: Tx, memberId: bigint, now: Date): Promise<void> {
  await auditRevokedApprovals(tx, now, await stopPayouts(tx, memberId, now), STOPPED)
}
