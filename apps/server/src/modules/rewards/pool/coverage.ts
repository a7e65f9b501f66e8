import type { Units } from '@tizara/money'
import { sql } from 'kysely'
import type { Asset } from '../../../ledger/index.ts'
import type { Db, Tx } from '../../../platform/db/database.ts'

/** What the operator has set against promised rewards besides the pool. */
export interface RewardPolicy {
  /** `enforce`: sales stop when promises are not covered; `observe`: they are only shown. */
  coverageMode: 'enforce' | 'observe'
  /** What the operator has bound itself to put into the pool when it is needed, in units. */
  committed: Record<Asset, Units>
}

export async function currentPolicy(db: Db): Promise<RewardPolicy> {
  const row = await db.selectFrom('reward_policy').selectAll().orderBy('id', 'desc').limit(1).executeTakeFirstOrThrow()
  return {
    coverageMode: row.coverage_mode === 'observe' ? 'observe' : 'enforce',
    committed: { COIN: row.committed_coin, USD: row.committed_usd },
  }
}

/** Replaces the policy; the earlier ones stay on record. */
export async function setRewardPolicy(
  tx: Tx,
  change: {
    coverageMode?: RewardPolicy['coverageMode']
    committed?: Partial<Record<Asset, Units>>
    at: Date
    by: bigint | null
    reason: string
  },
): Promise<void> {
  const current = await currentPolicy(tx)
  const committed = { ...current.committed, ...change.committed }
  await tx
    .insertInto('reward_policy')
    .values({
      coverage_mode: change.coverageMode ?? current.coverageMode,
      committed_coin: committed.COIN,
      committed_usd: committed.USD,
      reason: change.reason,
      created_by: change.by,
      created_at: change.at,
    })
    .execute()
}

/** What stands against promised rewards, in units of one asset. */
export interface Coverage {
  /** What SYS-REWARD holds. */
  pool: Units
  committed: Units
  /** All that running stakes, NFTs and held rewards may still pay, what is overdue with it. */
  promised: Units
  /** Earned and not yet funded. */
  owed: Units
}

export async function coverageOf(db: Db, asset: Asset): Promise<Coverage> {
  const found = await sql<Coverage>`select committed, pool, promised, owed from reward_coverage(${asset})`.execute(db)
  const [coverage] = found.rows
  if (coverage === undefined) throw new Error('no reward policy')
  return coverage
}
