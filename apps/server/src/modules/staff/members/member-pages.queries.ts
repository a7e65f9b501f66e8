import type { QueryOf, ReplyOf } from '@tizara/contract'
import type * as wire from '@tizara/contract/staff-member-pages'
import { statement } from '../../../ledger/index.ts'
import { AppError } from '../../../platform/runtime/app-error.ts'
import type { Db } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { pageOfSessions } from '../../auth/index.ts'
import { requireMember, membersById, pageOfReferrals } from '../../members/index.ts'
import { LEVELS } from '../../rewards/index.ts'
import { listTicketsOf } from '../../support/index.ts'
import { branchTotals, uplinesOf } from '../../team/index.ts'
import { asLedgerLine } from '../ledger/ledger-lines.ts'
import { personOf } from '../access/person.ts'

const PAGE = 50

interface PageQuery {
  limit?: number | undefined
  before?: string | undefined
}

/** Returns the member, and the requested page's size and start. */
async function listPayouts(db: Db, id: string, query: PageQuery) {
  const member = await requireMember(db, id)
  if (query.before !== undefined && !/^\d{1,18}$/.test(query.before))
    throw new AppError('INVALID_INPUT', {}, [{ path: 'before', message: 'Not a row' }])
  const before = query.before === undefined ? undefined : BigInt(query.before)
  return { member, limit: Math.min(query.limit ?? PAGE, 200), before }
}

/** Returns a page, with the next page's start if more exist. */
function cut<Row>(rows: readonly Row[], limit: number, keyOf: (row: Row) => bigint): { rows: Row[]; next?: string } {
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  return rows.length > limit && last !== undefined ? { rows: shown, next: String(keyOf(last)) } : { rows: shown }
}

/**
 * Lists the member's entries. A page ends with a complete transfer, which may have two entries here.
 * @throws AppError NOT_FOUND
 */
export async function readMemberLedger(
  db: Db,
  id: string,
  query: QueryOf<typeof wire.staffMemberLedger>,
): Promise<ReplyOf<typeof wire.staffMemberLedger>> {
  const { member, limit, before } = await listPayouts(db, id, query)
  const lines = await statement(db, member.id, {
    limit: limit + 2,
    ...(query.wallet === undefined ? {} : { wallets: [query.wallet] }),
    ...(before === undefined ? {} : { before: { transferId: before, wallet: 'depositWallet' } }),
  })
  const more = lines.length > limit
  const cutAt = more && lines[limit - 1]?.transferId === lines[limit]?.transferId ? limit + 1 : limit
  const rows = lines.slice(0, cutAt)
  const last = rows.at(-1)
  return { rows: rows.map(asLedgerLine), ...(lines.length > rows.length && last !== undefined ? { next: String(last.transferId) } : {}) }
}

/**
 * Lists a member's sessions.
 * @throws AppError NOT_FOUND
 */
export async function readMemberSessions(
  db: Db,
  deps: Pick<Deps, 'clock'>,
  id: string,
  query: PageQuery,
): Promise<ReplyOf<typeof wire.staffMemberSessions>> {
  const { member, limit, before } = await listPayouts(db, id, query)
  const found = await pageOfSessions(db, member.id, { before, limit: limit + 1, now: deps.clock.now() })
  const { rows, ...rest } = cut(found, limit, (row) => row.rowId)
  return { rows: rows.map((row) => row.session), ...rest }
}

/**
 * Lists the members above and directly below a member.
 * @throws AppError NOT_FOUND
 */
export async function readMemberTeam(db: Db, id: string, query: PageQuery): Promise<ReplyOf<typeof wire.staffMemberTeam>> {
  const { member, limit, before } = await listPayouts(db, id, query)
  const [found, lines] = await Promise.all([
    pageOfReferrals(db, member.id, { before, limit: limit + 1 }),
    uplinesOf(db, [member.id], LEVELS),
  ])
  const { rows, ...rest } = cut(found, limit, (row) => row.id)
  const above = lines(member.id).map((upline) => upline.memberId)
  const [people, totals] = await Promise.all([
    membersById(db, above),
    branchTotals(
      db,
      rows.map((row) => row.id),
    ),
  ])
  return {
    above: above.map((one) => personOf(people.get(one))),
    rows: rows.map((row) => ({
      ...personOf(row),
      createdAt: row.created_at,
      status: row.is_active,
      people: totals.get(row.id)?.people ?? 0,
      stake: totals.get(row.id)?.stake ?? 0n,
    })),
    ...rest,
  }
}

/**
 * Lists a member's tickets.
 * @throws AppError NOT_FOUND
 */
export async function readMemberTickets(db: Db, id: string, query: PageQuery): Promise<ReplyOf<typeof wire.staffMemberTickets>> {
  const { member, limit, before } = await listPayouts(db, id, query)
  const { rows, ...rest } = cut(await listTicketsOf(db, member.id, { before, limit: limit + 1 }), limit, (row) => row.id)
  return {
    rows: rows.map((row) => ({
      id: row.public_id,
      number: Number(row.id),
      title: row.title,
      status: row.status,
      awaitsStaff: row.awaits_staff,
      createdAt: row.created_at,
    })),
    ...rest,
  }
}

/**
 * Lists the staff notes about a member.
 * @throws AppError NOT_FOUND
 */
export async function readMemberNotes(db: Db, id: string, query: PageQuery): Promise<ReplyOf<typeof wire.staffMemberNotes>> {
  const { member, limit, before } = await listPayouts(db, id, query)
  let notes = db.selectFrom('staff_note').selectAll().where('member_id', '=', member.id)
  if (before !== undefined) notes = notes.where('id', '<', before)
  const found = await notes
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute()
  const { rows, ...rest } = cut(found, limit, (row) => row.id)
  const people = await membersById(
    db,
    rows.map((row) => row.author_id),
  )
  return {
    rows: rows.map((row) => ({ id: String(row.id), by: personOf(people.get(row.author_id)), text: row.text, at: row.created_at })),
    ...rest,
  }
}
