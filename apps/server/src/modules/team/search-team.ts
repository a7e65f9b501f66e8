import type { ListQuery } from '@tizara/contract'
import type { Units } from '@tizara/money'
import { sql } from 'kysely'
import type { Db } from '../../platform/database.ts'
import { readSlice } from '../../platform/paging.ts'
import { branchTotals } from './team.queries.ts'

/** Somebody of the team, with the way down to them. */
export interface FoundPerson {
  id: string
  name: string
  email: string
  myReferralCode: string
  level: number
  teamStake: Units
  path: { id: string; name: string }[]
}

/** Names looked through and people shown of one search. */
const MAX_MATCHES = 200

/**
 * People of a member's own downline whose name, mail address or referral code begins with what was typed; a name also by
 * the beginning of any of its words.
 * @param db where
 * @param memberId the leader
 * @param text what was typed, at least 2 characters
 * @param query page and limit
 */
export async function searchTeam(db: Db, memberId: bigint, text: string, query: ListQuery) {
  const { page, limit, offset } = readSlice(query)
  const found = await sql<{ id: bigint; publicId: string; name: string; email: string; code: string; depth: number }>`
    select m.id, m.public_id as "publicId", m.name, m.email, m.referral_code as code, t.depth - top.depth as depth
    from (select member_id, depth from team_member where member_id = ${memberId}) top
    cross join lateral (
      select id from member where lower(name) like ${likeStart(text)} escape '!' union
      select id from member where lower(name) like ${`% ${likeStart(text)}`} escape '!' union
      select id from member where email like ${likeStart(text)} escape '!' union
      select id from member where referral_code = ${text.toUpperCase()}
    ) hit join member m on m.id = hit.id join team_member t on t.member_id = m.id
    where m.id <> ${memberId} and t.depth > top.depth and team_is_within(${memberId}::bigint, m.id)
    order by t.depth, m.id desc limit ${MAX_MATCHES}`.execute(db)
  const rows = found.rows.slice(offset, offset + limit)
  const [totals, paths] = await Promise.all([
    branchTotals(db, rows.map((row) => row.id)),
    pathsTo(db, memberId, rows.map((row) => row.id)),
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

/** From the leader's direct referral down to each person. */
async function pathsTo(db: Db, leaderId: bigint, ids: readonly bigint[]): Promise<Map<bigint, { id: string; name: string }[]>> {
  const found = await sql<{ person: bigint; publicId: string; name: string }>`
    with recursive up as (
      select w.id as person, t.member_id, t.sponsor_id, t.depth from unnest(${ids}::bigint[]) w (id) join team_member t on t.member_id = w.id
      union all
      select up.person, t.member_id, t.sponsor_id, t.depth from up join team_member t on t.member_id = up.sponsor_id where t.member_id <> ${leaderId}
    )
    select up.person, m.public_id as "publicId", m.name from up join member m on m.id = up.member_id order by up.person, up.depth`.execute(db)
  const paths = new Map<bigint, { id: string; name: string }[]>()
  for (const { person, publicId, name } of found.rows) paths.set(person, [...(paths.get(person) ?? []), { id: publicId, name }])
  return paths
}
