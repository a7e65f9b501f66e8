import type { QueryOf, ReplyOf } from '@tizara/contract'
import { caseOutcomes } from '@tizara/contract/staff-case-row'
import type { staffCases } from '@tizara/contract/staff-cases'
import { type Selectable, sql } from 'kysely'
import type { Db } from '../../../platform/db/database.ts'
import type { StaffCaseTable } from '../../../platform/db/tables.generated.ts'
import { membersById } from '../../members/index.ts'
import { personOf } from '../access/person.ts'

type Row = Selectable<StaffCaseTable>
type CaseRow = ReplyOf<typeof staffCases>['data'][number]

/** Maximum number that is shown. */
const MAX_COUNTED = 1_000

/** Lists cases: open ones by due date, closed ones newest first. `mine` are the open ones that the reader owns. */
export async function readCases(
  db: Db,
  readerId: bigint,
  { view, before, limit = 50 }: QueryOf<typeof staffCases>,
): Promise<ReplyOf<typeof staffCases>> {
  const isClosed = view === 'closed'
  let found = db.selectFrom('staff_case').where('closed_at', isClosed ? 'is not' : 'is', null)
  if (view === 'mine') found = found.where('owner_id', '=', readerId)
  const total = await db
    .selectFrom(found.select('id').limit(MAX_COUNTED).as('counted'))
    .select(sql<number>`count(*)::int`.as('count'))
    .executeTakeFirstOrThrow()
  if (before !== undefined)
    found = found.where(
      isClosed
        ? sql<boolean>`(closed_at, id) < (select closed_at, id from staff_case where public_id = ${before})`
        : sql<boolean>`(due_at, id) > (select due_at, id from staff_case where public_id = ${before})`,
    )
  const direction = isClosed ? 'desc' : 'asc'
  const rows = await found
    .selectAll()
    .orderBy(isClosed ? 'closed_at' : 'due_at', direction)
    .orderBy('id', direction)
    .limit(limit)
    .execute()
  return { data: await described(db, rows), meta: { total: total.count, page: 1, limit } }
}

/** Reads the open case about a member; undefined if there is none. */
export async function openCaseOf(db: Db, memberId: bigint): Promise<CaseRow | undefined> {
  const rows = await db.selectFrom('staff_case').selectAll().where('member_id', '=', memberId).where('closed_at', 'is', null).execute()
  return (await described(db, rows))[0]
}

async function described(db: Db, rows: readonly Row[]): Promise<CaseRow[]> {
  const people = await membersById(
    db,
    rows.flatMap((row) => [row.member_id, row.owner_id, row.closed_by].filter((id) => id !== null)),
  )
  return rows.map((row) => ({
    id: row.public_id,
    member: personOf(people.get(row.member_id)),
    title: row.title,
    reason: row.reason,
    owner: row.owner_id === null ? null : personOf(people.get(row.owner_id)),
    openedAt: row.opened_at,
    dueAt: row.due_at,
    outcome: caseOutcomes.find((one) => one === row.outcome) ?? null,
    outcomeReason: row.outcome_reason,
    closedBy: row.closed_by === null ? null : personOf(people.get(row.closed_by)),
    closedAt: row.closed_at,
  }))
}
