import * as wire from '@tizara/contract/staff-tickets'
import { answer, type Bind } from '../../../http/calls/bind-route.ts'
import { withFrozenClock } from '../../../platform/runtime/clock.ts'
import { inTransaction } from '../../../platform/db/database.ts'
import { reencode } from '../../../platform/images/reencode-image.ts'
import { answerTicket, closeTicketAsStaff, assignTicketAsStaff, noteOnTicket, tagTicketAsStaff } from './decide-ticket.ts'
import { openTicketImage } from '../members/member-actions.ts'
import type { StaffPorts } from '../access/ports.ts'
import { changeReply, listSavedReplies, saveReply } from './saved-replies.ts'
import { readTicketForStaff, readTicketFigures, readTickets } from './ticket-desk.queries.ts'
import { actorOf, rejectionRecorder } from '../access/viewer.ts'
import { bindStaffActions } from '../access/bind-staff-actions.ts'

export function ticketRoutes(bind: Bind, ports: StaffPorts): void {
  const action = bindStaffActions(bind)
  bind.read(wire.staffTickets, async ({ db, viewer, query }) => answer(await readTickets(db, viewer, query)))
  bind.read(wire.staffTicketFigures, async ({ db, deps }) => answer(await readTicketFigures(db, deps.clock.now())))
  bind.read(wire.staffTicketDetail, async ({ db, deps, params, query }) =>
    answer(await readTicketForStaff(db, deps, ports, params.id, query.before)),
  )
  const rejectedAnswer = rejectionRecorder('ticket.answer', 'ticket')
  bind.withoutTransaction(
    wire.answerTicket,
    async (call) => {
      const { db, deps, viewer, caller, params, body, file } = call
      const image = file === undefined ? undefined : await reencode(viewer.memberId, file)
      const reply = { ...body, ticketId: params.id, close: body.close === 'true', image }
      await inTransaction(db, (tx) => answerTicket(tx, withFrozenClock(deps), actorOf(viewer, caller), reply, ports)).catch(
        async (error: unknown) => {
          await rejectedAnswer.onRejection(call, error)
          throw error
        },
      )
      return answer(null, 'Your message was sent')
    },
    rejectedAnswer,
  )
  action.write(wire.closeTicketAsStaff, 'ticket.close', 'ticket', async ({ tx, deps, actor, params, body }) => {
    await closeTicketAsStaff(tx, deps, actor, { ticketId: params.id, reason: body.reason })
    return answer(null, 'Successfully closed')
  })
  action.write(wire.assignTicket, 'ticket.assign', 'ticket', async ({ tx, deps, actor, params, body }) => {
    await assignTicketAsStaff(tx, deps, actor, { ticketId: params.id, ...body })
    return answer(null, body.to === undefined ? 'The ticket is unassigned' : 'The ticket is assigned')
  })
  action.write(wire.tagTicket, 'ticket.tag', 'ticket', async ({ tx, deps, actor, params, body }) => {
    await tagTicketAsStaff(tx, deps, actor, { ticketId: params.id, ...body })
    return answer(null)
  })
  action.write(wire.noteOnTicket, 'ticket.note', 'ticket', async ({ tx, deps, actor, params, body }) => {
    await noteOnTicket(tx, deps, actor, { ticketId: params.id, ...body })
    return answer(null, 'Only staff can read it')
  })
  action.write(wire.openTicketImage, 'member.image', 'ticket', async ({ tx, deps, actor, params, body }) =>
    answer(await openTicketImage(tx, deps, actor, { ticketId: params.id, ...body })),
  )
  bind.read(wire.savedReplies, async ({ db }) => answer(await listSavedReplies(db)))
  action.write(wire.saveReply, 'reply.save', 'saved_reply', async ({ tx, deps, actor, body }) =>
    answer({ id: await saveReply(tx, deps, actor, body) }, 'The reply is saved'),
  )
  action.done(wire.changeReply, 'reply.change', 'saved_reply', changeReply, 'The reply is changed')
}
