import { type ExpressionBuilder, sql } from 'kysely'
import type { Db } from '../../platform/database.ts'
import type { Slice } from '../../platform/paging.ts'
import type { DB } from '../../platform/tables.generated.ts'
import type { Member } from './members.queries.ts'

/** Members whose name, e-mail address or phone contains a text, or who have it as referral code; newest first. */
export async function searchMembers(db: Db, text: string, slice: Slice): Promise<{ rows: Member[]; total: number }> {
  const wanted = `%${text.replace(/[\\%_]/g, '\\$&')}%`
  const fits = (eb: ExpressionBuilder<DB, 'member'>) =>
    eb.or([
      eb('name', 'ilike', wanted),
      eb('email', 'ilike', wanted),
      eb('phone', 'like', wanted),
      eb('referral_code', '=', text.toUpperCase()),
    ])
  let found = db.selectFrom('member')
  if (text !== '') found = found.where(fits)
  if (slice.since !== undefined) found = found.where('created_at', '>=', slice.since)
  if (slice.before !== undefined) found = found.where('created_at', '<', slice.before)
  const rows = await found.selectAll().orderBy('id', 'desc').limit(slice.limit).offset(slice.offset).execute()
  const { total } = await found.select(sql<number>`count(*)::int`.as('total')).executeTakeFirstOrThrow()
  return { rows, total }
}

/** Members by their ids of the database. */
export async function membersById(db: Db, ids: readonly bigint[]): Promise<Map<bigint, Member>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('member')
    .selectAll()
    .where('id', 'in', [...new Set(ids)])
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}
