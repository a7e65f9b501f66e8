import type { Units } from '@tizara/money'
import { sql } from 'kysely'
import { type Asset, houseBalance } from '../../../ledger/index.ts'
import type { Db, Tx } from '../../../platform/database.ts'

/** What the operator has set against promised rewards besides the pool. */
export interface RewardPolicy {
  /** `enforce`: sales stop when promises are not covered; `observe`: they are only shown. */
  coverageMode: 'enforce' | 'observe'
  /** What the operator has bound itself to put into the pool when it is needed, in units. */
  committed: Record<Asset, Units>
}

/** The policy that holds. */
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

const KINDS = {
  COIN: ['daily', 'profit-bounty', 'stake-log', 'stake-log-bounty', 'referral', 'level', 'rank'],
  USD: ['nft-monthly', 'nft-profit-bounty', 'nft-level'],
}

/** What is promised and what stands against it. */
export async function coverageOf(db: Db, asset: Asset): Promise<Coverage> {
  const { enforced: _, ...coverage } = await readCoverage(db, asset)
  return coverage
}

/**
 * The same with whether sales stop when it does not suffice, in one statement, as every group of sales asks for it.
 * Whatever was promised stands in one of the two until it is paid or falls away, however late the runs are.
 */
export async function readCoverage(db: Db, asset: Asset): Promise<Coverage & { enforced: boolean }> {
  const kinds = sql`any (${KINDS[asset]}::text[])`
  const found = await sql<Coverage & { enforced: boolean }>`
    select p.coverage_mode <> 'observe' as enforced, ${sql.ref(asset === 'COIN' ? 'p.committed_coin' : 'p.committed_usd')} as committed,
      ${houseBalance('SYS-REWARD', asset)} as pool,
      ((select coalesce(sum(amount), 0) from reward_promise where kind = ${kinds})
        + (select coalesce(sum(amount::numeric * times), 0) from reward_promise_pending where run_id is null and kind = ${kinds}))::bigint as promised,
      ((select coalesce(sum(total - paid), 0) from reward_payment where paid < total and (stream = 2) = ${asset === 'USD'})
        + (select coalesce(sum(amount - reversed), 0) from reward_instant where status = 'owed' and asset = ${asset}))::bigint as owed
    from reward_policy p order by p.id desc limit 1`.execute(db)
  const [coverage] = found.rows
  if (coverage === undefined) throw new Error('no reward policy')
  return coverage
}
