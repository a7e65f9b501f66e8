import type { Page, QueryOf, ReplyOf } from '@tizara/contract'
import type { staffTicketDetail, staffTicketFigures, staffTickets } from '@tizara/contract/staff-tickets'
import type { Receipt } from '@tizara/contract/wallets'
import type { Viewer } from '../../../http/calls/session-guard.ts'
import { DAY_MS } from '../../../platform/runtime/clock.ts'
import type { Db } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { listCounters } from '../../histories/index.ts'
import { memberByPublicId, membersById } from '../../members/index.ts'
import { currentSettings } from '../../settings/index.ts'
import { firstAnswers, staffTicketPage, ticketForStaff } from '../../support/index.ts'
import { entriesAround } from '../ledger/ledger-lines.ts'
import { flagsOf } from '../members/member-flags.ts'
import type { StaffPorts } from '../access/ports.ts'
import { memberPane } from '../requests/queue-detail.queries.ts'
import { personOf } from '../access/person.ts'

type Detail = ReplyOf<typeof staffTicketDetail>
type Row = ReplyOf<typeof staffTickets>['data'][number]

const PAGE = 50
/** Maximum notes shown per ticket, newest first. */
const NOTES = 200

export async function readTickets(db: Db, viewer: Viewer, query: QueryOf<typeof staffTickets>): Promise<Page<Row>> {
  const limit = Math.min(query.limit ?? PAGE, 200)
  const assignee = query.assignee === undefined ? undefined : await memberByPublicId(db, query.assignee)
  const { rows, total } = await staffTicketPage(db, {
    view: query.view,
    staffId: viewer.memberId,
    limit,
    before: query.before,
    tag: query.tag,
    ...(query.assignee === undefined ? {} : { assigneeId: assignee?.id ?? 0n }),
  })
  const people = await membersById(
    db,
    rows.flatMap((row) => [row.memberId, row.assigneeId].filter((id) => id !== null)),
  )
  const data = rows.map(({ memberId, assigneeId, ticket }) => ({
    ...ticket,
    updates: [],
    member: personOf(people.get(memberId)),
    assignee: assigneeId === null ? null : personOf(people.get(assigneeId)),
  }))
  return { data, meta: { total, page: 1, limit } }
}

/** Number of UTC days in the statistics of first answers. */
const DAYS_COUNTED = 30

/** Counts the tickets with a first answer within the target time. */
export async function readTicketFigures(db: Db, now: Date): Promise<ReplyOf<typeof staffTicketFigures>> {
  const { answerTargetHours: targetHours } = await currentSettings(db, now)
  const since = new Date(now.getTime() - DAYS_COUNTED * DAY_MS)
  return { days: DAYS_COUNTED, targetHours, ...(await firstAnswers(db, since, now, targetHours)) }
}

/**
 * Reads one ticket with all data for an answer.
 * @throws AppError NOT_FOUND
 */
export async function readTicketForStaff(
  db: Db,
  deps: Pick<Deps, 'clock'>,
  ports: Pick<StaffPorts, 'findReceipt'>,
  id: string,
  before: string | undefined,
): Promise<Detail> {
  const { ticket, messages, hasEarlier, memberId, assigneeId, ...row } = await ticketForStaff(db, id, before)
  const notes = await notesOf(db, row.id)
  const people = await membersById(db, [
    memberId,
    ...[assigneeId].filter((one) => one !== null),
    ...messages.map((one) => one.authorId),
    ...notes.map((note) => note.by),
  ])
  const member = people.get(memberId)
  if (member === undefined) throw new Error('a ticket has a member')
  const attached = ticket.about === undefined ? undefined : await ports.findReceipt(db, memberId, ticket.about)
  const [pane, { total }, money, flags] = await Promise.all([
    memberPane(db, member),
    listCounters(db, memberId, 'ticket'),
    entriesAround(db, memberId, anchorOf(attached, ticket.createdAt)),
    flagsOf(db, member, deps.clock.now()),
  ])
  return {
    ...ticket,
    member: personOf(member),
    assignee: assigneeId === null ? null : personOf(people.get(assigneeId)),
    updates: messages.map(({ authorId, message }) => ({
      ...message,
      ...(message.role === 'USER' ? {} : { by: personOf(people.get(authorId)) }),
    })),
    ...(hasEarlier ? { hasEarlier } : {}),
    seen: messages.at(-1)?.message.id ?? 'none',
    notes: notes.map(({ by, ...note }) => ({ ...note, by: personOf(people.get(by)) })),
    ...(attached === undefined ? {} : { attached: asAttached(attached) }),
    money,
    pane: { ...pane, ticketsBefore: total - 1 },
    flags,
  }
}

const asAttached = (receipt: Receipt): NonNullable<Detail['attached']> => ({
  kind: receipt.kind,
  id: receipt.id,
  title: receipt.title,
  ...(receipt.status === undefined ? {} : { status: receipt.status }),
  asset: receipt.asset,
  amount: receipt.amount,
  at: receipt.createdAt,
  from: receipt.from.label,
  to: receipt.to.label,
  ...(receipt.transferId === undefined ? {} : { transferId: receipt.transferId }),
})

const anchorOf = (attached: Receipt | undefined, opened: Date) => ({
  at: attached?.createdAt ?? opened,
  ...(attached?.transferId === undefined || !/^\d{1,18}$/.test(attached.transferId) ? {} : { transferId: BigInt(attached.transferId) }),
})

async function notesOf(db: Db, ticketId: bigint): Promise<{ id: string; by: bigint; text: string; at: Date }[]> {
  const rows = await db
    .selectFrom('staff_note')
    .select(['id', 'author_id', 'text', 'created_at'])
    .where('ticket_id', '=', ticketId)
    .orderBy('id', 'desc')
    .limit(NOTES)
    .execute()
  return rows.map((row) => ({ id: String(row.id), by: row.author_id, text: row.text, at: row.created_at })).toReversed()
}
