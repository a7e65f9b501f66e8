import type { ListQuery } from '@tizara/contract'
import type { Units } from '@tizara/money'
import { sql } from 'kysely'
import type { Db } from '../../../platform/db/database.ts'
import { readPageRange } from '../../../platform/db/paging.ts'
import { ofSummedRun } from '../runs/open-run.ts'
import { CREDIT_IS_PAID, readSums } from './list-own.ts'
import type { Stream } from '../programme/rewards.rules.ts'

/** A share in a downline member's reward, computed from that reward (RW-04, RW-08). */
export interface Bounty {
  runId: bigint
  level: number
  sourceId: bigint
  /** Number of the reward's day or month within its source. */
  ordinal: number
  sourceMember: bigint
  /** The downline member's whole reward. */
  reward: Units
  /** Percentage of `reward` that the upline gets. */
  percent: Units
  /** The upline's share of `reward`, rounded down. */
  profit: Units
  version: number
  createdAt: Date
  paid: boolean
}

/** The bounties of one run that are on the page. */
interface RunBounties {
  runId: bigint
  /** End of the run's period, shown as `createdAt`. */
  through: Date
  paid: boolean
  /** Number of the run's bounties at each level, nearest first. */
  counts: number[]
  /** Number of the run's bounties before the page. */
  first: number
  /** Maximum number to read from `first` on. */
  wanted: number
}

/**
 * Lists a page of a member's bounties in a stream, newest run first, then by level (API-63, API-72, API-78). Bounties have no rows of their
 * own: the counts in each run's credits locate the run, level and branch of the wanted rows. The cost of a page therefore does not grow
 * with the page number or the size of the team.
 */
export async function listBounties(db: Db, memberId: bigint, stream: Stream, query: ListQuery) {
  const { page, limit, offset } = readPageRange(query)
  const range = sql`r.day >= ${query.from ?? '0001-01-01'}::date and r.day <= ${query.to ?? '9999-01-01'}::date`
  const [sums, parts] = await Promise.all([
    sumBounties(db, memberId, stream, query, range),
    runsOfPage(db, memberId, stream, range, offset, limit),
  ])
  const rows = await rowsOf(db, memberId, stream, parts)
  return { rows, meta: { page, limit, ...sums } }
}

/** Sums bounties from the credits: `n1` to `n5` are their numbers by level, `b1` to `b5` their amounts. */
async function sumBounties(db: Db, memberId: bigint, stream: Stream, query: ListQuery, range: ReturnType<typeof sql>) {
  const ranged = query.from !== undefined || query.to !== undefined
  const found = await sql<{ total: bigint; paid: bigint; owed: bigint }>`
    select coalesce(sum(n1 + n2 + n3 + n4 + n5), 0)::bigint as total,
      coalesce(sum(b1 + b2 + b3 + b4 + b5) filter (where ${CREDIT_IS_PAID}), 0)::bigint as paid,
      coalesce(sum(b1 + b2 + b3 + b4 + b5) filter (where not ${CREDIT_IS_PAID}), 0)::bigint as owed
    from reward_credit c ${ranged ? sql`join reward_run r on r.id = c.run_id and ${range}` : sql``}
    left join reward_payment p on p.run_id = c.run_id and p.stream = c.stream
    where c.member_id = ${memberId} and c.stream = ${stream} and c.eligible and ${ofSummedRun}`.execute(db)
  return readSums(found.rows[0])
}

/** Returns the runs with rows on the page, and the range in each. */
async function runsOfPage(
  db: Db,
  memberId: bigint,
  stream: Stream,
  range: ReturnType<typeof sql>,
  offset: number,
  limit: number,
): Promise<RunBounties[]> {
  const found = await sql<{
    runId: bigint
    through: Date
    paid: boolean
    n1: number
    n2: number
    n3: number
    n4: number
    n5: number
    upto: bigint
  }>`
    select * from (
      select c.run_id as "runId", r.through, ${CREDIT_IS_PAID} as paid, c.n1, c.n2, c.n3, c.n4, c.n5,
        sum(n1 + n2 + n3 + n4 + n5) over (order by c.run_id desc)::bigint as upto
      from reward_credit c join reward_run r on r.id = c.run_id left join reward_payment p on p.run_id = c.run_id and p.stream = c.stream
      where c.member_id = ${memberId} and c.stream = ${stream} and c.eligible and n1 + n2 + n3 + n4 + n5 > 0 and r.status <> 'RECORDING' and ${range}
    ) runs where upto > ${offset} and upto - (n1 + n2 + n3 + n4 + n5) < ${offset + limit} order by "runId" desc`.execute(db)
  return found.rows.map((row) => {
    const counts = [row.n1, row.n2, row.n3, row.n4, row.n5]
    const start = Number(row.upto) - counts.reduce((total, count) => total + count, 0)
    const first = Math.max(0, offset - start)
    return { runId: row.runId, through: row.through, paid: row.paid, counts, first, wanted: offset + limit - start - first }
  })
}

/** Splits a run's range into its levels, nearest first. */
function levelsOf(part: RunBounties): { level: number; skip: number; take: number }[] {
  let skip = part.first
  let missing = part.wanted
  return part.counts.flatMap((there, index) => {
    const take = Math.max(0, Math.min(there - skip, missing))
    const found = take > 0 ? [{ level: index + 1, skip, take }] : []
    skip = Math.max(0, skip - there)
    missing -= take
    return found
  })
}

/** Reads all ranges in one statement, because each row of a page may belong to a different run. */
async function rowsOf(db: Db, memberId: bigint, stream: Stream, parts: readonly RunBounties[]): Promise<Bounty[]> {
  const percents = sql.ref(['p.bounty_percents', 'p.stake_log_bounty_percents', 'p.nft_bounty_percents'][stream] ?? '')
  const levels = parts.flatMap((part) => levelsOf(part).map((one) => ({ ...one, runId: part.runId })))
  const found = await sql<Omit<Bounty, 'createdAt' | 'paid'>>`
    with below as materialized (
      select l.run_id, l.level, b.* from unnest(${levels.map((one) => one.runId)}::bigint[], ${levels.map((one) => one.level)}::int[],
        ${levels.map((one) => one.skip)}::bigint[], ${levels.map((one) => one.take)}::bigint[]) l (run_id, level, skip, take)
      cross join lateral reward_rows_below(l.run_id, ${stream}::smallint, ${memberId}::bigint, l.level, l.skip, l.take)
        with ordinality b (source_member, first_accrual, accruals, branch)
    )
    select b.run_id as "runId", b.level, f.source_id as "sourceId", f.ordinal, f.member_id as "sourceMember", f.amount as reward,
      ${percents}[b.level] as percent, reward_share(f.amount, ${percents}[b.level]) as profit, f.programme_version as version
    from below b
    cross join lateral (select first_due, last_due from reward_run where id = b.run_id limit 1) run
    cross join lateral (
      select * from reward_accrual f where f.member_id = b.source_member and f.stream = ${stream}
        and f.due_at >= run.first_due and f.due_at <= run.last_due and f.run_id = b.run_id
      order by f.due_at desc, f.source_id desc limit b.accruals offset b.first_accrual
    ) f join reward_programme p on p.version = f.programme_version
    order by b.run_id desc, b.level, b.branch, f.due_at desc, f.source_id desc`.execute(db)
  const runs = new Map(parts.map((part) => [part.runId, { createdAt: part.through, paid: part.paid }]))
  return found.rows.map((row) => {
    const run = runs.get(row.runId)
    if (run === undefined) throw new Error('a row of a run that was not asked for')
    return { ...row, ...run }
  })
}
