import { lockedNotices, type OptionalNotice, optionalNotices } from '@tizara/contract/notices'
import type { Db, Tx } from '../../platform/db/database.ts'
import { AppError } from '../../platform/runtime/app-error.ts'
import type { Deps } from '../../platform/runtime/deps.ts'
import { memberByPublicId } from '../members/index.ts'
import { readNoticeToken } from './notice-token.ts'

/** Every event of which there are mails, and whether the member gets them. */
export async function readChoices(db: Db, memberId: bigint) {
  const rows = await db.selectFrom('notice_off').select('event').where('member_id', '=', memberId).execute()
  const off = new Set(rows.map((row) => row.event))
  return [
    ...optionalNotices.map((event) => ({ event, on: !off.has(event), locked: false })),
    ...lockedNotices.map((event) => ({ event, on: true, locked: true })),
  ]
}

/** Switches mails about an event on or off; what waits to be sent of it is dropped with it. */
export async function choose(tx: Tx, at: Date, memberId: bigint, { event, on }: { event: OptionalNotice; on: boolean }): Promise<void> {
  if (on) {
    await tx.deleteFrom('notice_off').where('member_id', '=', memberId).where('event', '=', event).execute()
    return
  }
  await tx
    .insertInto('notice_off')
    .values({ member_id: memberId, event, since: at })
    .onConflict((one) => one.doNothing())
    .execute()
  await tx.deleteFrom('notice_news').where('member_id', '=', memberId).where('event', '=', event).execute()
  await tx.deleteFrom('notice').where('member_id', '=', memberId).where('event', '=', event).where('mailed_at', 'is', null).execute()
}

/**
 * Switches off what a mail's token names; a second click changes nothing.
 * @throws AppError NOT_FOUND for a token that is none of ours
 */
export async function unsubscribe(tx: Tx, deps: Deps, token: string): Promise<void> {
  const about = readNoticeToken(deps, token)
  const member = about && (await memberByPublicId(tx, about.id))
  if (member === undefined) throw new AppError('NOT_FOUND')
  for (const event of about?.events ?? []) await choose(tx, deps.clock.now(), member.id, { event, on: false })
}
