import * as wire from '@tizara/contract/staff-tickets'
import { answer, type Bind } from '../../http/bind-route.ts'
import { inTransaction } from '../../platform/database.ts'
import { reencode } from '../support/index.ts'
import { answerTicket, closeTicketAsStaff, giveTicket, noteOnTicket, sortTicket } from './decide-ticket.ts'
import { openPicture } from './member-acts.ts'
import type { StaffPorts } from './ports.ts'
import { changeReply, listSavedReplies, saveReply } from './saved-replies.ts'
import { readTicketDesk, readTickets } from './ticket-desk.queries.ts'
import { actorOf, refusals } from './viewer.ts'

/** Binds the calls of the ticket desk. */
export function ticketRoutes(bind: Bind, ports: StaffPorts): void {
  bind.read(wire.staffTickets, async ({ db, viewer, query }) => answer(await readTickets(db, viewer, query)))
  bind.read(wire.staffTicketDetail, async ({ db, deps, params, query }) =>
    answer(await readTicketDesk(db, deps, ports, params.id, query.before)),
  )
  const refusedAnswer = refusals('ticket.answer', 'ticket')
  bind.outside(wire.answerTicket, async (call) => {
    const { db, deps, viewer, caller, params, body, file } = call
    const picture = file === undefined ? undefined : await reencode(file)
    const said = { ...body, ticketId: params.id, close: body.close === 'true', picture }
    await inTransaction(db, (tx) => answerTicket(tx, deps, actorOf(viewer, caller), said, ports)).catch(async (error: unknown) => {
      await refusedAnswer.onRefusal(call, error)
      throw error
    })
    return answer(null, 'Your message was sent')
  })
  bind.write(
    wire.closeTicketAsStaff,
    async ({ tx, deps, viewer, caller, params, body }) => {
      await closeTicketAsStaff(tx, deps, actorOf(viewer, caller), { ticketId: params.id, reason: body.reason })
      return answer(null, 'Successfully closed')
    },
    refusals('ticket.close', 'ticket'),
  )
  bind.write(
    wire.assignTicket,
    async ({ tx, deps, viewer, caller, params, body }) => {
      await giveTicket(tx, deps, actorOf(viewer, caller), { ticketId: params.id, ...body })
      return answer(null, body.to === undefined ? 'Nobody has the ticket now' : 'The ticket is given')
    },
    refusals('ticket.assign', 'ticket'),
  )
  bind.write(
    wire.tagTicket,
    async ({ tx, deps, viewer, caller, params, body }) => {
      await sortTicket(tx, deps, actorOf(viewer, caller), { ticketId: params.id, ...body })
      return answer(null)
    },
    refusals('ticket.tag', 'ticket'),
  )
  bind.write(
    wire.noteOnTicket,
    async ({ tx, deps, viewer, caller, params, body }) => {
      await noteOnTicket(tx, deps, actorOf(viewer, caller), { ticketId: params.id, ...body })
      return answer(null, 'Only staff can read it')
    },
    refusals('ticket.note', 'ticket'),
  )
  bind.write(
    wire.openTicketPicture,
    async ({ tx, deps, viewer, caller, params, body }) =>
      answer(await openPicture(tx, deps, actorOf(viewer, caller), { ticketId: params.id, ...body })),
    refusals('member.picture', 'ticket'),
  )
  bind.read(wire.savedReplies, async ({ db }) => answer(await listSavedReplies(db)))
  bind.write(
    wire.saveReply,
    async ({ tx, deps, viewer, caller, body }) =>
      answer({ id: await saveReply(tx, deps, actorOf(viewer, caller), body) }, 'The reply is kept'),
    refusals('reply.save', 'saved_reply'),
  )
  bind.write(
    wire.changeReply,
    async ({ tx, deps, viewer, caller, params, body }) => {
      await changeReply(tx, deps, actorOf(viewer, caller), { id: params.id, ...body })
      return answer(null, 'The reply is changed')
    },
    refusals('reply.change', 'saved_reply'),
  )
}
