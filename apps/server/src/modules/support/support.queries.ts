import type { ListQuery } from '@tizara/contract'
import { THREAD_PAGE } from '@tizara/contract/support'
import { AppError } from '../../platform/runtime/app-error.ts'
import type { Db } from '../../platform/db/database.ts'
import { readHistory } from '../histories/index.ts'
import { tickets } from './history.ts'

/** Path of an image. Reading it requires the session's token. */
const imageUrl = (id: string | null) => (id === null ? null : `/ticket-images/${id}`)

export interface NamedReceipt {
  kind: string
  id: string
  title: string
}

/** Ticket columns in API responses. */
export interface TicketRecord {
  public_id: string
  title: string
  description: string
  image_id: string | null
  status: string
  created_at: Date
  about_kind: string | null
  about_id: string | null
}

/** Converts a ticket row for an API response, without messages. */
export const asTicket = (row: TicketRecord) => ({
  id: row.public_id,
  title: row.title,
  description: row.description,
  image: imageUrl(row.image_id),
  status: row.status,
  createdAt: row.created_at,
  ...(row.about_kind === null || row.about_id === null ? {} : { about: { kind: row.about_kind, id: row.about_id } }),
})

/** Lists a member's tickets without their messages, newest first (API-89). */
export async function listTickets(db: Db, memberId: bigint, query: ListQuery) {
  const { rows, meta } = await readHistory(db, tickets, memberId, query)
  return { data: rows.map((row) => ({ ...asTicket(row), updates: [], answered: row.status === 'OPEN' && !row.awaits_staff })), meta }
}

/** Returns the newest messages of a ticket, or those before a given message, oldest first. */
export async function threadOf(db: Db, ticketId: bigint, before: string | undefined) {
  let messages = db.selectFrom('ticket_message').selectAll().where('ticket_id', '=', ticketId)
  if (before !== undefined) messages = messages.where('id', '<', BigInt(before))
  const newest = await messages
    .orderBy('id', 'desc')
    .limit(THREAD_PAGE + 1)
    .execute()
  return { messages: newest.slice(0, THREAD_PAGE).toReversed(), hasEarlier: newest.length > THREAD_PAGE }
}

type Message = Awaited<ReturnType<typeof threadOf>>['messages'][number]

/** Converts a message for its member. The name of the staff member is hidden. */
export const asMessage = (row: Message) => ({
  id: String(row.id),
  message: row.message,
  image: imageUrl(row.image_id),
  role: row.role,
  createdAt: row.created_at,
  ...(Array.isArray(row.receipts) && row.receipts.length > 0 ? { receipts: row.receipts as unknown as NamedReceipt[] } : {}),
})

/**
 * Returns one ticket with its thread (API-90).
 * @throws AppError NOT_FOUND for an unknown ticket, or another member's
 */
export async function readTicket(db: Db, ticketId: string, memberId: bigint, before?: string) {
  const row = await ownTicket(db, ticketId, memberId)
  const { messages, hasEarlier } = await threadOf(db, row.id, before)
  return { ...asTicket(row), updates: messages.map(asMessage), ...(hasEarlier ? { hasEarlier } : {}) }
}

/** @throws AppError NOT_FOUND for an unknown ticket, or another member's */
export async function assertOwnTicket(db: Db, ticketId: string, memberId: bigint): Promise<void> {
  await ownTicket(db, ticketId, memberId)
}

async function ownTicket(db: Db, ticketId: string, memberId: bigint) {
  const row = await db.selectFrom('ticket').selectAll().where('public_id', '=', ticketId).executeTakeFirst()
  if (row === undefined || row.member_id !== memberId) throw new AppError('NOT_FOUND')
  return row
}

async function imageById(db: Db, imageId: string) {
  const found = db.selectFrom('ticket_image').select(['member_id', 'content_type', 'bytes']).where('id', '=', imageId)
  const image = await found.executeTakeFirst()
  if (image === undefined) throw new AppError('NOT_FOUND')
  return { memberId: image.member_id, contentType: image.content_type, bytes: image.bytes }
}

/**
 * Returns an image to its owner, or to a member who received it in a ticket (ASVS 5.3, 3.2.1). Staff use a separate route, which records
 * the view.
 * @throws AppError NOT_FOUND for an unknown or foreign image
 */
export async function readImage(db: Db, imageId: string, memberId: bigint) {
  const image = await imageById(db, imageId)
  if (image.memberId !== memberId && !(await isInOwnTicket(db, imageId, memberId))) throw new AppError('NOT_FOUND')
  return image
}

/**
 * Returns an image in this ticket, for staff.
 * @throws AppError NOT_FOUND also for another ticket's image
 */
export async function imageOfTicket(db: Db, ticketId: string, imageId: string) {
  const ticket = await db.selectFrom('ticket').select(['id', 'image_id', 'member_id']).where('public_id', '=', ticketId).executeTakeFirst()
  if (ticket === undefined) throw new AppError('NOT_FOUND')
  if (ticket.image_id !== imageId) {
    const inThread = db.selectFrom('ticket_message').select('id').where('ticket_id', '=', ticket.id).where('image_id', '=', imageId)
    if ((await inThread.executeTakeFirst()) === undefined) throw new AppError('NOT_FOUND')
  }
  return { ...(await imageById(db, imageId)), memberId: ticket.member_id }
}

/** Returns true if a message in a ticket of this member contains the image. */
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
