import type { Units } from '@tizara/money'
import { sql } from 'kysely'
import type { AuditCheck } from '../../ledger/index.ts'
import type { Db } from '../../platform/database.ts'

/** The lists whose figures are kept (migration `count_lists`). */
export type CountedList = 'coin' | 'exchange' | 'withdrawal' | 'bridge' | 'stake' | 'stake-log' | 'nft' | 'deposit' | 'ticket'

/** A list's figures over all of a member's rows. */
export interface ListTally {
  total: number
  /** Units. */
  sum: Units
  /** By status; by kind for NFTs. */
  buckets: Record<string, { rows: number; sum: Units }>
}

/** How many rows a member's list has and what they add up to: a few rows, whatever the length of the list. */
export async function listTally(db: Db, memberId: bigint, list: CountedList): Promise<ListTally> {
  const found = await sql<{ bucket: string; rows: number; sum: bigint }>`
    select bucket, rows, amount::bigint as sum from member_tally where member_id = ${memberId} and list = ${list} and rows > 0`.execute(db)
  return {
    total: found.rows.reduce((total, row) => total + row.rows, 0),
    sum: found.rows.reduce((total, row) => total + row.sum, 0n),
    buckets: Object.fromEntries(found.rows.map(({ bucket, rows, sum }) => [bucket, { rows, sum }])),
  }
}

/** The sums of a tally by status, as a list's meta has them. */
export const sumByStatus = (tally: ListTally): Record<string, Units> =>
  Object.fromEntries(Object.entries(tally.buckets).map(([status, { sum }]) => [status, sum]))

/** The sum of a tally without purchases that were undone. */
export const sumOfStanding = (tally: ListTally): Units => tally.sum - (tally.buckets['UNDONE']?.sum ?? 0n)

/** The kept figures against the rows themselves, for the audit. */
export const tallyCheck: AuditCheck = {
  invariant: 'I3',
  title: 'the figures kept of every list are those of its rows',
  sql: `
    select coalesce(k.member_id, f.member_id) as member_id, coalesce(k.list, f.list) as list, k.rows, f.rows as found
    from (select * from member_tally where rows <> 0 or amount <> 0) k
    full join (select member_id, list, bucket, count(*) as rows, sum(amount) as amount from member_list_row group by 1, 2, 3) f
      on f.member_id = k.member_id and f.list = k.list and f.bucket = k.bucket
    where k.rows is distinct from f.rows or k.amount is distinct from f.amount`,
}
