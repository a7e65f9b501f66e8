import { type RawBuilder, sql } from 'kysely'
import type { Lease } from '../../../jobs/lease.ts'
import type { Db, Tx } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { LEVELS } from '../../rewards/index.ts'

/** Sessions or payouts per transaction. */
const BATCH = 500
/** Number of members with one IP address above which the address counts as a shared network and not as a household. */
const MAX_HOUSEHOLD = 50
/** Delay in ms before new rows are read, because rows with lower ids may not be committed yet. */
const SETTLED_MS = 60_000

/**
 * Scans new sessions and payouts, and records members who share them with an upline.
 * @returns how many sessions and payouts were scanned
 */
export async function recordLinkedAccounts(lease: Lease, deps: Deps): Promise<number> {
  let seen = 0
  for (const scan of [scanSessions, scanPayouts]) {
    seen += await lease.untilDone(async (tx) => {
      const scanned = await scan(tx, deps.clock.now())
      return { done: scanned, more: scanned === BATCH }
    })
  }
  return seen
}

/** SQL: the trace shows an unreviewed fact, which may invalidate an earlier verdict. */
const HAS_NEW_FACT = sql`((excluded.same_address and not existing.same_address) or (excluded.same_device and not existing.same_device)
  or (excluded.same_payout_address and not existing.same_payout_address))`

/** SQL: saves pairs (`one`, `other`) as linked accounts, if the later member is below the earlier member. */
const upsert = (pairs: RawBuilder<unknown>, now: Date) => sql`
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
    insert into linked_account as existing (member_id, upline_id, level, same_address, same_device, same_payout_address, first_seen_at, last_seen_at)
    select pair.member_id, pair.upline_id, line.level, same_address, same_device, same_payout_address, ${now}, ${now}
    from pair join line on line.member_id = pair.member_id and line.upline_id = pair.upline_id order by 1, 2
    on conflict (member_id, upline_id) do update set same_address = existing.same_address or excluded.same_address,
      same_device = existing.same_device or excluded.same_device,
      same_payout_address = existing.same_payout_address or excluded.same_payout_address, last_seen_at = excluded.last_seen_at,
      times = existing.times + 1, ${sql.join(
        ['verdict', 'reviewed_by', 'reviewed_at', 'review_reason'].map(
          (column) => sql`${sql.ref(column)} = case when ${HAS_NEW_FACT} then null else ${sql.ref(`existing.${column}`)} end`,
        ),
      )}
  )`

async function scanSessions(tx: Tx, now: Date): Promise<number> {
  const settled = new Date(now.getTime() - SETTLED_MS)
  const result = await sql<{ seen: number }>`
    with recursive fresh as (
      select s.id, s.member_id, s.network, s.user_agent from session s, linked_account_progress p
      where s.id > p.session_id and s.id <= (select max(id) from session where created_at <= ${settled}) order by s.id limit ${BATCH}
    ), networks as (
      select distinct network from fresh f
      where (select count(*) from (select distinct member_id from session s where s.network = f.network limit ${MAX_HOUSEHOLD + 1}) c) <= ${MAX_HOUSEHOLD}
    ), ${upsert(
      sql`select f.member_id as one, s.member_id as other, true as same_address, s.user_agent = f.user_agent as same_device, false as same_payout_address
        from fresh f join networks on networks.network = f.network join session s on s.network = f.network`,
      now,
    )}, progress as (
      update linked_account_progress p set session_id = greatest(p.session_id, (select max(id) from fresh)) where exists (select from fresh)
    )
    select count(*)::int as seen from fresh`.execute(tx)
  return result.rows[0]?.seen ?? 0
}

async function scanPayouts(tx: Tx, now: Date): Promise<number> {
  const settled = new Date(now.getTime() - SETTLED_MS)
  const result = await sql<{ seen: number }>`
    with recursive fresh as (
      select r.id, r.member_id, lower(r.address) as address from payout_request r, linked_account_progress p
      where r.id > p.payout_id and r.id <= (select max(id) from payout_request where created_at <= ${settled}) order by r.id limit ${BATCH}
    ), ${upsert(
      sql`select f.member_id as one, r.member_id as other, false as same_address, false as same_device, true as same_payout_address
        from (select distinct member_id, address from fresh) f
        cross join lateral (select distinct member_id from payout_request where lower(address) = f.address and kind <> 'transfer') r`,
      now,
    )}, progress as (
      update linked_account_progress p set payout_id = greatest(p.payout_id, (select max(id) from fresh)) where exists (select from fresh)
    )
    select count(*)::int as seen from fresh`.execute(tx)
  return result.rows[0]?.seen ?? 0
}

/** SQL: a public network. Behind an untrusted proxy all members would share its address. */
const IS_PUBLIC = sql`network !~ '^((127|10|192\.168|172\.(1[6-9]|2[0-9]|3[01])|169\.254)\.|0:0:0:0::/64$|f[cd]|fe80)'`

/** SQL: the public networks of a person's sessions that few people share. */
export const NETWORKS_OF = (memberId: bigint) => sql`
  select network from (select distinct network from session where member_id = ${memberId} and ${IS_PUBLIC}) p
  where (select count(*) from (select distinct member_id from session s where s.network = p.network limit ${MAX_HOUSEHOLD + 1}) c) <= ${MAX_HOUSEHOLD}`

/**
 * Returns the members linked to this member. A link connects a member with an upline. Staff have no upline, so a shared network links staff
 * to members. Two staff are linked if they shared a network before one of them had a role (`staff_link`).
 */
export async function linkedTo(db: Db, one: bigint, others: readonly bigint[]): Promise<ReadonlySet<bigint>> {
  const found = await sql<{ id: bigint }>`
    with networks as materialized (${NETWORKS_OF(one)})
    select upline_id as id from linked_account where member_id = ${one} and upline_id = any(${others}::bigint[])
    union select member_id from linked_account where upline_id = ${one} and member_id = any(${others}::bigint[])
    union select other_id from staff_link where one_id = ${one} and other_id = any(${others}::bigint[]) and confirmed_at is null
    union select one_id from staff_link where other_id = ${one} and one_id = any(${others}::bigint[]) and confirmed_at is null
    union select other.id from member one join member other on other.id = any(${others}::bigint[]) and (other.role = 'MEMBER') <> (one.role = 'MEMBER')
      where one.id = ${one} and exists (select from networks join session s on s.network = networks.network and s.member_id = other.id)`.execute(
    db,
  )
  return new Set(found.rows.map((row) => row.id))
}
