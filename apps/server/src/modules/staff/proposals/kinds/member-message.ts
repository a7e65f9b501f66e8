import { messageValue } from '@tizara/contract/staff-values'
import { startJob } from '../../../../jobs/start-job.ts'
import { assertSegment, countSegment } from '../../segments/segment.queries.ts'
import { messageJob } from '../../segments/send-message.ts'
import { noCurrent, noMembers, proposalKind } from '../shared/proposal-kind.ts'
import { textOf } from '../shared/title-text.ts'

/** Number of members that the effect reads, newest first. Its cost therefore does not grow with the number of members. */
const COUNTED = 100_000

/** Sends a message to the active members of a segment. Two people decide, because a message can tell members what to do with their money. */
export const memberMessage = proposalKind({
  subject: 'message',
  value: messageValue,
  members: noMembers,
  current: noCurrent,
  baseline: 'all-fields',
  assertAllowed(_, __, { segment }) {
    assertSegment(segment)
    return Promise.resolve()
  },
  async apply(tx, deps, value, { proposer, approverId }) {
    const job = await startJob(tx, deps, messageJob, { ownerId: approverId ?? proposer.memberId, input: value })
    return { audit: [{ action: 'members.message', subject: { type: 'job', id: job }, detail: value }] }
  },
  title: ({ title, segment }) => `Message “${textOf(title)}” to ${isEmpty(segment) ? 'all active members' : 'a segment'}`,
  async effect(db, { segment }, { now }) {
    const count = await countSegment(db, { ...segment, state: 'active' }, { now, scan: COUNTED })
    return [{ label: `Active members of the segment, among the newest ${COUNTED.toLocaleString('en')}`, after: rounded(count) }]
  },
})

const isEmpty = (segment: unknown): boolean => Object.keys(segment ?? {}).length === 0

/** Rounds down to two digits. An approval fails if the effect has changed since it was shown, and the exact number changes often. */
function rounded(count: number): string {
  const step = 10 ** Math.max(0, String(count).length - 2)
  return step === 1 ? String(count) : `about ${(Math.floor(count / step) * step).toLocaleString('en')}`
}
