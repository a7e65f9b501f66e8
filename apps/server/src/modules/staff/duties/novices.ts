import { AppError } from '../../../platform/runtime/app-error.ts'
import { DAY_MS } from '../../../platform/runtime/clock.ts'
import type { Db } from '../../../platform/db/database.ts'
import { newestDeedTo, timesOf } from '../../audit/index.ts'
import { hadMembers, membersById } from '../../members/index.ts'

/** Audit action of a role that a sole admin gave without a second person. */
export const GRANTED_ALONE = 'role.grant'

/** Audit action of a role that a sole admin took away without a second person. */
export const TAKEN_ALONE = 'role.take'

/** Waiting period before a person whom one admin alone put on the staff decides about money and changes. */
const WAIT_MS = 3 * DAY_MS

/**
 * Refuses a decision in which a person takes part whom a sole admin has put on the staff lately, in a house that had members:
 * four eyes would be those of one person and accounts that this person made in a minute. The mail to everybody on the staff
 * (`grant-role.ts`) leaves that long to act. The period begins again when the sole admin takes a role away meanwhile, as the
 * colleagues who could have acted are fewer.
 * @throws AppError FOUR_EYES
 */
export async function assertNoNovice(db: Db, now: Date, staffIds: readonly bigint[]): Promise<void> {
  const people = [...(await membersById(db, [...new Set(staffIds)])).values()]
  const ids = people.map((person) => person.public_id)
  const granted = await newestDeedTo(db, { memberIds: ids, action: `staff.${GRANTED_ALONE}`, since: new Date(0) })
  if (granted === undefined) return
  let begun = granted
  for (const taken of await timesOf(db, { action: `staff.${TAKEN_ALONE}`, after: granted }))
    if (taken.getTime() < begun.getTime() + WAIT_MS) begun = taken
  if (now.getTime() < begun.getTime() + WAIT_MS && (await hadMembers(db, begun))) throw new AppError('FOUR_EYES')
}
