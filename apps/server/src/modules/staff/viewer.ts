import type { Caller } from '../../http/bind-route.ts'
import type { Viewer } from '../../http/session-guard.ts'
import { AppError } from '../../platform/app-error.ts'
import type { StaffActor, StaffRight } from './actor.ts'

/**
 * Refuses a reader without the right, as if the call did not exist.
 * @param viewer whose session it is
 * @param right what the call asks for
 * @throws AppError STAFF_ONLY
 */
export function assertReader(viewer: Viewer, right: StaffRight): void {
  if (viewer.role === 'MEMBER' || (right === 'ADMIN' && viewer.role !== 'ADMIN')) throw new AppError('STAFF_ONLY')
}

/**
 * The member of staff behind a session.
 * @param viewer whose session it is
 * @param caller where the call comes from
 * @throws AppError STAFF_ONLY for a member
 */
export function actorOf(viewer: Viewer, caller: Pick<Caller, 'ip' | 'requestId'>): StaffActor {
  if (viewer.role === 'MEMBER') throw new AppError('STAFF_ONLY')
  return { memberId: viewer.memberId, role: viewer.role, ip: caller.ip, requestId: caller.requestId }
}
