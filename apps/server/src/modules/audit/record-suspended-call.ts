import type { SuspendedCall } from '../../http/calls/read-call.ts'
import type { AppError } from '../../platform/runtime/app-error.ts'
import { memberById } from '../members/index.ts'
import { recordHourly } from './record-hourly.ts'

/** Records a rejected call of a blocked member or a suspended staff member. It shows staff that the account is still in use [I17]. */
export async function recordSuspendedCall({ db, deps, viewer, route, caller }: SuspendedCall, error: AppError): Promise<void> {
  const { role = 'MEMBER' } = (await memberById(db, viewer.memberId)) ?? {}
  await recordHourly(db, {
    at: deps.clock.now(),
    actorId: viewer.memberId,
    actorRole: role,
    action: 'auth.suspended-call',
    subject: { type: 'member', id: viewer.publicId },
    outcome: error.code,
    detail: { call: route.name },
    ...caller,
  })
}
