import type { ReplyOf } from '@tizara/contract'
import { staffRoles, type staffMe } from '@tizara/contract/staff'
import type { Viewer } from '../../../http/calls/session-guard.ts'
import { AppError } from '../../../platform/runtime/app-error.ts'
import type { Db } from '../../../platform/db/database.ts'
import { sessionLimits } from '../../auth/index.ts'
import { membersById } from '../../members/index.ts'
import { personOf } from './person.ts'
import { rightsOf, rolesByRight } from './rights.ts'

/**
 * Reads the signed-in staff member and the member's rights, by which the console shows its controls.
 * @throws AppError STAFF_ONLY
 */
export async function readMe(db: Db, viewer: Viewer): Promise<ReplyOf<typeof staffMe>> {
  const role = staffRoles.find((one) => one === viewer.role)
  const [people, limits] = await Promise.all([membersById(db, [viewer.memberId]), sessionLimits(db, viewer.sessionId)])
  if (role === undefined || limits === undefined) throw new AppError('STAFF_ONLY')
  return { person: personOf(people.get(viewer.memberId)), role, rights: rightsOf(role), whoCan: rolesByRight(), ...limits }
}
