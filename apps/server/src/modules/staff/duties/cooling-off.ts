import { AppError } from '../../../platform/runtime/app-error.ts'
import { DAY_MS } from '../../../platform/runtime/clock.ts'
import type { Db } from '../../../platform/db/database.ts'
import { lastActionTime, listActionTimes } from '../../audit/index.ts'
import { hadMembers, membersById } from '../../members/index.ts'

/** Audit action for a role granted by a sole admin. */
export const SOLO_GRANT = 'role.grant' as const

/** Audit action for a role revoked by a sole admin. */
export const SOLO_REVOCATION = 'role.take' as const

/** Time before a person added by a sole admin may decide about money and proposals. */
const COOLING_OFF_MS = 3 * DAY_MS

/**
 * Returns true for a person added by a sole admin within the cooling-off period, once the platform has members. Otherwise one admin could
 * create a second account and act as both people. All staff get a mail about the new role, so that they can act during this period. If the
 * sole admin revokes a role meanwhile, the period restarts, because fewer staff can act.
 */
export async function isCoolingOff(db: Db, now: Date, staffIds: readonly bigint[]): Promise<boolean> {
  const people = [...(await membersById(db, [...new Set(staffIds)])).values()]
  const ids = people.map((person) => person.public_id)
  const granted = await lastActionTime(db, { memberIds: ids, action: `staff.${SOLO_GRANT}`, since: new Date(0) })
  if (granted === undefined) return false
  let start = granted
  for (const actedAt of await listActionTimes(db, { action: `staff.${SOLO_REVOCATION}`, after: granted }))
    if (actedAt.getTime() < start.getTime() + COOLING_OFF_MS) start = actedAt
  return now.getTime() < start.getTime() + COOLING_OFF_MS && (await hadMembers(db, start))
}

/**
 * Rejects a decision by a person in the cooling-off period.
 * @throws AppError FOUR_EYES
 */
export async function assertCoolingOffOver(db: Db, now: Date, staffIds: readonly bigint[]): Promise<void> {
  if (await isCoolingOff(db, now, staffIds)) throw new AppError('FOUR_EYES')
}
