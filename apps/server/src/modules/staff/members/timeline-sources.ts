import type { TimelineKind } from '@tizara/contract/staff-member-pages'
import { sql } from 'kysely'
import type { Db } from '../../../platform/db/database.ts'
import { listStaffActionsOn, listStaffActionsOnMany, listActionsBy } from '../../audit/index.ts'
import { type Member } from '../../members/index.ts'
import { listTicketsOf } from '../../support/index.ts'
import { describeMemberAction } from '../audit-log/describe-member-action.ts'
import { describeStaffAction } from '../access/describe-staff-action.ts'
import { movements } from './timeline-money.ts'
import type { TimelineRow, TimelinePage } from './timeline.types.ts'

interface Source {
  letter: string
  kinds: readonly TimelineKind[]
  rows(db: Db, member: Member, page: TimelinePage): Promise<TimelineRow[]>
}

/** Maximum number of payouts whose decisions are shown, per kind. */
const MAX_PAYOUTS = 200

async function memberActions(db: Db, member: Member, page: TimelinePage): Promise<TimelineRow[]> {
  const rows = await listActionsBy(db, member.id, page)
  return rows.map(({ id, at, ip, ...action }) => ({
    position: id,
    at,
    kind: 'session',
    text: describeMemberAction(action),
    ...(ip === null ? {} : { detail: `from ${ip}` }),
    href: `/staff/members/${member.public_id}/sessions`,
  }))
}

async function tickets(db: Db, member: Member, page: TimelinePage): Promise<TimelineRow[]> {
  const rows = await listTicketsOf(db, member.id, page)
  return rows.map((row) => ({
    position: row.id,
    at: row.created_at,
    kind: 'ticket',
    text: `Ticket ${row.id}, “${row.title}”`,
    detail: row.status === 'CLOSED' ? 'closed' : row.awaits_staff ? 'awaits an answer' : 'answered',
    href: `/staff/tickets/${row.public_id}`,
  }))
}

async function staffActionsOnMember(db: Db, member: Member, page: TimelinePage): Promise<TimelineRow[]> {
  const rows = await listStaffActionsOn(db, { type: 'member', id: member.public_id }, page)
  return rows.map((row) => ({
    position: row.id,
    at: row.at,
    kind: 'staff',
    text: describeStaffAction(row),
    ...(row.reason === null || row.reason === '' ? {} : { detail: `“${row.reason}”` }),
    ...(row.actor_id === null ? {} : { by: row.actor_id }),
  }))
}

async function decisions(db: Db, member: Member, { before, limit }: TimelinePage): Promise<TimelineRow[]> {
  const { rows } = await sql<{ kind: string; request: string }>`
    (select 'withdrawals' as kind, public_id as request from payout_request
      where member_id = ${member.id} and kind = 'withdrawal' order by id desc limit ${MAX_PAYOUTS})
    union all
    (select 'bridges', public_id from payout_request where member_id = ${member.id} and kind = 'bridge' order by id desc limit ${MAX_PAYOUTS})`.execute(
    db,
  )
  const found = await listStaffActionsOnMany(
    db,
    rows.map((row) => ({ type: row.kind, id: row.request })),
    { before, limit },
  )
  return found.map(({ id, at, reason, actor_id: actor, subject_id: request, ...action }) => ({
    position: id,
    at,
    kind: 'staff',
    text: describeStaffAction(action),
    ...(reason === null || reason === '' ? {} : { detail: `“${reason}”` }),
    ...(actor === null ? {} : { by: actor }),
    href: `/staff/payouts/${request}`,
  }))
}

async function warnings(db: Db, member: Member, { before, limit }: TimelinePage): Promise<TimelineRow[]> {
  let found = db.selectFrom('linked_account').selectAll().where('member_id', '=', member.id)
  if (before !== undefined) found = found.where('id', '<', before)
  const rows = await found.orderBy('id', 'desc').limit(limit).execute()
  return rows.map((row) => ({
    position: row.id,
    at: row.first_seen_at,
    kind: 'flag',
    text: `Linked to an upline of level ${row.level}`,
    detail: [row.same_address && 'same IP address', row.same_device && 'same browser', row.same_payout_address && 'same payout address']
      .filter((word) => word !== false)
      .join(', '),
    href: `/staff/linked-accounts?member=${member.public_id}`,
  }))
}

/** Timeline sources. Each letter appears in URLs, so its meaning must not change. */
export const sources: readonly Source[] = [
  { letter: 'm', kinds: ['money', 'reward'], rows: movements },
  { letter: 's', kinds: ['session'], rows: memberActions },
  { letter: 'k', kinds: ['ticket'], rows: tickets },
  { letter: 'a', kinds: ['staff'], rows: staffActionsOnMember },
  { letter: 'p', kinds: ['staff'], rows: decisions },
  { letter: 'f', kinds: ['flag'], rows: warnings },
]
