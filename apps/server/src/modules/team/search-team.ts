import type { ListQuery } from '@tizara/contract'
import type { Units } from '@tizara/money'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { readPageRange } from '../../platform/db/paging.ts'
import { branchTotals, downlineCount } from './team.queries.ts'

/** A team member, with the path to them. */
interface FoundPerson {
  id: string
  name: string
  email: string
  myReferralCode: string
  level: number
  teamStake: Units
  path: { id: string; name: string }[]
}

/** Maximum members shown per search. */
const MAX_MATCHES = 200
/**
 * Maximum size of a team that is searched directly. For a larger team, the server searches all members and then checks that they belong to
 * the team.
 */
const SMALL_TEAM = 5000

/** Searches a member's downline by name or email prefix, or by referral code. */
export async function searchTeam(db: Db, memberId: bigint, text: string, query: ListQuery) {
  const { page, limit, offset } = readPageRange(query)
  const start = likeStart(text)
  const small = (await downlineCount(db, memberId)) <= SMALL_TEAM
  const matches = sql`(lower(m.name) like ${start} escape '!' or m.email like ${start} escape '!' or m.referral_code = ${text.toUpperCase()})`
  const candidates = small
    ? sql`select down.member_id as id from down join member m on m.id = down.member_id where ${matches}`
    : sql`(select id from member where lower(name) like ${start} escape '!' limit ${SMALL_TEAM})
        union (select id from member where email like ${start} escape '!' limit ${SMALL_TEAM})
        union select id from member where referral_code = ${text.toUpperCase()}`
  const found = await sql<{ id: bigint; publicId: string; name: string; email: string; code: string; depth: number }>`
    with recursive top as (select member_id, depth from team_member where member_id = ${memberId}),
    down as (
      select t.member_id from team_member t where t.sponsor_id = ${memberId} and ${small}
      union all
      select t.member_id from down join team_member t on t.sponsor_id = down.member_id
    ), hit as materialized (${candidates})
    select m.id, m.public_id as "publicId", m.name, m.email, m.referral_code as code, t.depth - top.depth as depth
    from hit join member m on m.id = hit.id join team_member t on t.member_id = m.id cross join top
    where m.is_verified and t.depth > top.depth and team_is_within(${memberId}::bigint, m.id)
    order by t.depth, m.id desc limit ${MAX_MATCHES}`.execute(db)
  const rows = found.rows.slice(offset, offset + limit)
  const [totals, paths] = await Promise.all([
    branchTotals(
      db,
      rows.map((row) => row.id),
    ),
    pathsTo(
      db,
      memberId,
      rows.map((row) => row.id),
    ),
  ])
  const data: FoundPerson[] = rows.map((row) => ({
    id: row.publicId,
    name: row.name,
    email: row.email,
    myReferralCode: row.code,
    level: row.depth,
    teamStake: totals.get(row.id)?.stake ?? 0n,
    path: paths.get(row.id) ?? [],
  }))
  return { data, meta: { total: found.rows.length, page, limit } }
}

const likeStart = (text: string) => `${text.toLowerCase().replace(/[!%_]/g, '!$&')}%`

/** Returns the path from the leader's direct referral down to each member. */
async function pathsTo(db: Db, leaderId: bigint, ids: readonly bigint[]): Promise<Map<bigint, { id: string; name: string }[]>> {
  const found = await sql<{ person: bigint; publicId: string; name: string }>`
    with recursive up as (
      select w.id as person, t.member_id, t.sponsor_id, t.depth from unnest(${ids}::bigint[]) w (id) join team_member t on t.member_id = w.id
      union all
      select up.person, t.member_id, t.sponsor_id, t.depth from up join team_member t on t.member_id = up.sponsor_id where t.member_id <> ${leaderId}
    )
    select up.person, m.public_id as "publicId", m.name from up join member m on m.id = up.member_id order by up.person, up.depth`.execute(
    db,
  )
  const paths = new Map<bigint, { id: string; name: string }[]>()
  for (const { person, publicId, name } of found.rows) paths.set(person, [...(paths.get(person) ?? []), { id: publicId, name }])
  return paths
}
