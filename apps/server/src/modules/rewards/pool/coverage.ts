import type { Units } from '@tizara/money'
import { sql } from 'kysely'
import type { Asset } from '../../../ledger/index.ts'
import type { Db } from '../../../platform/db/database.ts'

/** The operator's commitment for liabilities in addition to the pool. */
export interface RewardPolicy {
  /** Units that the operator has committed to pay into the pool when needed. */
  committed: Record<Asset, Units>
}

export async function currentPolicy(db: Db): Promise<RewardPolicy> {
  const row = await db.selectFrom('reward_policy').selectAll().orderBy('id', 'desc').limit(1).executeTakeFirstOrThrow()
  return { committed: { COIN: row.committed_coin, USD: row.committed_usd } }
}

/** Liabilities and their coverage, in units, for one asset. */
export interface Coverage {
  /** The SYS-REWARD balance. */
  pool: Units
  committed: Units
  /** Maximum that running stakes, NFTs and pending rewards can still pay, including overdue payments. */
  promised: Units
  /** Due rewards that the pool cannot pay yet. */
  owed: Units
}

export async function coverageOf(db: Db, asset: Asset): Promise<Coverage> {
  const found = await sql<Coverage>`select committed, pool, promised, owed from reward_coverage(${asset})`.execute(db)
  const [coverage] = found.rows
  if (coverage === undefined) throw new Error('no reward policy')
  return coverage
}
