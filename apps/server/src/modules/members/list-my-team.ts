import { type ListQuery, MAX_ROWS, PAGE_SIZE } from '@tizara/contract'
import { sql } from 'kysely'
import type { Db } from '../../platform/database.ts'

/** A direct referral as the wire shows it (EN-20). */
export interface TeamRow {
  id: string
  name: string
  email: string
  myReferralCode: string
  updatedAt: Date
}

/**
 * A page of the direct referrals of a member, newest first (API-56).
 * @param db where
 * @param memberId the sponsor
 * @param query page, limit and an inclusive range of UTC days of registration
 */
export async function listMyTeam(db: Db, memberId: bigint, query: ListQuery) {
  const page = query.page ?? 1
  const limit = query.limit ?? (query.page === undefined ? MAX_ROWS : PAGE_SIZE)
  let rows = db.selectFrom('member').where('sponsor_id', '=', memberId)
  if (query.from !== undefined) rows = rows.where('created_at', '>=', new Date(`${query.from}T00:00:00Z`))
  if (query.to !== undefined) rows = rows.where('created_at', '<', new Date(Date.parse(`${query.to}T00:00:00Z`) + 86_400_000))
  const found = await rows
    .select(['public_id', 'name', 'email', 'referral_code', 'updated_at'])
    .orderBy('id', 'desc')
    .limit(limit)
    .offset((page - 1) * limit)
    .execute()
  const total =
    query.from === undefined && query.to === undefined
      ? await directCount(db, memberId)
      : Number((await rows.select(sql<bigint>`count(*)`.as('total')).executeTakeFirstOrThrow()).total)
  const data: TeamRow[] = found.map((row) => ({
    id: row.public_id,
    name: row.name,
    email: row.email,
    myReferralCode: row.referral_code,
    updatedAt: row.updated_at,
  }))
  return { data, meta: { total, page, limit } }
}

async function directCount(db: Db, memberId: bigint): Promise<number> {
  const row = await db.selectFrom('member_referrals').select('direct_count').where('member_id', '=', memberId).executeTakeFirst()
  return row?.direct_count ?? 0
}
