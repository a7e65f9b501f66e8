import { sql } from 'kysely'
import type { Db } from '../../platform/database.ts'
import { openFirst, type Slice } from '../../platform/paging.ts'
import { asTicket, ticketColumns } from './support.queries.ts'

interface Search {
  slice: Slice
  /** Only these; both, open ones first, when left out. */
  status?: 'OPEN' | 'CLOSED' | undefined
}

/** How many open tickets wait for an answer of staff. */
export async function ticketsThatWait(db: Db): Promise<number> {
  const waiting = db.selectFrom('ticket').where('status', '=', 'OPEN').where('awaits_staff', '=', true)
  return (await waiting.select(sql<number>`count(*)::int`.as('count')).executeTakeFirstOrThrow()).count
}

/** The same, with the one that waits longest. */
export async function waitingTickets(db: Db): Promise<{ count: number; oldestAt: Date | null }> {
  return db
    .selectFrom('ticket')
    .where('status', '=', 'OPEN')
    .where('awaits_staff', '=', true)
    .select([sql<number>`count(*)::int`.as('count'), sql<Date | null>`min(last_message_at)`.as('oldestAt')])
    .executeTakeFirstOrThrow()
}

/**
 * Tickets of all members: open ones first, those that wait for staff before the others and the longest wait before all;
 * then closed ones, newest first.
 */
export async function staffTicketQueue(db: Db, { slice, status }: Search) {
  const counts = await db
    .selectFrom('ticket')
    .select(['status', sql<number>`count(*)::int`.as('count')])
    .groupBy('status')
    .execute()
  const countOf = (one: 'OPEN' | 'CLOSED') =>
    status === undefined || status === one ? (counts.find((row) => row.status === one)?.count ?? 0) : 0
  const parts = openFirst(slice, countOf('OPEN'))
  const all = db
    .selectFrom('ticket')
    .innerJoin('member', 'member.id', 'ticket.member_id')
    .select([
      ...ticketColumns,
      'ticket.awaits_staff',
      'ticket.last_message_at',
      'member.email',
      'member.name',
      'member.public_id as member_public_id',
    ])
  const open = all.where('status', '=', 'OPEN').orderBy('awaits_staff', 'desc').orderBy('last_message_at').orderBy('ticket.id')
  const closed = all.where('status', '=', 'CLOSED').orderBy('ticket.id', 'desc')
  const rows = [
    ...(parts.open.limit === 0 ? [] : await open.limit(parts.open.limit).offset(parts.open.offset).execute()),
    ...(parts.done.limit === 0 || status === 'OPEN' ? [] : await closed.limit(parts.done.limit).offset(parts.done.offset).execute()),
  ]
  const data = rows.map((row) => ({
    ...asTicket(row),
    updates: [],
    awaitsStaff: row.awaits_staff,
    lastMessageAt: row.last_message_at,
    member: { id: row.member_public_id, name: row.name, email: row.email },
  }))
  return { data, meta: { total: countOf('OPEN') + countOf('CLOSED'), page: slice.page, limit: slice.limit } }
}
