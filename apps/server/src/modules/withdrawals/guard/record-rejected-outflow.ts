import type { Caller } from '../../../http/calls/bind-route.ts'
import type { Viewer } from '../../../http/calls/session-guard.ts'
import type { Db } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import type { AppError } from '../../../platform/runtime/app-error.ts'
import { recordHourly } from '../../audit/index.ts'

/** Refusals of the guard that may come from a thief. Others, such as a low balance, are mistakes. */
const RECORDED: readonly string[] = [
  'PAYOUTS_STOPPED',
  'PAYOUT_HELD',
  'PAYOUT_DAY_COUNT',
  'PAYOUT_DAY_LIMIT',
  'PAYOUT_NEEDS_PROOF',
  'ADDRESS_FORGED',
  'STEP_UP_REFUSED',
  'PAYOUT_CHANGED',
]

interface RejectedCall {
  db: Db
  deps: Pick<Deps, 'clock'>
  viewer: Viewer
  caller: Pick<Caller, 'ip' | 'requestId'>
}

/**
 * Writes an outflow that the guard refused to the audit log, for the owner and staff [I17]. Each code is written once an hour.
 * @param action the call: the request of an outflow, or its confirmation
 */
export async function recordRejectedOutflow(
  { db, deps, viewer, caller }: RejectedCall,
  error: AppError,
  action: 'payout.request' | 'payout.confirm' = 'payout.request',
): Promise<void> {
  if (!RECORDED.includes(error.code)) return
  await recordHourly(db, {
    at: deps.clock.now(),
    actorId: viewer.memberId,
    actorRole: viewer.role,
    action,
    subject: { type: 'member', id: viewer.publicId },
    outcome: error.code,
    ip: caller.ip,
    requestId: caller.requestId,
  })
}
