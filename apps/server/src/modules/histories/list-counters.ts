import type { HistoryKind } from '@tizara/contract/history-kinds'
import type { Units } from '@tizara/money'
import { sql } from 'kysely'
import type { AuditCheck } from '../../ledger/index.ts'
import type { Db } from '../../platform/db/database.ts'
import { countedTables } from './count-list-rows.ts'
import type { History } from './history.ts'

/** Counts and sums over all rows of a list. */
export interface ListCounters {
  total: number
  /** Units. */
  sum: Units
  /** By status; by kind for NFTs. */
  buckets: Record<string, { rows: number; sum: Units }>
}

/** Reads counts and sums of a member's list. Reads a few counter rows for any length of the list. */
export async function listCounters(db: Db, memberId: bigint, list: HistoryKind): Promise<ListCounters> {
  const found = await sql<{ bucket: string; rows: number; sum: bigint }>`
    select bucket, rows, amount::bigint as sum from member_list_counter where member_id = ${memberId} and list = ${list} and rows > 0`.execute(
    db,
  )
  return {
    total: found.rows.reduce((total, row) => total + row.rows, 0),
    sum: found.rows.reduce((total, row) => total + row.sum, 0n),
    buckets: Object.fromEntries(found.rows.map(({ bucket, rows, sum }) => [bucket, { rows, sum }])),
  }
}

/** SQL over member `m`: a text per list that changes with the list's counters. */
export const counterMarks = sql<Record<string, string> | null>`(select jsonb_object_agg(l.list, l.mark) from (
  select k.list, string_agg(k.bucket || ' ' || k.rows || ' ' || k.amount, ',' order by k.bucket) as mark
  from member_list_counter k where k.member_id = m.id group by k.list) l)`

/** Returns sums by status, for a list's meta. */
export const sumByStatus = (counters: ListCounters): Record<string, Units> =>
  Object.fromEntries(Object.entries(counters.buckets).map(([status, { sum }]) => [status, sum]))

/** Returns the sum without reversed purchases. */
export const sumWithoutReversed = (counters: ListCounters): Units => counters.sum - (counters.buckets['REVERSED']?.sum ?? 0n)

/** Checks the counters against the rows in all lists. */
export function counterCheck(histories: readonly History[]): AuditCheck {
  const rows = countedTables(histories).map(
    ({ table, list, bucket, amount }) =>
      `select r.member_id, ${list('r')} as list, ${bucket('r')} as bucket, ${amount('r')} as amount from ${table} r`,
  )
  return {
    invariant: 'I3',
    title: 'the counters of every list match its rows',
    sql: `
    select coalesce(k.member_id, f.member_id) as member_id, coalesce(k.list, f.list) as list, k.rows, f.rows as found
    from (select * from member_list_counter where rows <> 0 or amount <> 0) k
    full join (select member_id, list, bucket, count(*) as rows, sum(amount) as amount from (${rows.join(' union all ')}) r where list is not null group by 1, 2, 3) f
      on f.member_id = k.member_id and f.list = k.list and f.bucket = k.bucket
    where k.rows is distinct from f.rows or k.amount is distinct from f.amount`,
  }
}
