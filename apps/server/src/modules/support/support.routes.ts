import { readTicketNotices } from '@tizara/contract/notices-unread'
import * as wire from '@tizara/contract/support'
import { AppError } from '../../platform/runtime/app-error.ts'
import type { Db } from '../../platform/db/database.ts'
import { answer, type Bind } from '../../http/calls/bind-route.ts'
import { limitMember } from '../../http/calls/rate-limit.ts'
import { inSession } from '../auth/index.ts'
import { markTicketRead } from '../notices/index.ts'
import { addReply } from './add-reply.ts'
import { closeTicket } from './close-ticket.ts'
import { namedRow } from './named-row.ts'
import { openTicket } from './open-ticket.ts'
import { reencode } from '../../platform/images/reencode-image.ts'
import { assertOwnTicket, listTickets, readImage, readTicket } from './support.queries.ts'

/** Limit of tickets and messages per member, including refused ones and their images. */
const WRITES = { hits: 30, windowMs: 10 * 60_000 }

/** Ticket functions from other modules, injected by main. */
export interface SupportPorts {
  /** Returns the receipt of a member's row, or undefined if the member has no such row. */
  findReceipt(db: Db, memberId: bigint, row: { kind: string; id: string }): Promise<unknown>
}

/** Binds the routes of this module. Images are decoded before the transaction starts. */
export function supportRoutes(bind: Bind, ports: SupportPorts): void {
  bind.read(wire.tickets, async ({ db, viewer, query }) => answer(await listTickets(db, viewer.memberId, query)))

  bind.read(wire.getTicket, async ({ db, viewer, params, query }) => answer(await readTicket(db, params.id, viewer.memberId, query.before)))

  bind.write(readTicketNotices, async ({ tx, deps, viewer, params }) => {
    await assertOwnTicket(tx, params.id, viewer.memberId)
    await markTicketRead(tx, deps.clock.now(), viewer.memberId, params.id)
    return answer(null, 'Marked as read')
  })

  bind.write(wire.closeTicket, async ({ tx, deps, viewer, params }) => {
    await closeTicket(tx, { ticketId: params.id, ownerId: viewer.memberId, at: deps.clock.now() })
    return answer(null, 'Successfully closed')
  })

  bind.withoutTransaction(wire.createTicket, async ({ db, deps, viewer, body, file }) => {
    await limitMember(db, deps, 'support', viewer.memberId, WRITES)
    if (file === undefined) throw new AppError('FILE_REQUIRED')
    const about = body.about === undefined ? undefined : namedRow(body.about)
    if (about !== undefined && (await ports.findReceipt(db, viewer.memberId, about)) === undefined) throw new AppError('NOT_FOUND')
    const image = await reencode(viewer.memberId, file)
    const id = await inSession(db, viewer, (tx) => openTicket(tx, deps, { ...body, memberId: viewer.memberId, image, about }))
    return answer({ id }, 'Successfully ticket created')
  })

  bind.withoutTransaction(wire.replyToTicket, async ({ db, deps, viewer, body, file }) => {
    await limitMember(db, deps, 'support', viewer.memberId, WRITES)
    const image = file === undefined ? undefined : await reencode(viewer.memberId, file)
    await inSession(db, viewer, (tx) =>
      addReply(tx, deps, { ticketId: body.ticketId, authorId: viewer.memberId, role: 'USER', message: body.message, image }),
    )
    return answer(null, 'Your message was sent')
  })

  bind.read(wire.ticketImage, async ({ db, viewer, params, caller }) => {
    const image = await readImage(db, params.id, viewer.memberId)
    caller.reply
      .header('Content-Type', image.contentType)
      .header('Content-Disposition', 'inline; filename="image.webp"')
      .header('Content-Security-Policy', "default-src 'none'; sandbox")
      .header('Cross-Origin-Resource-Policy', 'same-origin')
      .send(image.bytes)
    return answer(null)
  })
}
