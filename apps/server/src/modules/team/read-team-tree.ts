import type { TeamNode } from '@tizara/contract/team'
import { sql } from 'kysely'
import { AppError } from '../../platform/runtime/app-error.ts'
import type { Db } from '../../platform/db/database.ts'
import { activeMembers, memberByPublicId } from '../members/index.ts'
import type { TeamPorts } from './ports.ts'
import { branchTotals, isWithinTeam } from './team.queries.ts'

/** Levels below the root, and members, per response (API-83). */
const LEVELS = 3
const MAX_NODES = 100
/** Maximum stakes shown per member, newest first. */
const MAX_STAKES = 20

interface NodeRow {
  id: bigint
  sponsorId: bigint | null
  publicId: string
  name: string
  email: string
  rank: string | null
  sponsorCode: string | null
  ownCode: string
  childCount: number
}

/**
 * Reads part of a member's team as a tree (API-82, API-83, EN-47): the root and three levels, at most 100 members. Nearer levels come
 * first, and newer members within a level. To get a missing branch, the client requests it with its member as root. To get more direct
 * referrals, it sends the last one as `after`. Members who join meanwhile are newer, so that pages neither skip nor repeat a member.
 * @param after public id of a direct referral: returns only later ones, and their branches
 * @throws AppError NOT_FOUND if the root is outside the team, or `after` is no direct referral
 */
export async function readTeamTree(
  db: Db,
  ports: Omit<TeamPorts, 'creditedDeposits'>,
  memberId: bigint,
  now: Date,
  { root, after }: { root?: string | undefined; after?: string | undefined },
): Promise<TeamNode> {
  const top = root === undefined ? memberId : await findRoot(db, memberId, root)
  const rows = await nodesBelow(db, top, after === undefined ? undefined : await findReferral(db, top, after))
  const ids = rows.map((row) => row.id)
  const [totals, stakes, active] = await Promise.all([
    branchTotals(db, ids),
    ports.newestStakes(db, ids, MAX_STAKES),
    activeMembers(db, ports, ids, now),
  ])
  const nodes = new Map(
    rows.map((row) => [
      row.id,
      {
        id: row.publicId,
        name: row.name,
        email: row.email,
        rank: row.rank,
        isActive: active.has(row.id),
        referralCode: row.sponsorCode,
        myReferralCode: row.ownCode,
        stakes: (stakes.get(row.id) ?? []).map(({ stakeAmount, createdAt }) => ({ stakeAmount, createdAt })),
        childCount: row.childCount,
        teamStake: totals.get(row.id)?.stake ?? 0n,
        children: [],
      } satisfies TeamNode as TeamNode,
    ]),
  )
  for (const row of rows) {
    const node = nodes.get(row.id)
    if (node !== undefined && row.id !== top && row.sponsorId !== null) nodes.get(row.sponsorId)?.children.push(node)
  }
  const tree = nodes.get(top)
  if (tree === undefined) throw new AppError('NOT_FOUND')
  return tree
}

async function findRoot(db: Db, memberId: bigint, root: string): Promise<bigint> {
  const found = await memberByPublicId(db, root)
  if (found === undefined || !found.is_verified || !(await isWithinTeam(db, memberId, found.id))) throw new AppError('NOT_FOUND')
  return found.id
}

async function findReferral(db: Db, sponsor: bigint, publicId: string): Promise<bigint> {
  const found = await memberByPublicId(db, publicId)
  if (found === undefined || !found.is_verified || found.sponsor_id !== sponsor) throw new AppError('NOT_FOUND')
  return found.id
}

/**
 * Reads the root and the levels below it, newest first within a level, up to the response limit.
 * @param after the direct referral after which the first level begins
 */
async function nodesBelow(db: Db, top: bigint, after: bigint | undefined): Promise<NodeRow[]> {
  const rest = after === undefined ? sql`` : sql`and member_id < ${after}`
  const level = (from: string, those = sql``) => sql`
    select t.member_id, t.sponsor_id from ${sql.table(from)} above
    cross join lateral (
      select member_id, d.sponsor_id from team_member d join member m on m.id = d.member_id and m.is_verified
      where d.sponsor_id = above.member_id ${those} order by member_id desc limit ${MAX_NODES}
    ) t limit ${MAX_NODES}`
  const found = await sql<NodeRow>`
    with level_0 as (select member_id, sponsor_id from team_member where member_id = ${top}),
    level_1 as materialized (${level('level_0', rest)}), level_2 as materialized (${level('level_1')}),
    level_3 as materialized (${level('level_2')}),
    nodes as (
      select *, 0 as level from level_0 union all select *, 1 from level_1 union all select *, 2 from level_2 union all select *, ${LEVELS}::int from level_3
      limit ${MAX_NODES}
    )
    select m.id, m.sponsor_id as "sponsorId", m.public_id as "publicId", m.name, m.email, m.rank, s.referral_code as "sponsorCode",
      m.referral_code as "ownCode", coalesce(r.direct_count, 0) as "childCount"
    from nodes n join member m on m.id = n.member_id left join member s on s.id = m.sponsor_id left join member_referrals r on r.member_id = m.id
    order by n.level, m.id desc`.execute(db)
  return found.rows
}
