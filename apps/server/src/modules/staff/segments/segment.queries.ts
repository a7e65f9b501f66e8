import type { QueryOf } from '@tizara/contract'
import type { staffMembers } from '@tizara/contract/staff-members'
import { segmentEntries } from '@tizara/contract/staff-segments'
import { ONE, type Units } from '@tizara/money'
import { type RawBuilder, sql } from 'kysely'
import { AppError } from '../../../platform/runtime/app-error.ts'
import { DAY_MS } from '../../../platform/runtime/clock.ts'
import type { Db } from '../../../platform/db/database.ts'
import { inMemberState } from '../../members/index.ts'

/** Criteria of a segment, with the state of the members. */
export type Segment = Pick<QueryOf<typeof staffMembers>, keyof typeof segmentEntries | 'state'>

/** A member of a segment, with the figures that staff compare. */
export interface SegmentRow {
  id: bigint
  usd: Units
  staked: Units
  seenAt: Date | null
}

const CRITERIA = Object.keys(segmentEntries) as (keyof typeof segmentEntries)[]

/** Returns true if any criterion of a segment is set. */
export const isSegment = (query: Segment): boolean => CRITERIA.some((name) => query[name] !== undefined)

/**
 * Rejects criteria that no member can meet, and a search beside them.
 * @throws AppError INVALID_INPUT
 */
export function assertSegment({ usdFrom, usdBelow, seenWithin, notSeenFor, ...segment }: Segment & { q?: string | undefined }): void {
  const reject = (path: string, message: string) => new AppError('INVALID_INPUT', {}, [{ path, message }])
  if (usdBelow !== undefined && BigInt(usdBelow) <= BigInt(usdFrom ?? '0')) throw reject('usdBelow', 'No balance is in this range')
  if (seenWithin !== undefined && notSeenFor !== undefined && Number(seenWithin) <= Number(notSeenFor))
    throw reject('notSeenFor', 'No member was seen in this range')
  if ((segment.q ?? '') !== '' && isSegment({ usdFrom, usdBelow, seenWithin, notSeenFor, ...segment }))
    throw reject('q', 'A search and a segment cannot be combined')
}

/** SQL: the balances and the last request of member `m`. Each part reads one index range. */
const FIGURES = sql`
  cross join lateral (select coalesce(sum(balance) filter (where asset = 'USD'), 0)::bigint as usd,
    coalesce(sum(balance) filter (where kind = 'stakeWallet'), 0)::bigint as staked
    from ledger_account where id between m.id * 16 and m.id * 16 + 15) w
  cross join lateral (select (select last_seen_at from session where member_id = m.id order by id desc limit 1) as seen_at) s`

/** SQL: the condition of a segment on `m` and its {@link FIGURES}. A member without a session counts as seen at the registration. */
function conditionOf(segment: Segment, now: Date): RawBuilder<unknown> {
  const { usdFrom, usdBelow, stakedFrom, rank, callingCode, seenWithin, notSeenFor, sign } = segment
  const units = (whole: string) => BigInt(whole) * ONE
  const daysAgo = (days: string) => new Date(now.getTime() - Number(days) * DAY_MS)
  const conditions = [
    rank === undefined ? [] : [sql`lower(m.rank) = ${rank.toLowerCase()}`],
    callingCode === undefined ? [] : [sql`regexp_replace(m.phone, '\\D', '', 'g') like ${`${callingCode}%`}`],
    sign === 'frozen' ? [sql`(m.payouts_stopped_at is not null or m.payouts_frozen_until > ${now})`] : [],
    sign === 'linked'
      ? [
          sql`exists (select from linked_account t where (t.member_id = m.id or t.upline_id = m.id) and t.verdict is distinct from 'harmless')`,
        ]
      : [],
    usdFrom === undefined ? [] : [sql`w.usd >= ${units(usdFrom)}`],
    usdBelow === undefined ? [] : [sql`w.usd < ${units(usdBelow)}`],
    stakedFrom === undefined ? [] : [sql`w.staked >= ${units(stakedFrom)}`],
    seenWithin === undefined ? [] : [sql`s.seen_at >= ${daysAgo(seenWithin)}`],
    notSeenFor === undefined ? [] : [sql`coalesce(s.seen_at, m.created_at) < ${daysAgo(notSeenFor)}`],
  ].flat()
  return conditions.length === 0 ? sql`true` : sql.join(conditions, sql` and `)
}

/** SQL: the newest members before one, as `m`. The number bounds the cost of a page, because no index contains balances. */
const newest = (before: bigint | undefined, scan: number) =>
  sql`(select * from member ${before === undefined ? sql`` : sql`where id < ${before}`} order by id desc limit ${scan}) m`

/**
 * Reads members of a segment, newest first.
 * @param scan number of members read, with and without a match
 * @returns at most `limit` rows, and the id of the last member read; undefined if none is older
 */
export async function readSegment(
  db: Db,
  segment: Segment,
  { now, before, limit, scan }: { now: Date; before: bigint | undefined; limit: number; scan: number },
): Promise<{ rows: SegmentRow[]; last: bigint | undefined }> {
  const [found, read] = await Promise.all([
    sql<SegmentRow>`select m.id, w.usd, w.staked, s.seen_at as "seenAt" from ${newest(before, scan)} ${FIGURES}
      where ${inMemberState(segment.state)} and ${conditionOf(segment, now)} order by m.id desc limit ${limit}`.execute(db),
    sql<{ last: bigint | null; count: number }>`select min(id) as last, count(*)::int as count from ${newest(before, scan)}`.execute(db),
  ])
  const { last, count } = read.rows[0] ?? { last: null, count: 0 }
  return { rows: found.rows, last: count < scan || last === null ? undefined : last }
}

/** Counts the members of a segment among the newest. */
export async function countSegment(db: Db, segment: Segment, { now, scan }: { now: Date; scan: number }): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from ${newest(undefined, scan)}
    ${isSegment(segment) ? FIGURES : sql``}
    where ${inMemberState(segment.state)} and ${conditionOf(segment, now)}`.execute(db)
  return rows[0]?.count ?? 0
}

/** Members that an estimate reads. */
const SAMPLE = 20_000

/** Estimates the number of members of a segment from random pages of the table. It is exact if the ids have a range of at most 20,000. */
export async function estimateSegment(db: Db, segment: Segment, now: Date): Promise<number> {
  const range = await sql<{ count: number }>`select coalesce(max(id) - min(id) + 1, 0)::int as count from member`.execute(db)
  const percent = Math.min(100, (100 * SAMPLE) / Math.max(1, range.rows[0]?.count ?? 0))
  const { rows } = await sql<{ count: number }>`select count(*)::int as count
    from (select * from member tablesample system (${percent})) m ${isSegment(segment) ? FIGURES : sql``}
    where ${inMemberState(segment.state)} and ${conditionOf(segment, now)}`.execute(db)
  return Math.round(((rows[0]?.count ?? 0) * 100) / percent)
}
