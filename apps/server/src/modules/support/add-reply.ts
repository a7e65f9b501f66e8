import { AppError } from '../../platform/runtime/app-error.ts'
import type { Tx } from '../../platform/db/database.ts'
import type { Deps } from '../../platform/runtime/deps.ts'
import type { EncodedImage } from '../../platform/images/reencode-image.ts'
import { recordEvents } from '../notices/index.ts'
import { storeImage } from './store-image.ts'
import type { NamedReceipt } from './support.queries.ts'

export interface ReplyInput {
  /** The ticket's public id. */
  ticketId: string
  authorId: bigint
  /** USER may reply only to own tickets; staff may reply to all. */
  role: 'USER' | 'SUPPORT' | 'ADMIN'
  message: string
  image?: EncodedImage | undefined
  /** Id of the newest message that the author has read; `none` if only the ticket. */
  seen?: string | undefined
  /** Receipts of the ticket's member. The caller has checked that they belong to the member. */
  receipts?: readonly NamedReceipt[] | undefined
}

/**
 * Adds a message to an open ticket (API-93, ST-62).
 * @throws AppError NOT_FOUND for an unknown or foreign ticket, TICKET_CLOSED for a closed one, TICKET_MOVED_ON
 */
export async function addReply(tx: Tx, deps: Deps, input: ReplyInput): Promise<void> {
  const ticket = await tx
    .selectFrom('ticket')
    .select(['id', 'member_id', 'status', 'created_at'])
    .where('public_id', '=', input.ticketId)
    .forUpdate()
    .executeTakeFirst()
  if (ticket === undefined || (input.role === 'USER' && ticket.member_id !== input.authorId)) throw new AppError('NOT_FOUND')
  if (ticket.status === 'CLOSED') throw new AppError('TICKET_CLOSED')
  if (input.seen !== undefined && input.seen !== (await newestMessage(tx, ticket.id))) throw new AppError('TICKET_MOVED_ON')
  const at = deps.clock.now()
  const imageId = input.image === undefined ? null : await storeImage(tx, deps, input.authorId, input.image)
  const { id } = await tx
    .insertInto('ticket_message')
    .values({
      ticket_id: ticket.id,
      author_id: input.authorId,
      role: input.role,
      message: input.message,
      image_id: imageId,
      created_at: at,
      receipts: JSON.stringify(input.receipts ?? []),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await tx
    .updateTable('ticket')
    .set((row) => ({
      last_message_at: at,
      awaits_staff: input.role === 'USER',
      // The first reply assigns the ticket.
      ...(input.role === 'USER'
        ? {}
        : {
            assignee_id: row.fn.coalesce('assignee_id', row.val(input.authorId)),
            first_answered_at: row.fn.coalesce('first_answered_at', row.val(at)),
          }),
    }))
    .where('id', '=', ticket.id)
    .execute()
  if (input.role === 'USER') return
  const facts = { ticket: input.ticketId, opened: ticket.created_at.toISOString() }
  await recordEvents(tx, at, [{ memberId: ticket.member_id, event: 'support-answer', cause: String(id), facts }])
}

async function newestMessage(tx: Tx, ticketId: bigint): Promise<string> {
  const row = await tx
    .selectFrom('ticket_message')
    .select('id')
    .where('ticket_id', '=', ticketId)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row === undefined ? 'none' : String(row.id)
}
