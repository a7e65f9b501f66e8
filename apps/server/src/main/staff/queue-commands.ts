import { type QueueKind, queueKinds } from '@tizara/contract/staff'
import { listQuery } from './list-query.ts'
import { formatUnits } from '@tizara/money'
import { staffTicketQueue } from '../../modules/support/index.ts'
import { answerTicket, approveRequest, closeTicketAsStaff, readQueue, rejectRequest } from '../../modules/staff/index.ts'
import { AppError } from '../../platform/app-error.ts'
import type { Db } from '../../platform/database.ts'
import { readSlice } from '../../platform/paging.ts'
import { act, table, when } from './act.ts'
import { needed, neededReason, neededWord } from './arguments.ts'
import type { Command } from './command.ts'

export const queueCommands: readonly (readonly [string, Command])[] = [
  [
    'queue',
    {
      needsActor: true,
      run: async ({ db, deps, args, options }) => {
        const kinds = args[0] === undefined ? queueKinds : [neededWord(args[0], queueKinds, 'QUEUE')]
        const lines: string[] = []
        for (const kind of kinds) {
          const { data, meta } = await readQueue(db, deps, kind, { ...listQuery(options), status: 'PENDING' })
          const rows = data.map((row) => [
            row.id,
            when(row.createdAt),
            `${formatUnits(row.amount)} ${row.asset}`,
            row.member.email,
            `${row.approvedBy?.length ?? 0} of ${row.approvalsNeeded ?? 1} approvals`,
            row.flags.join('; '),
          ])
          lines.push(`${kind}: ${meta.total} waiting`, ...table(rows, '  nothing'))
        }
        return lines
      },
    },
  ],
  [
    'approve',
    {
      needsActor: true,
      run: async (input) => {
        const id = needed(input.args[0], 'ID')
        const kind = await kindOf(input.db, id)
        const status = await act(input, { action: 'request.approve', subject: { type: kind, id } }, (tx, actor) =>
          approveRequest(tx, input.deps, actor, { kind, id, reason: input.options.reason, txHash: input.options.tx }),
        )
        return [status === 'APPROVED' ? `${id} is approved.` : `${id} needs the approval of another staff member too.`]
      },
    },
  ],
  [
    'reject',
    {
      needsActor: true,
      run: async (input) => {
        const id = needed(input.args[0], 'ID')
        const reason = neededReason(input.options)
        const kind = await kindOf(input.db, id)
        await act(input, { action: 'request.reject', subject: { type: kind, id } }, (tx, actor) =>
          rejectRequest(tx, input.deps, actor, { kind, id, reason }),
        )
        return [`${id} is rejected.`]
      },
    },
  ],
  [
    'tickets',
    {
      needsActor: true,
      run: async ({ db, options }) => {
        const { data, meta } = await staffTicketQueue(db, { slice: readSlice(listQuery(options)) })
        const rows = data.map((row) => [
          row.id,
          row.status,
          row.awaitsStaff ? 'waits' : '',
          when(row.lastMessageAt),
          row.member.email,
          row.title,
        ])
        return [`${meta.total} tickets`, ...table(rows, '  nothing')]
      },
    },
  ],
  [
    'answer',
    {
      needsActor: true,
      run: async (input) => {
        const ticketId = needed(input.args[0], 'TICKET')
        const message = needed(input.args.slice(1).join(' '), 'TEXT')
        await act(input, { action: 'ticket.answer', subject: { type: 'ticket', id: ticketId } }, (tx, actor) =>
          answerTicket(tx, input.deps, actor, { ticketId, message }),
        )
        return [`${ticketId} is answered.`]
      },
    },
  ],
  [
    'close',
    {
      needsActor: true,
      run: async (input) => {
        const ticketId = needed(input.args[0], 'TICKET')
        await act(input, { action: 'ticket.close', subject: { type: 'ticket', id: ticketId } }, (tx, actor) =>
          closeTicketAsStaff(tx, input.deps, actor, { ticketId, reason: input.options.reason }),
        )
        return [`${ticketId} is closed.`]
      },
    },
  ],
]

/** Which queue a request stands in. */
async function kindOf(db: Db, id: string): Promise<QueueKind> {
  const payout = await db.selectFrom('payout_request').select('kind').where('public_id', '=', id).executeTakeFirst()
  if (payout !== undefined) return payout.kind === 'bridge' ? 'bridges' : 'withdrawals'
  const deposit = await db.selectFrom('deposit').select('id').where('public_id', '=', id).executeTakeFirst()
  if (deposit === undefined) throw new AppError('NOT_FOUND')
  return 'deposits'
}
