import { PLACEHOLDER } from '@tizara/contract/staff-tickets'
import { AppError } from '../../../platform/runtime/app-error.ts'
import type { Tx } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { memberByPublicId } from '../../members/index.ts'
import { addReply, assignTicket, closeTicket, type NamedReceipt, namedRow, tagTicket, ticketForDecision } from '../../support/index.ts'
import { assertStaff, auditStaff, roleWith, type StaffActor } from '../access/actor.ts'
import type { StaffPorts } from '../access/ports.ts'
import type { StaffRight } from '../access/rights.ts'
import { countUse } from './saved-replies.ts'
import { assertNoConflictOfInterest } from '../duties/conflict-of-interest.ts'

export interface TicketAnswer {
  ticketId: string
  message: string
  /** Newest message read by the author. */
  seen?: string | undefined
  close?: boolean | undefined
  /** References to the member's receipts, separated by spaces. */
  receipts?: string | undefined
  /** Saved reply used as a draft. */
  saved?: string | undefined
  /** Re-encoded image. */
  image?: Parameters<typeof addReply>[2]['image']
}

/** Locks the ticket. Staff cannot work on their own tickets or on those of linked accounts. */
async function lockOthers(tx: Tx, deps: Pick<Deps, 'clock'>, actor: StaffActor, right: StaffRight, publicId: string) {
  await assertStaff(tx, deps, actor, right)
  const ticket = await ticketForDecision(tx, publicId)
  await assertNoConflictOfInterest(tx, [actor.memberId], [ticket.memberId])
  return ticket
}

/**
 * Answers a ticket as support [RO-13], and closes it on request.
 * @throws AppError STAFF_ONLY, NOT_FOUND also for another member's receipt, FOUR_EYES for the actor's ticket, TICKET_CLOSED,
 * TICKET_MOVED_ON, INVALID_INPUT for a saved reply with a gap
 */
export async function answerTicket(
  tx: Tx,
  deps: Deps,
  actor: StaffActor,
  answer: TicketAnswer,
  ports: Pick<StaffPorts, 'findReceipt'>,
): Promise<void> {
  const ticket = await lockOthers(tx, deps, actor, 'answerTicket', answer.ticketId)
  const gap = answer.message.match(PLACEHOLDER)?.[0]
  if (gap !== undefined) throw new AppError('INVALID_INPUT', {}, [{ path: 'message', message: `Please fill ${gap} first` }])
  const receipts: NamedReceipt[] = []
  for (const name of new Set(answer.receipts?.split(' '))) {
    const row = namedRow(name)
    const receipt = await ports.findReceipt(tx, ticket.memberId, row)
    if (receipt === undefined) throw new AppError('NOT_FOUND')
    receipts.push({ ...row, title: receipt.title })
  }
  const { ticketId, message, seen, image } = answer
  const role = actor.role === 'ADMIN' ? 'ADMIN' : 'SUPPORT'
  await addReply(tx, deps, { ticketId, message, seen, image, receipts, authorId: actor.memberId, role })
  if (answer.saved !== undefined) await countUse(tx, answer.saved)
  if (answer.close === true) await closeTicket(tx, { ticketId, ownerId: null, at: deps.clock.now() })
  const detail = {
    ...(answer.close === true ? { closed: true } : {}),
    ...(receipts.length > 0 ? { receipts: receipts.map((one) => `${one.kind}.${one.id}`) } : {}),
    ...(answer.saved === undefined ? {} : { saved: answer.saved }),
  }
  await auditStaff(tx, deps, actor, { action: 'ticket.answer', subject: { type: 'ticket', id: ticketId }, detail })
}

/**
 * Closes a ticket.
 * @throws AppError STAFF_ONLY, NOT_FOUND, FOUR_EYES for the actor's ticket
 */
export async function closeTicketAsStaff(
  tx: Tx,
  deps: Deps,
  actor: StaffActor,
  input: { ticketId: string; reason?: string | undefined },
): Promise<void> {
  await lockOthers(tx, deps, actor, 'closeTicketAsStaff', input.ticketId)
  await closeTicket(tx, { ticketId: input.ticketId, ownerId: null, at: deps.clock.now() })
  await auditStaff(tx, deps, actor, { action: 'ticket.close', subject: { type: 'ticket', id: input.ticketId }, reason: input.reason })
}

/**
 * Assigns a ticket to a staff member, or unassigns it. The caller must name the current assignee, so that concurrent
 * assignments do not overwrite each other.
 * @throws AppError STAFF_ONLY, NOT_FOUND also for an assignee without the right to answer, FOUR_EYES for the actor's ticket,
 * TICKET_CLOSED, ITEM_CHANGED
 */
export async function assignTicketAsStaff(
  tx: Tx,
  deps: Deps,
  actor: StaffActor,
  input: { ticketId: string; to?: string | undefined; from?: string | undefined },
): Promise<void> {
  const ticket = await lockOthers(tx, deps, actor, 'assignTicket', input.ticketId)
  if (ticket.status === 'CLOSED') throw new AppError('TICKET_CLOSED')
  const to = await staffId(tx, input.to)
  // A former staff member still holds the tickets assigned to them.
  const from = input.from === undefined ? null : (await memberByPublicId(tx, input.from))?.id
  if (to !== null && (to === ticket.memberId || (await roleWith(tx, deps, to, 'answerTicket')) === undefined))
    throw new AppError('NOT_FOUND')
  if (ticket.assigneeId !== null && ticket.assigneeId !== actor.memberId && ticket.assigneeId !== from) throw new AppError('ITEM_CHANGED')
  if (ticket.assigneeId === to) return
  await assignTicket(tx, ticket.id, to)
  await auditStaff(tx, deps, actor, {
    action: 'ticket.assign',
    subject: { type: 'ticket', id: input.ticketId },
    detail: { to: input.to ?? null },
  })
}

async function staffId(tx: Tx, publicId: string | undefined): Promise<bigint | null> {
  if (publicId === undefined) return null
  const found = await memberByPublicId(tx, publicId)
  if (found === undefined || found.role === 'MEMBER') throw new AppError('NOT_FOUND')
  return found.id
}

/**
 * Tags a ticket.
 * @throws AppError STAFF_ONLY, NOT_FOUND, FOUR_EYES for the actor's ticket
 */
export async function tagTicketAsStaff(tx: Tx, deps: Deps, actor: StaffActor, input: { ticketId: string; tags: string[] }): Promise<void> {
  const ticket = await lockOthers(tx, deps, actor, 'tagTicket', input.ticketId)
  await tagTicket(tx, ticket.id, input.tags)
  await auditStaff(tx, deps, actor, { action: 'ticket.tag', subject: { type: 'ticket', id: input.ticketId }, detail: { tags: input.tags } })
}

/**
 * Saves a staff note on a ticket. The audit log records the act without the text.
 * @throws AppError STAFF_ONLY, NOT_FOUND, FOUR_EYES for the actor's ticket
 */
export async function noteOnTicket(tx: Tx, deps: Deps, actor: StaffActor, input: { ticketId: string; text: string }): Promise<void> {
  const ticket = await lockOthers(tx, deps, actor, 'noteOnTicket', input.ticketId)
  await tx
    .insertInto('staff_note')
    .values({ ticket_id: ticket.id, author_id: actor.memberId, text: input.text, created_at: deps.clock.now() })
    .execute()
  await auditStaff(tx, deps, actor, { action: 'ticket.note', subject: { type: 'ticket', id: input.ticketId } })
}
