import type { Caller } from '../../../http/calls/bind-route.ts'
import type { Viewer } from '../../../http/calls/session-guard.ts'
import { AppError } from '../../../platform/runtime/app-error.ts'
import type { Db } from '../../../platform/db/database.ts'
import type { StaffActionName } from './describe-staff-action.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import type { StaffActor } from './actor.ts'
import { recordRejection } from './record-rejection.ts'

/**
 * Returns the staff member behind a session.
 * @throws AppError STAFF_ONLY for anyone else
 */
export function actorOf(viewer: Viewer | null, caller: Pick<Caller, 'ip' | 'requestId'>): StaffActor {
  if (viewer === null || viewer.role === 'MEMBER') throw new AppError('STAFF_ONLY')
  return { memberId: viewer.memberId, role: viewer.role, ip: caller.ip, requestId: caller.requestId }
}

/** A rejected call, with the parts needed for the audit log. */
export interface RejectedCall {
  db: Db
  deps: Deps
  viewer: Viewer | null
  caller: Pick<Caller, 'ip' | 'requestId'>
  params?: unknown
  body?: unknown
}

const textOf = (holder: unknown, key: string): string | undefined => {
  if (typeof holder !== 'object' || holder === null) return undefined
  const value: unknown = Reflect.get(holder, key)
  return typeof value === 'string' ? value : undefined
}

/** Records rejected attempts in the audit log, with actor, subject and reason [I17]. */
export function rejectionRecorder(action: StaffActionName, type: string) {
  const record = ({ db, deps, viewer, caller, params, body }: RejectedCall, error: unknown) =>
    recordRejection(
      db,
      deps,
      actorOf(viewer, caller),
      {
        action,
        subject: {
          type: textOf(params, 'kind') ?? type,
          id: textOf(params, 'id') ?? textOf(body, 'subject') ?? textOf(body, 'asset') ?? '',
        },
        reason: textOf(body, 'reason'),
      },
      error,
    )
  return { onRejection: record, onDenied: record }
}
