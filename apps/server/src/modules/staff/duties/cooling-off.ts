import { AppError } from '../../../platform/runtime/app-error.ts'
import { DAY_MS } from '../../../platform/runtime/clock.ts'
import type { Db } from '../../../platform/db/database.ts'
import { newestDeedTo, timesOf } from '../../audit/index.ts'
import { hadMembers, membersById } from '../../members/index.ts'

/** Audit action of a role that a sole admin granted without a second person. */
export const GRANTED_ALONE = 'role.grant'

/** Audit action of a role that a sole admin revoked without a second person. */
export const TAKEN_ALONE = 'role.take'

/** Time before a person whom one admin alone put on the staff decides about money and proposals. */
const COOLING_OFF_MS = 3 * DAY_MS

/**
 * Rejects a decision by a person whom a sole admin put on the staff within the cooling-off period, once the platform has
 * members. Otherwise one person could be both: an admin and an account that this admin created a minute ago. All staff get
 * a mail about the grant and have this time to act. A role that the sole admin revokes meanwhile restarts the period,
 * because fewer colleagues can act.
 * @throws AppError FOUR_EYES
 */
export async function assertCoolingOffOver(db: Db, now: Date, staffIds: readonly bigint[]): Promise<void> {
  const people = [...(await membersById(db, [...new Set(staffIds)])).values()]
  const ids = people.map((person) => person.public_id)
  const granted = await newestDeedTo(db, { memberIds: ids, action: `staff.${GRANTED_ALONE}`, since: new Date(0) })
  if (granted === undefined) return
  let begun = granted
  for (const taken of await timesOf(db, { action: `staff.${TAKEN_ALONE}`, after: granted }))
    if (taken.getTime() < begun.getTime() + COOLING_OFF_MS) begun = taken
  if (now.getTime() < begun.getTime() + COOLING_OFF_MS && (await hadMembers(db, begun))) throw new AppError('FOUR_EYES')
}
