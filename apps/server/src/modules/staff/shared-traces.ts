import type { ListQuery } from '@tizara/contract'
import { type RawBuilder, sql } from 'kysely'
import type { Lease } from '../../jobs/lease.ts'
import type { Db, Tx } from '../../platform/database.ts'
import type { Deps } from '../../platform/deps.ts'
import { readSlice } from '../../platform/paging.ts'
import { LEVELS } from '../rewards/index.ts'

/** Sessions or payouts looked at in one transaction. */
const BATCH = 500
/** An address with more people behind it is a network, not a household. */
const CROWD = 50
/** What was written within the last minute is looked at later: rows of lower ids may not be committed yet. */
const SETTLED_MS = 60_000

/** A member and somebody of the five levels above who look like one person. A hint for staff, not a proof. */
export interface SharedTrace {
  id: bigint
  memberId: bigint
  uplineId: bigint
  level: number
  /** Both signed in from the same internet address. */
  sameAddress: boolean
  /** And with the same browser. */
  sameDevice: boolean
  /** Both asked for a payout to the same wallet address. */
  samePayoutAddress: boolean
  firstSeenAt: Date
  lastSeenAt: Date
}

/**
 * Looks at the sessions and payouts that are new since the last time, and notes who shares them with an upline.
 * @returns how many sessions and payouts were looked at
 */
export async function noteSharedTraces(lease: Lease, deps: Deps): Promise<number> {
  let seen = 0
  for (const look of [lookAtSessions, lookAtPayouts]) {
    seen += await lease.untilDone(async (tx) => {
      const done = await look(tx, deps.clock.now())
      return { done, more: done === BATCH }
    })
  }
  return seen
}

/** Pairs (`one`, `other`) of members with what they share, kept where the later one stands below the earlier one. */
const keep = (pairs: RawBuilder<unknown>, now: Date) => sql`
  pair as (
    select greatest(one, other) as member_id, least(one, other) as upline_id, bool_or(same_address) as same_address,
      bool_or(same_device) as same_device, bool_or(same_payout_address) as same_payout_address
    from (${pairs}) p where one <> other group by 1, 2
  ), line as (
    select t.member_id, t.sponsor_id as upline_id, 1 as level from team_member t
    where t.member_id in (select member_id from pair) and t.sponsor_id is not null
    union all
    select line.member_id, t.sponsor_id, line.level + 1 from line join team_member t on t.member_id = line.upline_id
    where t.sponsor_id is not null and line.level < ${LEVELS}
  ), written as (
    insert into shared_trace as held (member_id, upline_id, level, same_address, same_device, same_payout_address, first_seen_at, last_seen_at)
    select pair.member_id, pair.upline_id, line.level, same_address, same_device, same_payout_address, ${now}, ${now}
    from pair join line on line.member_id = pair.member_id and line.upline_id = pair.upline_id order by 1, 2
    on conflict (member_id, upline_id) do update set same_address = held.same_address or excluded.same_address,
      same_device = held.same_device or excluded.same_device,
      same_payout_address = held.same_payout_address or excluded.same_payout_address, last_seen_at = excluded.last_seen_at
  )`

async function lookAtSessions(tx: Tx, now: Date): Promise<number> {
  const settled = new Date(now.getTime() - SETTLED_MS)
  const done = await sql<{ seen: number }>`
    with recursive fresh as (
      select s.id, s.member_id, s.ip, s.user_agent from session s, shared_trace_progress p
      where s.id > p.session_id and s.id <= (select max(id) from session where created_at <= ${settled}) order by s.id limit ${BATCH}
    ), place as (
      select distinct ip from fresh f
      where (select count(*) from (select distinct member_id from session s where s.ip = f.ip limit ${CROWD + 1}) c) <= ${CROWD}
    ), ${keep(
      sql`select f.member_id as one, s.member_id as other, true as same_address, s.user_agent = f.user_agent as same_device, false as same_payout_address
        from fresh f join place on place.ip = f.ip join session s on s.ip = f.ip`,
      now,
    )}, progress as (
      update shared_trace_progress p set session_id = greatest(p.session_id, (select max(id) from fresh)) where exists (select from fresh)
    )
    select count(*)::int as seen from fresh`.execute(tx)
  return done.rows[0]?.seen ?? 0
}

async function lookAtPayouts(tx: Tx, now: Date): Promise<number> {
  const settled = new Date(now.getTime() - SETTLED_MS)
  const done = await sql<{ seen: number }>`
    with recursive fresh as (
      select r.id, r.member_id, lower(r.address) as address from payout_request r, shared_trace_progress p
      where r.id > p.payout_id and r.id <= (select max(id) from payout_request where created_at <= ${settled}) order by r.id limit ${BATCH}
    ), ${keep(
      sql`select f.member_id as one, r.member_id as other, false as same_address, false as same_device, true as same_payout_address
        from (select distinct member_id, address from fresh) f
        cross join lateral (select distinct member_id from payout_request where lower(address) = f.address) r`,
      now,
    )}, progress as (
      update shared_trace_progress p set payout_id = greatest(p.payout_id, (select max(id) from fresh)) where exists (select from fresh)
    )
    select count(*)::int as seen from fresh`.execute(tx)
  return done.rows[0]?.seen ?? 0
}

/** A page of what was noted, newest first. */
export async function listSharedTraces(
  db: Db,
  query: ListQuery,
): Promise<{ rows: SharedTrace[]; meta: { total: number; page: number; limit: number } }> {
  const { page, limit, offset, since, before } = readSlice(query)
  let found = db.selectFrom('shared_trace')
  if (since !== undefined) found = found.where('first_seen_at', '>=', since)
  if (before !== undefined) found = found.where('first_seen_at', '<', before)
  const { total } = await found.select(sql<number>`count(*)::int`.as('total')).executeTakeFirstOrThrow()
  const rows = await found.selectAll().orderBy('id', 'desc').limit(limit).offset(offset).execute()
  return {
    rows: rows.map((row) => ({
      id: row.id,
      memberId: row.member_id,
      uplineId: row.upline_id,
      level: row.level,
      sameAddress: row.same_address,
      sameDevice: row.same_device,
      samePayoutAddress: row.same_payout_address,
      firstSeenAt: row.first_seen_at,
      lastSeenAt: row.last_seen_at,
    })),
    meta: { total, page, limit },
  }
}

/** Whether two members look like one person, as far as is known: the one stands below the other and shares traces. */
export async function shareTraces(db: Db, one: bigint, other: bigint): Promise<boolean> {
  const [lower, upper] = one < other ? [one, other] : [other, one]
  const found = await sql`select from shared_trace where upline_id = ${lower} and member_id = ${upper}`.execute(db)
  return found.rows.length > 0
}
