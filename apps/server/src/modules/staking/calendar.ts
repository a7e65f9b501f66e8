import { mailLanguage } from '../../gateways/mailer/index.ts'
import { digest } from '../../platform/runtime/ids.ts'
import { AppError } from '../../platform/runtime/app-error.ts'
import type { Db, Tx } from '../../platform/db/database.ts'
import type { Deps } from '../../platform/runtime/deps.ts'
import { calendarText } from './calendar.rules.ts'
import { upcomingByDay } from './upcoming.queries.ts'

const FEED_DAYS = 366

/** Creates a private calendar address. The previous one becomes invalid. */
export async function renewCalendarLink(tx: Tx, deps: Deps, memberId: bigint): Promise<{ url: string }> {
  const token = deps.ids.secret()
  const row = { token_digest: digest(token), created_at: deps.clock.now() }
  await tx
    .insertInto('calendar_link')
    .values({ member_id: memberId, ...row })
    .onConflict((conflict) => conflict.column('member_id').doUpdateSet(row))
    .execute()
  return { url: `${deps.config.publicUrl}/api/v1/staking/calendar.ics?token=${token}` }
}

/** Revokes the private calendar addresses of all members. */
export async function revokeCalendarLinks(tx: Tx): Promise<void> {
  await tx.deleteFrom('calendar_link').execute()
}

/**
 * Reads the calendar for a private address.
 * @throws AppError NOT_FOUND for an invalid or revoked address
 */
export async function readCalendar(db: Db, deps: Deps, token: string): Promise<string> {
  const link = await db
    .selectFrom('calendar_link')
    .innerJoin('member', 'member.id', 'calendar_link.member_id')
    .select(['calendar_link.member_id', 'member.language'])
    .where('token_digest', '=', digest(token))
    .where('member.is_active', '=', true)
    .executeTakeFirst()
  if (link === undefined) throw new AppError('NOT_FOUND')
  const now = deps.clock.now()
  const days = await upcomingByDay(db, link.member_id, now, FEED_DAYS)
  return calendarText(days, {
    now,
    name: deps.config.brand.name,
    token: deps.config.tokenSymbol,
    t: mailLanguage(deps.config, link.language).t,
  })
}
