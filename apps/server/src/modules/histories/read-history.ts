import type { ListQuery } from '@tizara/contract'
import { type Selectable, sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { readPage, readPageRange } from '../../platform/db/paging.ts'
import type { DB } from '../../platform/db/tables.generated.ts'
import { withAlias } from './count-list-rows.ts'
import type { CountedRows, History } from './history.ts'
import { listCounters } from './list-counters.ts'

type StoredHistory<Table extends keyof DB> = Pick<History, 'kind'> & { counted: CountedRows & { table: Table } }

/**
 * Reads a page of a member's list, newest first, with its counters (API-08, API-09). The cost of the first pages and of the counters does
 * not depend on the length of the history.
 * The index for a table with several lists is (member_id, list column, id desc).
 */
export async function readHistory<Table extends keyof DB>(
  db: Db,
  { kind, counted }: StoredHistory<Table>,
  memberId: bigint,
  query: ListQuery,
) {
  const { table, where, at = 'created_at' } = counted
  const pageRange = readPageRange(query)
  const { page, limit, since, before } = pageRange
  const [name, moment] = [sql.table(table), sql.ref(`r.${at}`)]
  // Passes the member id as an array of one element. With `member_id = …` and another column, PostgreSQL may scan the whole table by
  // primary key until it finds the member's rows.
  const mine =
    where === undefined
      ? sql`r.member_id = ${memberId}`
      : sql`r.member_id = any(array[${memberId}]::bigint[]) and ${sql.raw(withAlias(where)('r'))}`
  const range = sql`${since === undefined ? sql`true` : sql`${moment} >= ${since}`} and ${before === undefined ? sql`true` : sql`${moment} < ${before}`}`
  const counters = await listCounters(db, memberId, kind)
  const total = since === undefined && before === undefined ? counters.total : await countRows()
  const rows = await readPage(pageRange, total, async (order, offset, count) => {
    const keys = order === 'desc' ? sql`r.member_id, r.id desc` : sql`r.member_id desc, r.id`
    const found = await sql<Selectable<DB[Table]>>`
      select r.* from ${name} r where ${mine} and ${range} order by ${where === undefined ? sql`r.id ${sql.raw(order)}` : keys} limit ${count} offset ${offset}`.execute(
      db,
    )
    return found.rows
  })
  return { rows, counters, meta: { total, page, limit } }

  async function countRows(): Promise<number> {
    const found = await sql<{ total: number }>`select count(*)::int as total from ${name} r where ${mine} and ${range}`.execute(db)
    return found.rows[0]?.total ?? 0
  }
}
