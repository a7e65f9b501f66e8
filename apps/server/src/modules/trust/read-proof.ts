import { sql } from 'kysely'
import { AppError } from '../../platform/runtime/app-error.ts'
import type { Db } from '../../platform/db/database.ts'
import { ALGORITHM } from './take-snapshot.ts'

/**
 * Returns the path from a member's balances to the newest published root.
 * @throws AppError NOT_FOUND when no tree includes the member yet
 */
export async function readProof(db: Db, memberId: bigint) {
  const own = await db
    .selectFrom('trust_snapshot as s')
    .innerJoin('trust_leaf as l', 'l.snapshot_id', 's.id')
    .select(['s.id', 's.public_id', 's.at', 's.root', 's.levels', 'l.leaf', 'l.position'])
    .where('l.member_id', '=', memberId)
    .orderBy('s.id', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (own === undefined) throw new AppError('NOT_FOUND')
  const found = await sql<{ level: number; hash: string; right: boolean }>`
    select n.level, encode(n.hash, 'hex') as hash, n.position % 2 = 1 as right
    from generate_series(0, ${own.levels}::int) step (level)
    join trust_node n on n.snapshot_id = ${own.id} and n.level = step.level and n.position = (${own.position}::bigint >> step.level) # 1
    where step.level < ${own.levels}::int order by n.level`.execute(db)
  const leafHash = await sql<{ hash: string }>`select encode(sha256(convert_to(${own.leaf}, 'UTF8')), 'hex') as hash`.execute(db)
  return {
    id: own.public_id,
    at: own.at,
    root: own.root,
    algorithm: ALGORITHM,
    leaf: own.leaf,
    leafHash: leafHash.rows[0]?.hash ?? '',
    path: found.rows.map((row) => ({ side: row.right ? ('right' as const) : ('left' as const), hash: row.hash })),
  }
}
