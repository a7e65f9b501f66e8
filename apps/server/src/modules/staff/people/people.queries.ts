import type { ReplyOf } from '@tizara/contract'
import { staffRoles } from '@tizara/contract/staff'
import type { staffPeople } from '@tizara/contract/staff-platform'
import type { Db } from '../../../platform/db/database.ts'
import { liveSessionsOf, passkeyHolders } from '../../auth/index.ts'
import { staffMembers } from '../../members/index.ts'
import { omitUndefined } from '../access/omit-undefined.ts'
import { personOf } from '../access/person.ts'
import { reachedLimits } from '../access/personal-views.ts'
import { openStaffLinks } from '../duties/staff-links.ts'
import { rightsOf } from '../access/rights.ts'

/** Lists all staff with their sessions, and each role's rights. */
export async function readPeople(db: Db, now: Date): Promise<ReplyOf<typeof staffPeople>> {
  const people = await staffMembers(db)
  const ids = people.map((one) => one.id)
  const links = await openStaffLinks(db)
  const byId = new Map(people.map((one) => [one.id, one]))
  const [sessions, holders, limits] = await Promise.all([liveSessionsOf(db, ids, now), passkeyHolders(db, ids), reachedLimits(db, now)])
  const limitTimes = new Map(limits.map(({ memberId, at }) => [memberId, at]))
  const [SUPPORT, FINANCE, ADMIN, AUDITOR] = staffRoles.map(rightsOf) as [string[], string[], string[], string[]]
  return {
    people: people.flatMap((one) => {
      const role = staffRoles.find((name) => name === one.role)
      const personSessions = sessions.filter((session) => session.memberId === one.id)
      if (role === undefined) return []
      return [
        {
          person: personOf(one),
          role,
          isActive: one.is_active,
          ...(one.suspended_until !== null && one.suspended_until > now ? { suspendedUntil: one.suspended_until } : {}),
          ...omitUndefined({ viewLimitAt: limitTimes.get(one.id) }),
          factor: one.second_factor ? ('app' as const) : ('none' as const),
          passkey: holders.has(one.id),
          sessions: personSessions.length,
          lastSeenAt: personSessions.reduce<Date | null>(
            (last, { lastSeenAt }) => (last === null || lastSeenAt > last ? lastSeenAt : last),
            null,
          ),
        },
      ]
    }),
    ...(links.length === 0
      ? {}
      : {
          links: links.map((link) => ({
            one: personOf(byId.get(link.oneId)),
            other: personOf(byId.get(link.otherId)),
            foundAt: link.foundAt,
          })),
        }),
    rights: { SUPPORT, FINANCE, ADMIN, AUDITOR },
  }
}
