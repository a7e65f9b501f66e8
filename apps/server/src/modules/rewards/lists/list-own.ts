import type { ListQuery } from '@tizara/contract'
import type { Units } from '@tizara/money'
import { sql } from 'kysely'
import type { Db } from '../../../platform/db/database.ts'
import { readPage, readPageRange } from '../../../platform/db/paging.ts'
import type { Stream } from '../programme/rewards.rules.ts'

/** A daily or monthly reward from a member's own stake or NFT. */
export interface OwnReward {
  sourceId: bigint
  ordinal: number
  amount: Units
  dueAt: Date
  /** True if the run has paid this member. */
  paid: boolean
}

const MAX_DATE = new Date('9999-01-01')

/** SQL condition: the run's payment (alias `p`) has posted the member's credit (alias `c`) to the ledger. */
export const CREDIT_IS_PAID = sql<boolean>`(coalesce((c.sponsor_id, c.member_id) <= (p.cursor_sponsor, p.cursor_member), false)
  and not exists (select from reward_payment_claim t where t.run_id = c.run_id and t.stream = c.stream
    and (c.sponsor_id, c.member_id) > (t.after_sponsor, t.after_member) and (c.sponsor_id, c.member_id) <= (t.last_sponsor, t.last_member)))`

/** Lists a page of a member's own rewards in a stream, newest first (API-64, API-70, API-79), by index. */
export async function listOwn(db: Db, memberId: bigint, stream: Stream, query: ListQuery) {
  const pageRange = readPageRange(query)
  const { page, limit, since, before } = pageRange
  const ranged = since !== undefined || before !== undefined
  const sums = ranged ? await sumRange(db, memberId, stream, since, before) : await sumCredits(db, memberId, stream)
  const rows = await readPage(pageRange, sums.total, (order, offset, count) =>
    readOwn(db, memberId, stream, { since, before }, sql.raw(order), offset, count),
  )
  return { rows, meta: { page, limit, ...sums } }
}

async function readOwn(
  db: Db,
  memberId: bigint,
  stream: Stream,
  { since, before }: { since: Date | undefined; before: Date | undefined },
  order: ReturnType<typeof sql>,
  offset: number,
  limit: number,
): Promise<OwnReward[]> {
  const found = await sql<OwnReward>`
    select f.source_id as "sourceId", f.ordinal, f.amount, f.due_at as "dueAt", ${CREDIT_IS_PAID} as paid
    from (
      select due_at, source_id from reward_accrual
      where member_id = ${memberId} and stream = ${stream} and due_at >= ${since ?? new Date(0)}::timestamptz and due_at < ${before ?? MAX_DATE}::timestamptz
      order by due_at ${order}, source_id ${order} limit ${limit} offset ${offset}
    ) page
    join reward_accrual f on f.member_id = ${memberId} and f.stream = ${stream} and f.due_at = page.due_at and f.source_id = page.source_id
    left join reward_credit c on c.member_id = f.member_id and c.stream = f.stream and c.run_id = f.run_id
    left join reward_payment p on p.run_id = c.run_id and p.stream = c.stream
    order by f.due_at ${order}, f.source_id ${order}`.execute(db)
  return found.rows
}

async function sumCredits(db: Db, memberId: bigint, stream: Stream) {
  const found = await sql<{ total: bigint; paid: bigint; owed: bigint }>`
    select coalesce(sum(c.n0), 0)::bigint as total, coalesce(sum(c.daily) filter (where ${CREDIT_IS_PAID}), 0)::bigint as paid,
      coalesce(sum(c.daily) filter (where not ${CREDIT_IS_PAID}), 0)::bigint as owed
    from reward_credit c left join reward_payment p on p.run_id = c.run_id and p.stream = c.stream
    where c.member_id = ${memberId} and c.stream = ${stream}`.execute(db)
  return readSums(found.rows[0])
}

async function sumRange(db: Db, memberId: bigint, stream: Stream, since: Date | undefined, before: Date | undefined) {
  const found = await sql<{ total: bigint; paid: bigint; owed: bigint }>`
    select count(*) as total, coalesce(sum(f.amount) filter (where ${CREDIT_IS_PAID}), 0)::bigint as paid,
      coalesce(sum(f.amount) filter (where not ${CREDIT_IS_PAID}), 0)::bigint as owed
    from reward_accrual f left join reward_credit c on c.member_id = f.member_id and c.stream = f.stream and c.run_id = f.run_id
    left join reward_payment p on p.run_id = c.run_id and p.stream = c.stream
    where f.member_id = ${memberId} and f.stream = ${stream} and f.due_at >= ${since ?? new Date(0)}::timestamptz and f.due_at < ${before ?? MAX_DATE}::timestamptz`.execute(
    db,
  )
  return readSums(found.rows[0])
}

/** Returns the counts and sums for a list's meta. */
export function readSums(row: { total: bigint; paid: bigint; owed: bigint } | undefined) {
  const { total, paid, owed } = row ?? { total: 0n, paid: 0n, owed: 0n }
  const sumByStatus: Record<string, bigint> = { ...(paid > 0n ? { paid } : {}), ...(owed > 0n ? { owed } : {}) }
  return { total: Number(total), sum: paid + owed, sumByStatus }
}
