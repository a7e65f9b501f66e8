import type { ListQuery } from '@tizara/contract'
import type { HistoryKind } from '@tizara/contract/history-kinds'
import type { RewardStatus } from '@tizara/contract/rewards'
import type { Units } from '@tizara/money'
import { sql } from 'kysely'
import type { Db } from '../../../platform/db/database.ts'
import { readPage, readPageRange } from '../../../platform/db/paging.ts'
import type { InstantKind } from '../programme/rewards.rules.ts'
import { sumOfEarned, type RewardCounters, readRewardCounters } from '../instant/reward-counters.ts'

/** An instant reward with the member who caused it. */
export interface InstantRow {
  id: bigint
  amount: Units
  level: number
  status: RewardStatus
  createdAt: Date
  releaseAt: Date
  causeId: bigint
  /** The buyer's or staker's email address; the beneficiary's address for a rank. */
  email: string
  rank: string | null
  base: Units
  /** Coin units bought, for a referral reward; units staked or paid for other kinds. */
  causeAmount: Units | null
  /** Staff's reason for the cancellation. */
  reason: string | null
  /** Reason why a coin purchase has no reward. */
  unearned: string | null
}

export const INSTANT_HISTORIES = {
  referral: 'referral-reward',
  level: 'level-reward',
  'nft-level': 'nft-level-bonus',
  rank: 'rank-bonus',
} as const satisfies Record<InstantKind, HistoryKind>

/**
 * Lists a page of a member's instant rewards by kind, newest first (API-61, API-62, API-71, API-81). The totals of the list come from
 * counters, so that their cost does not grow with the history.
 */
export async function listInstant(db: Db, memberId: bigint, kind: InstantKind, query: ListQuery) {
  const pageRange = readPageRange(query)
  const { page, limit, since, before } = pageRange
  const ranged = since !== undefined || before !== undefined
  // Finds the ids of the page with an index-only scan, if no range is given.
  const range = ranged
    ? sql`created_at >= ${since ?? new Date(0)}::timestamptz and created_at < ${before ?? new Date('9999-01-01')}::timestamptz`
    : sql`true`
  const counters =
    since === undefined && before === undefined ? await readRewardCounters(db, memberId, kind) : await countRange(db, memberId, kind, range)
  const rows = await readPage(pageRange, counters.total, (order, offset, count) =>
    readInstant(db, memberId, kind, range, sql.raw(order), offset, count),
  )
  return { rows, meta: { total: counters.total, page, limit, sum: counters.sum, sumByStatus: counters.byStatus } }
}

async function readInstant(
  db: Db,
  memberId: bigint,
  kind: InstantKind,
  range: ReturnType<typeof sql>,
  order: ReturnType<typeof sql>,
  offset: number,
  limit: number,
): Promise<InstantRow[]> {
  const found = await sql<InstantRow>`
    select i.id, i.amount, i.level::int as level, i.status, i.created_at as "createdAt", i.release_at as "releaseAt", i.cause_id as "causeId",
      m.email, i.rank, i.base, i.cause_amount as "causeAmount", i.cancel_reason as reason, i.unearned_reason as unearned
    from (
      select id from reward_instant where beneficiary_id = ${memberId} and kind = ${kind} and ${range} order by id ${order} limit ${limit} offset ${offset}
    ) page join reward_instant i on i.id = page.id join member m on m.id = coalesce(i.source_member_id, i.beneficiary_id)
    order by i.id ${order}`.execute(db)
  return found.rows
}

async function countRange(db: Db, memberId: bigint, kind: InstantKind, range: ReturnType<typeof sql>): Promise<RewardCounters> {
  const found = await sql<{ status: string; rows: bigint; amount: bigint }>`
    select status, count(*) as rows, sum(amount)::bigint as amount from reward_instant
    where beneficiary_id = ${memberId} and kind = ${kind} and ${range} group by status`.execute(db)
  return {
    total: Number(found.rows.reduce((total, row) => total + row.rows, 0n)),
    sum: sumOfEarned(found.rows),
    byStatus: Object.fromEntries(found.rows.map((row) => [row.status, row.amount])),
  }
}

/** Returns the keys common to all instant reward rows. */
export const instantExtras = <Kind extends InstantKind>(kind: Kind, row: InstantRow) => ({
  id: String(row.id),
  receipt: { kind: INSTANT_HISTORIES[kind], id: String(row.id) },
  status: row.status,
  ...(row.status === 'unearned' ? {} : { releaseAt: row.releaseAt }),
  ...(row.reason === null ? {} : { reason: row.reason }),
})
