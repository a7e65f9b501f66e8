import type { TicketView } from '@tizara/contract/staff-tickets'
import { type RawBuilder, sql } from 'kysely'
import { AppError } from '../../platform/runtime/app-error.ts'
import type { Db } from '../../platform/db/database.ts'
import { asMessage, asTicket, threadOf, type TicketRecord } from './support.queries.ts'

/** Maximum number of counted tickets. */
const MAX_COUNTED = 10_000

/** Ticket filter in the staff console. */
export interface TicketSearch {
  view: TicketView
  /** Staff member, for the view `mine`. */
  staffId: bigint
  assigneeId?: bigint | undefined
  tag?: string | undefined
  /** Public id in the last row shown. */
  before?: string | undefined
  limit: number
}

/** Returns the number of open tickets that wait for an answer of staff. */
export async function countWaitingTickets(db: Db): Promise<number> {
  return (await waitingTickets(db)).count
}

/** SQL for a version text of messages and waiting tickets. */
export const ticketWorkMark = sql<string>`(select concat(count(*), ' ', (select max(id) from ticket_message)) from ticket
  where status = 'OPEN' and awaits_staff)`

/** Returns the number of open tickets that wait for an answer of staff, and the time of the oldest. */
export async function waitingTickets(db: Db): Promise<{ count: number; oldestAt: Date | null }> {
  return db
    .selectFrom('ticket')
    .where('status', '=', 'OPEN')
    .where('awaits_staff', '=', true)
    .select([sql<number>`count(*)::int`.as('count'), sql<Date | null>`min(last_message_at)`.as('oldestAt')])
    .executeTakeFirstOrThrow()
}

/**
 * Counts the tickets since a given time that got a first answer, or were closed, within a number of hours. Tickets that can still get an
 * answer in time are excluded.
 */
export async function firstAnswers(db: Db, since: Date, now: Date, hours: number): Promise<{ inTime: number; of: number }> {
  const due = sql`created_at + make_interval(hours => ${hours}::int)`
  const { rows } = await sql<{ inTime: number; of: number }>`
    select (count(*) filter (where coalesce(first_answered_at, closed_at) <= ${due}))::int as "inTime",
      (count(*) filter (where coalesce(first_answered_at, closed_at) is not null or ${due} < ${now}))::int as of
    from ticket where created_at >= ${since}`.execute(db)
  return rows[0] ?? { inTime: 0, of: 0 }
}

/** Last row on a page. */
interface Bound {
  id: bigint
  last_message_at: Date
  closed_at: Date | null
}

interface View {
  rows: RawBuilder<unknown>
  order: RawBuilder<unknown>
  after(bound: Bound): RawBuilder<unknown>
}

const longestWait = (rows: RawBuilder<unknown>): View => ({
  rows,
  order: sql`t.last_message_at, t.id`,
  after: (bound) => sql`(t.last_message_at, t.id) > (${bound.last_message_at}, ${bound.id})`,
})

/** Views of the console. Each reads its own index in order. */
const VIEWS: Readonly<Record<TicketView, (staffId: bigint) => View>> = {
  waiting: () => longestWait(sql`t.status = 'OPEN' and t.awaits_staff`),
  mine: (staffId) => longestWait(sql`t.status = 'OPEN' and t.assignee_id = ${staffId}`),
  answered: () => ({
    rows: sql`t.status = 'OPEN' and not t.awaits_staff`,
    order: sql`t.last_message_at desc, t.id desc`,
    after: (bound) => sql`(t.last_message_at, t.id) < (${bound.last_message_at}, ${bound.id})`,
  }),
  closed: () => ({
    rows: sql`t.status = 'CLOSED'`,
    order: sql`t.closed_at desc, t.id desc`,
    after: (bound) => sql`(t.closed_at, t.id) < (${bound.closed_at}, ${bound.id})`,
  }),
}

interface Row extends TicketRecord {
  id: bigint
  member_id: bigint
  awaits_staff: boolean
  last_message_at: Date
  assignee_id: bigint | null
  tags: string[]
  last_role: string | null
}

const newestRole = sql`(select g.role from ticket_message g where g.ticket_id = t.id order by g.id desc limit 1) as last_role`

