import type { ListQuery } from '@tizara/contract'
import { THREAD_PAGE } from '@tizara/contract/support'
import { AppError } from '../../platform/app-error.ts'
import type { Db } from '../../platform/database.ts'
import { readHistory } from '../members/index.ts'
import { tickets } from './history.ts'

/** Where a picture is read (with the session's token, so it is no plain link). */
const imageUrl = (id: string | null) => (id === null ? null : `/ticket-images/${id}`)

interface TicketRecord {
  id: bigint
  public_id: string
  title: string
  description: string
  image_id: string | null
  status: string
  created_at: Date
}

/** A ticket's row as the wire shows it, without its messages. */
export const asTicket = (row: TicketRecord) => ({
  id: row.public_id,
  title: row.title,
  description: row.description,
  image: imageUrl(row.image_id),
  status: row.status,
  createdAt: row.created_at,
})

/** Columns of a ticket's row, for queries that join other tables. */
export const ticketColumns = [
  'ticket.id',
  'ticket.public_id',
  'ticket.title',
  'ticket.description',
  'ticket.image_id',
  'ticket.status',
  'ticket.created_at',
] as const

const columns = ['id', 'public_id', 'title', 'description', 'image_id', 'status', 'created_at'] as const

/** A member's tickets, newest first (API-89). The thread is read with the ticket itself, not with the list. */
export async function listTickets(db: Db, memberId: bigint, query: ListQuery) {
  const { rows, meta } = await readHistory(db, tickets, memberId, query)
  return { data: rows.map((row) => ({ ...asTicket(row), updates: [] })), meta }
}

/** The newest messages of a thread, or those before one of it, oldest first. */
async function threadOf(db: Db, ticketId: bigint, before: string | undefined) {
  let messages = db
    .selectFrom('ticket_message')
    .select(['id', 'message', 'image_id', 'role', 'created_at'])
    .where('ticket_id', '=', ticketId)
  if (before !== undefined) messages = messages.where('id', '<', BigInt(before))
  const newest = await messages
    .orderBy('id', 'desc')
    .limit(THREAD_PAGE + 1)
    .execute()
  const updates = newest
    .slice(0, THREAD_PAGE)
    .toReversed()
    .map((row) => ({
      id: String(row.id),
      message: row.message,
      image: imageUrl(row.image_id),
      role: row.role,
      createdAt: row.created_at,
    }))
  return newest.length > THREAD_PAGE ? { updates, earlier: true } : { updates }
}

/**
 * One ticket with its thread (API-90).
 * @throws AppError NOT_FOUND for an unknown or foreign ticket
 */
export async function readTicket(db: Db, ticketId: string, memberId: bigint, before?: string) {
  const row = await db
    .selectFrom('ticket')
    .select([...columns, 'member_id'])
    .where('public_id', '=', ticketId)
    .executeTakeFirst()
  if (row === undefined || row.member_id !== memberId) throw new AppError('NOT_FOUND')
  return { ...asTicket(row), ...(await threadOf(db, row.id, before)) }
}

/**
 * One ticket for staff: with its thread and the member who wrote it.
 * @throws AppError NOT_FOUND
 */
export async function ticketForStaff(db: Db, ticketId: string, before?: string) {
  const row = await db
    .selectFrom('ticket')
    .innerJoin('member', 'member.id', 'ticket.member_id')
    .select([
      'ticket.id',
      'ticket.public_id',
      'title',
      'description',
      'image_id',
      'status',
      'ticket.created_at',
      'email',
      'name',
      'member.public_id as member_public_id',
      'awaits_staff',
      'last_message_at',
    ])
    .where('ticket.public_id', '=', ticketId)
    .executeTakeFirst()
  if (row === undefined) throw new AppError('NOT_FOUND')
  return {
    ...asTicket(row),
    ...(await threadOf(db, row.id, before)),
    member: { id: row.member_public_id, name: row.name, email: row.email },
    awaitsStaff: row.awaits_staff,
    lastMessageAt: row.last_message_at,
  }
}

/**
 * A picture for its member, or for staff (ASVS 5.3, 3.2.1).
 * @throws AppError NOT_FOUND for an unknown or foreign picture
 */
export async function readPicture(db: Db, imageId: string, viewer: { memberId: bigint; role: string }) {
  const image = await db
    .selectFrom('ticket_image')
    .select(['member_id', 'content_type', 'bytes'])
    .where('id', '=', imageId)
    .executeTakeFirst()
  if (image === undefined) throw new AppError('NOT_FOUND')
  if (image.member_id !== viewer.memberId && viewer.role === 'MEMBER' && !(await isInOwnTicket(db, imageId, viewer.memberId))) {
    throw new AppError('NOT_FOUND')
  }
  return { contentType: image.content_type, bytes: image.bytes }
}

/** Whether staff put the picture into a ticket of this member. */
async function isInOwnTicket(db: Db, imageId: string, memberId: bigint): Promise<boolean> {
  const found = await db
    .selectFrom('ticket_message')
    .innerJoin('ticket', 'ticket.id', 'ticket_message.ticket_id')
    .select('ticket.id')
    .where('ticket.member_id', '=', memberId)
    .where('ticket_message.image_id', '=', imageId)
    .executeTakeFirst()
  return found !== undefined
}
