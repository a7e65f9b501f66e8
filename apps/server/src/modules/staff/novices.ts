import { AppError } from '../../platform/app-error.ts'
import { DAY_MS } from '../../platform/clock.ts'
import type { Db } from '../../platform/database.ts'
import { hadMembers, membersById, newestDeedTo } from '../members/index.ts'

/** What an admin who is the only one notes about a role that nobody else agreed to. */
export const GRANTED_ALONE = 'role.grant'

/** How long it takes until whoever was put on the staff by one person alone decides about money and changes. */
const NOVICE_MS = 3 * DAY_MS

/**
 * Refuses a decision in which somebody takes part whom a sole admin has put on the staff lately, in a house that had members:
 * four eyes would be those of one person and accounts that this person made in a minute. The mail to everybody on the staff
 * (`grant-role.ts`) leaves that long to act.
 * @throws AppError FOUR_EYES
 */
export async function assertNoNovice(db: Db, now: Date, staffIds: readonly bigint[]): Promise<void> {
  const people = [...(await membersById(db, [...new Set(staffIds)])).values()]
  const ids = people.map((person) => person.public_id)
  const at = await newestDeedTo(db, { memberIds: ids, action: `staff.${GRANTED_ALONE}`, since: new Date(now.getTime() - NOVICE_MS) })
  if (at !== undefined && (await hadMembers(db, at))) throw new AppError('FOUR_EYES')
}
