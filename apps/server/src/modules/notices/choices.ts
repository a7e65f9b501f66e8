import { defaultVia, lockedNotices, type NoticeKind, type NoticeVia, optionalNotices } from '@tizara/contract/notices'
import type { Db, Tx } from '../../platform/db/database.ts'
import { AppError } from '../../platform/runtime/app-error.ts'
import type { Deps } from '../../platform/runtime/deps.ts'
import { memberByPublicId } from '../members/index.ts'
import { readNoticeToken } from './notice-token.ts'

/** Reads a member's choice for every kind of event. */
export async function readChoices(db: Db, memberId: bigint) {
  const rows = await db.selectFrom('notification_choice').select(['event', 'via']).where('member_id', '=', memberId).execute()
  const chosen = new Map(rows.map(({ event, via }) => [event, via as NoticeVia]))
  const entry = (locked: boolean) => (event: NoticeKind) => ({ event, via: chosen.get(event) ?? defaultVia(event), locked })
  return [...optionalNotices.map(entry(false)), ...lockedNotices.map(entry(true))]
}

/** Stores a member's channels for one kind of event, and cancels waiting mails that are now switched off. */
export async function choose(tx: Tx, at: Date, memberId: bigint, { event, via }: { event: NoticeKind; via: NoticeVia }): Promise<void> {
  await tx
    .insertInto('notification_choice')
    .values({ member_id: memberId, event, via, since: at })
    .onConflict((conflict) => conflict.columns(['member_id', 'event']).doUpdateSet({ via, since: at }))
    .execute()
  if (via !== 'inbox') return
  await tx
    .updateTable('notice')
    .set({ awaits_mail: false })
    .where('member_id', '=', memberId)
    .where('event', '=', event)
    .where('awaits_mail', '=', true)
    .execute()
}

/**
 * Switches off the mails that a token names. The inbox shows these notifications from now on. A repeated call changes nothing.
 * @throws AppError NOT_FOUND for an invalid token
 */
export async function unsubscribe(tx: Tx, deps: Deps, token: string): Promise<void> {
  const about = readNoticeToken(deps, token)
  const member = about && (await memberByPublicId(tx, about.id))
  if (member === undefined) throw new AppError('NOT_FOUND')
  for (const event of about?.events ?? []) await choose(tx, deps.clock.now(), member.id, { event, via: 'inbox' })
}
