import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import type { CreditedDeposit } from '../team/index.ts'

/** Returns each member's newest credited deposits, up to a maximum per member. */
export async function creditedDeposits(db: Db, memberIds: readonly bigint[], limit: number): Promise<Map<bigint, CreditedDeposit[]>> {
  const { rows } = await sql<CreditedDeposit & { memberId: bigint }>`
    select w.id as "memberId", d.public_id as id, d.method, d.usd_amount as amount, d.created_at as "createdAt"
    from unnest(${memberIds}::bigint[]) w (id) cross join lateral (
      select id, public_id, method, usd_amount, created_at from deposit where member_id = w.id and status = 'APPROVE' order by id desc limit ${limit}
    ) d order by d.id desc`.execute(db)
  return Map.groupBy(rows, ({ memberId }) => memberId)
}
