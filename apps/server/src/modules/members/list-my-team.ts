import type { ListQuery } from '@tizara/contract'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { readPage, readPageRange } from '../../platform/db/paging.ts'

/** A direct referral in the format of the API (EN-20). */
interface TeamRow {
  id: string
  name: string
  email: string
  myReferralCode: string
  /** Time at which the referral joined. The API has only this date, so later updates must not change it (LS-11, LS-12). */
  updatedAt: Date
}

/** Lists a member's direct referrals by page, newest first (API-56), without unfinished registrations. */
export async function listMyTeam(db: Db, memberId: bigint, query: ListQuery) {
  const pageRange = readPageRange(query)
  const { page, limit, since, before } = pageRange
  let rows = db
    .selectFrom('member')
    .where('sponsor_id', '=', memberId)
    .where(sql<boolean>`is_verified`)
  if (since !== undefined) rows = rows.where('created_at', '>=', since)
  if (before !== undefined) rows = rows.where('created_at', '<', before)
  const total =
    since === undefined && before === undefined
      ? await directCount(db, memberId)
      : Number((await rows.select(sql<bigint>`count(*)`.as('total')).executeTakeFirstOrThrow()).total)
  const found = await readPage(pageRange, total, (order, offset, count) =>
    rows.select(['public_id', 'name', 'email', 'referral_code', 'created_at']).orderBy('id', order).limit(count).offset(offset).execute(),
  )
  const data: TeamRow[] = found.map((row) => ({
    id: row.public_id,
    name: row.name,
    email: row.email,
    myReferralCode: row.referral_code,
    updatedAt: row.created_at,
  }))
  return { data, meta: { total, page, limit } }
}

/** Counts a member's direct referrals. */
export async function directCount(db: Db, memberId: bigint): Promise<number> {
  const row = await db.selectFrom('member_referrals').select('direct_count').where('member_id', '=', memberId).executeTakeFirst()
  return row?.direct_count ?? 0
}
