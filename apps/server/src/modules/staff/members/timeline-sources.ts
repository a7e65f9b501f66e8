import type { TimelineKind } from '@tizara/contract/staff-member-pages'
import { sql } from 'kysely'
import type { Db } from '../../../platform/db/database.ts'
import { deedsAbout, deedsAboutMany, deedsOf } from '../../audit/index.ts'
import { type Member } from '../../members/index.ts'
import { listTicketsOf } from '../../support/index.ts'
import { ownDeed } from '../audit-log/own-deeds.ts'
import { staffDeed } from '../audit-log/staff-deeds.ts'
import { movements } from './timeline-money.ts'
import type { Entry, Slice } from './timeline.types.ts'

interface Source {
  letter: string
  kinds: readonly TimelineKind[]
  rows(db: Db, member: Member, slice: Slice): Promise<Entry[]>
}

/** Maximum payouts whose decisions appear, per kind. */
const PAYOUTS_TOLD = 200

async function ownDeeds(db: Db, member: Member, slice: Slice): Promise<Entry[]> {
  const rows = await deedsOf(db, member.id, slice)
  return rows.map(({ id, at, ip, ...deed }) => ({
    position: id,
    at,
    kind: 'session',
    text: ownDeed(deed),
    ...(ip === null ? {} : { detail: `from ${ip}` }),
    href: `/staff/members/${member.public_id}/sessions`,
  }))
}

async function tickets(db: Db, member: Member, slice: Slice): Promise<Entry[]> {
  const rows = await listTicketsOf(db, member.id, slice)
  return rows.map((row) => ({
    position: row.id,
    at: row.created_at,
    kind: 'ticket',
    text: `Ticket ${row.id}, “${row.title}”`,
    detail: row.status === 'CLOSED' ? 'closed' : row.awaits_staff ? 'waits for an answer' : 'answered',
    href: `/staff/tickets/${row.public_id}`,
  }))
}

async function deedsOnMember(db: Db, member: Member, slice: Slice): Promise<Entry[]> {
  const rows = await deedsAbout(db, { type: 'member', id: member.public_id }, slice)
  return rows.map((row) => ({
    position: row.id,
    at: row.at,
    kind: 'staff',
    text: staffDeed(row),
    ...(row.reason === null || row.reason === '' ? {} : { detail: `“${row.reason}”` }),
    ...(row.actor_id === null ? {} : { by: row.actor_id }),
  }))
}

async function decisions(db: Db, member: Member, { before, limit }: Slice): Promise<Entry[]> {
  const { rows } = await sql<{ kind: string; request: string }>`
    (select 'withdrawals' as kind, public_id as request from payout_request
      where member_id = ${member.id} and kind = 'withdrawal' order by id desc limit ${PAYOUTS_TOLD})
    union all
    (select 'bridges', public_id from payout_request where member_id = ${member.id} and kind = 'bridge' order by id desc limit ${PAYOUTS_TOLD})`.execute(
    db,
  )
  const found = await deedsAboutMany(
    db,
    rows.map((row) => ({ type: row.kind, id: row.request })),
    { before, limit },
  )
  return found.map(({ id, at, reason, actor_id: actor, subject_id: request, ...deed }) => ({
    position: id,
    at,
    kind: 'staff',
    text: staffDeed(deed),
    ...(reason === null || reason === '' ? {} : { detail: `“${reason}”` }),
    ...(actor === null ? {} : { by: actor }),
    href: `/staff/payouts/${request}`,
  }))
}

async function warnings(db: Db, member: Member, { before, limit }: Slice): Promise<Entry[]> {
  let found = db.selectFrom('shared_trace').selectAll().where('member_id', '=', member.id)
  if (before !== undefined) found = found.where('id', '<', before)
  const rows = await found.orderBy('id', 'desc').limit(limit).execute()
  return rows.map((row) => ({
    position: row.id,
    at: row.first_seen_at,
    kind: 'flag',
    text: `Looks like somebody of level ${row.level} above`,
    detail: [
      row.same_address && 'same internet address',
      row.same_device && 'same browser',
      row.same_payout_address && 'same payout address',
    ]
      .filter((word) => word !== false)
      .join(', '),
    href: `/staff/shared-traces?member=${member.public_id}`,
  }))
}

/** Timeline sources. Each letter appears in URLs, so its meaning must not change. */
export const sources: readonly Source[] = [
  { letter: 'm', kinds: ['money', 'reward'], rows: movements },
  { letter: 's', kinds: ['session'], rows: ownDeeds },
  { letter: 'k', kinds: ['ticket'], rows: tickets },
  { letter: 'a', kinds: ['staff'], rows: deedsOnMember },
  { letter: 'p', kinds: ['staff'], rows: decisions },
  { letter: 'f', kinds: ['flag'], rows: warnings },
]