/** Converts a ticket to a console row. The caller adds the names. */
const asDeskRow = (row: Row) => ({
  memberId: row.member_id,
  assigneeId: row.assignee_id,
  ticket: {
    ...asTicket(row),
    number: Number(row.id),
    awaitsStaff: row.awaits_staff,
    ...(row.awaits_staff ? { waitingSince: row.last_message_at } : {}),
    lastMessageAt: row.last_message_at,
    lastFrom: row.last_role === null || row.last_role === 'USER' ? ('member' as const) : ('staff' as const),
    tags: row.tags,
  },
})

export async function staffTicketPage(db: Db, { view, staffId, assigneeId, tag, before, limit }: TicketSearch) {
  const { rows, order, after } = VIEWS[view](staffId)
  const all = sql`${rows}
    ${assigneeId === undefined ? sql`` : sql`and t.assignee_id = ${assigneeId}`}
    ${tag === undefined ? sql`` : sql`and t.tags @> array[${tag}]::text[]`}`
  const bound = before === undefined ? undefined : await boundOf(db, before)
  const from = bound === undefined ? sql`` : sql`and ${after(bound)}`
  const [found, counted] = await Promise.all([
    sql<Row>`select t.*, ${newestRole} from ticket t where ${all} ${from} order by ${order} limit ${limit}`.execute(db),
    sql<{ total: number }>`select count(*)::int as total from (select from ticket t where ${all} limit ${MAX_COUNTED}) counted`.execute(db),
  ])
  return { rows: found.rows.map(asDeskRow), total: counted.rows[0]?.total ?? 0 }
}

async function boundOf(db: Db, publicId: string): Promise<Bound> {
  const row = await db
    .selectFrom('ticket')
    .select(['id', 'last_message_at', 'closed_at'])
    .where('public_id', '=', publicId)
    .executeTakeFirst()
  if (row === undefined) throw new AppError('INVALID_INPUT', {}, [{ path: 'before', message: 'Not a row' }])
  return row
}

/**
 * Returns one ticket with its thread, for staff.
 * @throws AppError NOT_FOUND
 */
export async function ticketForStaff(db: Db, publicId: string, before?: string) {
  const found = await sql<Row>`select t.*, ${newestRole} from ticket t where t.public_id = ${publicId}`.execute(db)
  const [row] = found.rows
  if (row === undefined) throw new AppError('NOT_FOUND')
  const { messages, hasEarlier } = await threadOf(db, row.id, before)
  return {
    ...asDeskRow(row),
    id: row.id,
    messages: messages.map((message) => ({ authorId: message.author_id, message: asMessage(message) })),
    hasEarlier,
  }
}

/** Lists a member's tickets below a given id, newest first. */
export async function listTicketsOf(db: Db, memberId: bigint, { before, limit }: { before?: bigint | undefined; limit: number }) {
  let found = db
    .selectFrom('ticket')
    .select(['id', 'public_id', 'title', 'status', 'awaits_staff', 'created_at'])
    .where('member_id', '=', memberId)
  if (before !== undefined) found = found.where('id', '<', before)
  return found.orderBy('id', 'desc').limit(limit).execute()
}

/** Lists a member's tickets that await staff, oldest first. */
export async function waitingTicketsOf(db: Db, memberId: bigint, limit: number): Promise<{ id: string; title: string; since: Date }[]> {
  const rows = await db
    .selectFrom('ticket')
    .select(['public_id', 'title', 'last_message_at'])
    .where('member_id', '=', memberId)
    .where('status', '=', 'OPEN')
    .where('awaits_staff', '=', true)
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map((row) => ({ id: row.public_id, title: row.title, since: row.last_message_at }))
}

/** Finds tickets by id, and open tickets by member. */
export async function ticketsFound(
  db: Db,
  { memberIds, id, limit }: { memberIds: readonly bigint[]; id?: string | undefined; limit: number },
) {
  const { rows } = await sql<{ id: string; title: string; at: Date; name: string }>`
    select t.public_id as id, t.title, t.last_message_at as at, m.name from ticket t join member m on m.id = t.member_id
    where t.id in (select id from ticket where public_id = ${id ?? ''}
      union select id from ticket where member_id = any (${memberIds}::bigint[]) and status = 'OPEN') order by t.id desc limit ${limit}`.execute(
    db,
  )
  return rows
}
