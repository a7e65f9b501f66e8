import type { Page, QueryOf } from '@tizara/contract'
import type { changeRow, staffChanges } from '@tizara/contract/staff-changes'
import { type RawBuilder, type Selectable, sql, type SqlBool } from 'kysely'
import type { InferOutput } from 'valibot'
import type { Db } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { readPageRange } from '../../../platform/db/paging.ts'
import type { StaffProposalTable } from '../../../platform/db/tables.generated.ts'
import { type Member, membersById } from '../../members/index.ts'
import { personOf } from '../access/person.ts'
import { storedKind, titleOf } from './proposal.ts'
import { isPendingAt, statusOf } from './proposal-status.ts'

type ChangeRow = InferOutput<typeof changeRow>
type StoredProposal = Selectable<StaffProposalTable>

/** Lists proposals, newest first; `before` continues after the proposal with this id. */
export async function listProposals(
  db: Db,
  deps: Pick<Deps, 'clock'>,
  viewerId: bigint,
  query: QueryOf<typeof staffChanges>,
): Promise<Page<ChangeRow>> {
  const { page, limit, offset, since, before } = readPageRange(query)
  const now = deps.clock.now()
  let found = db.selectFrom('staff_proposal')
  if (query.status !== undefined) found = found.where(hasStatus(query.status, now))
  if (query.subject !== undefined) found = found.where('subject', '=', query.subject)
  if (since !== undefined) found = found.where('created_at', '>=', since)
  if (before !== undefined) found = found.where('created_at', '<', before)
  const { total } = await found.select(sql<number>`count(*)::int`.as('total')).executeTakeFirstOrThrow()
  if (query.before !== undefined)
    found = found.where('id', '<', (row) =>
      row
        .selectFrom('staff_proposal as seen')
        .select('seen.id')
        .where('public_id', '=', query.before ?? ''),
    )
  const rows = await found.selectAll().orderBy('id', 'desc').limit(limit).offset(offset).execute()
  return { data: await rowsOf(db, rows, viewerId, now), meta: { total, page, limit } }
}

/** SQL: a proposal has a status at a moment, as defined by `statusOf`. */
function hasStatus(status: ChangeRow['status'], now: Date): RawBuilder<SqlBool> {
  const isFuture = sql<SqlBool>`starts_at > ${now}`
  switch (status) {
    case 'PENDING':
      return isPendingAt(now)
    case 'OUTDATED':
      return sql`(status = 'OUTDATED' or status = 'PENDING' and not ${isPendingAt(now)})`
    case 'PLANNED':
      return sql`status = 'APPROVED' and ${isFuture}`
    case 'IN_FORCE':
      return sql`status = 'APPROVED' and (starts_at is null or starts_at <= ${now})`
    case 'CANCELLED':
    case 'REFUSED':
      return sql`status = ${status}`
  }
}

export async function rowsOf(db: Db, rows: readonly StoredProposal[], viewerId: bigint, now: Date): Promise<ChangeRow[]> {
  const ids = rows.flatMap((row) => [row.proposed_by, row.decided_by, row.ended_by].filter((id) => id !== null))
  const people = await membersById(db, [...ids, viewerId])
  const viewer = people.get(viewerId)
  const personAt = (id: bigint | null) => (id === null ? null : personOf(people.get(id)))
  return rows.map((row) => ({
    id: row.public_id,
    subject: storedKind(row.subject)?.subject ?? 'settings',
    title: titleOf({ subject: row.subject, value: row.value, before: row.base }),
    value: row.value,
    before: row.base,
    reason: row.reason,
    status: statusOf(row, now),
    proposedBy: personOf(people.get(row.proposed_by)),
    mine: row.proposed_by === viewerId,
    ...(namesMember(row.value, viewer) ? { aboutYou: true } : {}),
    decidedBy: personAt(row.decided_by),
    decisionReason: row.decision_reason,
    createdAt: row.created_at,
    decidedAt: row.decided_at,
    startsAt: row.starts_at,
    endedBy: personAt(row.ended_by),
    endedAt: row.ended_at,
    endReason: row.end_reason,
  }))
}

/**
 * Returns true if a value contains the member's public id or email. The list uses this test to avoid one query per row; the detail and the
 * decision ask the proposal kind.
 */
function namesMember(value: unknown, member: Pick<Member, 'public_id' | 'email'> | undefined): boolean {
  const { memberId, email } = Object(value) as { memberId?: unknown; email?: unknown }
  return member !== undefined && (memberId === member.public_id || email === member.email)
}
