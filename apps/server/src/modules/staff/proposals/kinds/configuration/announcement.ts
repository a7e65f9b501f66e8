import { popupValue } from '@tizara/contract/staff-values'
import type { Db } from '../../../../../platform/db/database.ts'
import { currentAnnouncement, publishAnnouncement, scheduleAnnouncements } from '../../../../announcements/index.ts'
import { noMembers, proposalKind } from '../../shared/proposal-kind.ts'
import { textOf } from '../../shared/title-text.ts'

/** Reads the announcement at a moment, with the fields that the console's page Catalogue shows; null if there is none. */
export async function announcementValues(db: Db, at: Date) {
  const found = await currentAnnouncement(db, at)
  return found === null ? null : { title: found.title, message: found.message, isActive: found.isActive }
}

/** Sets the announcement shown after sign-in. */
export const announcement = proposalKind({
  subject: 'popup',
  value: popupValue,
  members: noMembers,
  current: (db, _, __, at) => announcementValues(db, at),
  baseline: 'all-fields',
  async apply(tx, { clock }, value, { proposer, approverId }) {
    await publishAnnouncement(tx, { ...value, decidedBy: approverId ?? proposer.memberId, at: clock.now() })
    return {}
  },
  scheduling: {
    topic: 'popup',
    schedule: (tx, { clock }, _, steps) =>
      scheduleAnnouncements(
        tx,
        clock.now(),
        steps.map(({ value, startsAt, decidedBy }) => ({ ...value, startsAt, decidedBy })),
      ),
  },
  title: (value) => (value['isActive'] === true ? `“${textOf(value['title'])}”` : 'No announcement'),
  effect: (_, { isActive }) => Promise.resolve([{ label: 'Members see it', after: isActive ? 'after they sign in' : 'no longer' }]),
})
