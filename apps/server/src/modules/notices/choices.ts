import { lockedNotices, type OptionalNotice, optionalNotices } from '@tizara/contract/notices'
import type { Db, Tx } from '../../platform/db/database.ts'
import { AppError } from '../../platform/runtime/app-error.ts'
import type { Deps } from '../../platform/runtime/deps.ts'
import { memberByPublicId } from '../members/index.ts'
import { readNoticeToken } from './notice-token.ts'

/** Reads a member's choice for every event with mails. */
export async function readChoices(db: Db, memberId: bigint) {
  const rows = await db.selectFrom('notification_opt_out').select('event').where('member_id', '=', memberId).execute()
  const off = new Set(rows.map((row) => row.event))
  return [
    ...optionalNotices.map((event) => ({ event, on: !off.has(event), locked: false })),
    ...lockedNotices.map((event) => ({ event, on: true, locked: true })),
  ]
}

/** Switches mails about an event on or off, and drops waiting ones. */
export async function choose(tx: Tx, at: Date, memberId: bigint, { event, on }: { event: OptionalNotice; on: boolean }): Promise<void> {
  if (on) {
    await tx.deleteFrom('notification_opt_out').where('member_id', '=', memberId).where('event', '=', event).execute()
    return
  }
  await tx
    .insertInto('notification_opt_out')
    .values({ member_id: memberId, event, since: at })
    .onConflict((one) => one.doNothing())
    .execute()
  await tx.deleteFrom('notification_event').where('member_id', '=', memberId).where('event', '=', event).execute()
  await tx.deleteFrom('notice').where('member_id', '=', memberId).where('event', '=', event).where('mailed_at', 'is', null).execute()
}

/**
 * Switches off the mails of a token. A repeated call changes nothing.
 * @throws AppError NOT_FOUND for an invalid token
 */
export async function unsubscribe(tx: Tx, deps: Deps, token: string): Promise<void> {
  const about = readNoticeToken(deps, token)
  const member = about && (await memberByPublicId(tx, about.id))
  if (member === undefined) throw new AppError('NOT_FOUND')
  for (const event of about?.events ?? []) await choose(tx, deps.clock.now(), member.id, { event, on: false })
}
