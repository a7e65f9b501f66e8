import { AppError } from '../../../platform/runtime/app-error.ts'
import { DAY_MS, HOUR_MS } from '../../../platform/runtime/clock.ts'
import type { StaffRight } from './rights.ts'

/** Length of a suspension. The suspender makes no decisions for as long. */
export const SUSPENSION_MS = HOUR_MS

/** Period in ms in which a staff member may suspend only one colleague without a second person. */
const SUSPENDER_LIMIT_MS = DAY_MS

/** Period in ms after a suspension in which suspending the same person again needs two people. */
const REPEAT_MS = 7 * DAY_MS

/**
 * Rights that a suspender keeps: to stop something, to answer members, and to read. All other rights are suspended too, also new ones, so
 * that a stolen account cannot suspend a colleague and then decide.
 */
const KEPT_BY_SUSPENDER: ReadonlySet<StaffRight> = new Set([
  'pausePlatform',
  'takeIncident',
  'announcePresence',
  'answerTicket',
  'assignTicket',
  'closeTicketAsStaff',
  'tagTicket',
  'noteOnTicket',
  'noteOnMember',
  'openCase',
  'takeCase',
  'revealMember',
  'revealRequestAddress',
  'openTicketImage',
  'previewRewardDay',
  'simulateProgramme',
  'previewMail',
])

/** The suspension columns of a staff member's row. */
interface SuspensionRow {
  suspended_until: Date | null
  suspended_colleague_at: Date | null
}

/** Returns true if the person's rights are suspended at a moment. */
export const isSuspended = ({ suspended_until: until }: Pick<SuspensionRow, 'suspended_until'>, now: Date): boolean =>
  until !== null && until > now

/**
 * Rejects a suspended person, and a decision by a person who suspended a colleague within the last hour.
 * @throws AppError STAFF_SUSPENDED, SUSPENDER_WAITS
 */
export function assertNotSuspended(row: SuspensionRow, right: StaffRight, now: Date): void {
  if (row.suspended_until !== null && row.suspended_until > now)
    throw new AppError('STAFF_SUSPENDED', { at: row.suspended_until.toISOString() })
  if (row.suspended_colleague_at === null || KEPT_BY_SUSPENDER.has(right)) return
  const end = new Date(row.suspended_colleague_at.getTime() + SUSPENSION_MS)
  if (end > now) throw new AppError('SUSPENDER_WAITS', { at: end.toISOString() })
}

/** Returns true if another suspension of this person requires two people, because the last suspension is recent. */
export const isRepeat = ({ suspended_until: until }: Pick<SuspensionRow, 'suspended_until'>, now: Date): boolean =>
  until !== null && until.getTime() + REPEAT_MS > now.getTime()

/**
 * Rejects a second suspension by the same person within 24 hours.
 * @throws AppError SUSPENSION_LIMIT
 */
export function assertMaySuspend({ suspended_colleague_at: last }: Pick<SuspensionRow, 'suspended_colleague_at'>, now: Date): void {
  if (last !== null && last.getTime() + SUSPENDER_LIMIT_MS > now.getTime()) throw new AppError('SUSPENSION_LIMIT')
}
