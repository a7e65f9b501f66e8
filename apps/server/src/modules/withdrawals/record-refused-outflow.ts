import type { Caller } from '../../http/calls/bind-route.ts'
import type { Viewer } from '../../http/calls/session-guard.ts'
import { HOUR_MS } from '../../platform/runtime/clock.ts'
import { type Db, inTransaction } from '../../platform/db/database.ts'
import type { Deps } from '../../platform/runtime/deps.ts'
import type { AppError } from '../../platform/runtime/app-error.ts'
import { latestActions, recordAudit } from '../audit/index.ts'

/** Refusals of the guard that may come from a thief. Others, such as a low balance, are mistakes. */
const RECORDED: readonly string[] = [
  'PAYOUTS_STOPPED',
  'PAYOUT_HELD',
  'PAYOUT_DAY_COUNT',
  'PAYOUT_DAY_LIMIT',
  'PAYOUT_NEEDS_PROOF',
  'STEP_UP_REFUSED',
]
const ACTION = 'payout.request'
/** Newest entries of the member that are searched for the same refusal. */
const MAX_ENTRIES = 20

interface RefusedCall {
  db: Db
  deps: Pick<Deps, 'clock'>
  viewer: Viewer
  caller: Pick<Caller, 'ip' | 'requestId'>
}

/**
 * Writes an outflow that the guard refused to the audit log, for the owner and staff. The same refusal is recorded once an hour, because a
 * client may repeat it without a limit [I17].
 */
export async function recordRefusedOutflow({ db, deps, viewer, caller }: RefusedCall, error: AppError): Promise<void> {
  if (!RECORDED.includes(error.code)) return
  const at = deps.clock.now()
  const entries = await latestActions(db, viewer.memberId, MAX_ENTRIES)
  const since = at.getTime() - HOUR_MS
  if (entries.some((entry) => entry.action === ACTION && entry.outcome === error.code && entry.at.getTime() > since)) return
  await inTransaction(db, (tx) =>
    recordAudit(tx, {
      at,
      actorId: viewer.memberId,
      actorRole: viewer.role,
      action: ACTION,
      subject: { type: 'member', id: viewer.publicId },
      outcome: error.code,
      ip: caller.ip,
      requestId: caller.requestId,
    }),
  )
}
