import { proposalSubjects } from '@tizara/contract/staff-changes'
import { sql } from 'kysely'
import type { Viewer } from '../../../http/calls/session-guard.ts'
import type { Db } from '../../../platform/db/database.ts'
import { depositsToDecide, depositsToReview } from '../../deposits/index.ts'
import { currentSettings } from '../../settings/index.ts'
import { waitingTickets } from '../../support/index.ts'
import { waitsForStaff } from '../../withdrawals/index.ts'
import { deciderOf } from './queues.queries.ts'
import { mayRole } from '../access/rights.ts'
import { isPendingAt } from '../proposals/proposal-status.ts'

interface Count {
  count: number
  forMe: number
  oldestAt: Date | null
}

/** Reads the pending work for all staff and for this person, with the oldest item and the target time in hours. */
export async function readWorkload(db: Db, now: Date, viewer: Pick<Viewer, 'memberId' | 'publicId' | 'email' | 'role'>) {
  const staffId = deciderOf(viewer)
  const subjects = proposalSubjects.filter((subject) => mayRole(viewer.role, `change.${subject}`))
  const [targets, payouts, changes, review, mine, tickets] = await Promise.all([
    currentSettings(db, now),
    sql<Count>`select count(*)::int as count, min(created_at) as "oldestAt",
        (count(*) filter (where ${staffId ?? null}::bigint is not null and member_id <> ${staffId ?? null}
          and first_approved_by is distinct from ${staffId ?? null}))::int as "forMe"
      from payout_request p where ${waitsForStaff}`.execute(db),
    sql<Count>`select count(*)::int as count, min(created_at) as "oldestAt",
        (count(*) filter (where proposed_by <> ${viewer.memberId} and subject = any(${subjects}::text[])
          and value->>'memberId' is distinct from ${viewer.publicId}
          and value->>'email' is distinct from ${viewer.email}))::int as "forMe"
      from staff_proposal where ${isPendingAt(now)}`.execute(db),
    depositsToReview(db),
    depositsToDecide(db, staffId),
    waitingTickets(db),
  ])
  const none: Count = { count: 0, forMe: 0, oldestAt: null }
  const answers = mayRole(viewer.role, 'answerTicket')
  return {
    payouts: { ...none, ...payouts.rows[0], targetHours: targets.payoutTargetHours },
    deposits: { count: Math.max(review, mine.forMe), ...mine, targetHours: targets.depositTargetHours },
    changes: { ...none, ...changes.rows[0], targetHours: targets.changeTargetHours },
    tickets: { ...tickets, forMe: answers ? tickets.count : 0, targetHours: targets.answerTargetHours },
  }
}
