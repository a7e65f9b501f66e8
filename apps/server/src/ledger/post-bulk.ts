import type { Units } from '@tizara/money'
import { type RawBuilder, sql } from 'kysely'
import { AppError } from '../platform/runtime/app-error.ts'
import { type Db, sqlState } from '../platform/db/database.ts'
import { type SystemKind, systemAccountId, type WalletKind, WALLETS } from './chart-of-accounts.ts'
import type { TransferKindName } from './transfer-kinds.ts'
import { assertNotStopped } from './stop.ts'

/** Credits to many members from one system account: a reward run, or a partition of it. */
export interface BulkInput {
  /** A system account with one row: the reward budget, the operator's money, or imported balances. */
  from: Extract<SystemKind, 'SYS-REWARD' | 'SYS-OPERATOR' | 'SYS-IMPORT'>
  /** Shard of the reward budget filled by a worker; the budget itself by default. */
  shard?: number
  /** The credited wallet, which also determines the asset. */
  to: WalletKind
  kind: TransferKindName
  /** Table of the cause. Each row has its id. */
  causeType: string
  at: Date
  ruleVersion?: number | undefined
  /** Expected sum of the rows, in units. Another sum is rejected. */
  total: Units
  /**
   * A query with the columns `owner_id bigint, amount bigint, cause_id text, key text`: at most one row per member, amounts above 0. If a
   * row's key has been used before, the whole call fails. `null::text` means no key.
   */
  source: RawBuilder<unknown>
}

export interface PostedBulk {
  transfers: number
  total: Units
}

/**
 * Posts one transfer per row of a query, in one set-based statement, all or none. Requires an open transaction and locks the credited
 * accounts until its end. Callers therefore split a run into partitions of some ten thousand members, each with its own transaction.
 * @throws AppError STOPPED during an emergency pause; NOT_COVERED when the system account does not hold the sum; IDEMPOTENCY_KEY_REUSED
 * when a key was used
 * @throws Error when the rows do not add up to `total`, a member occurs twice, an amount is not above 0 or a wallet does not exist
 */
export async function postBulk(tx: Db, input: BulkInput): Promise<PostedBulk> {
  if (input.from === 'SYS-REWARD') await assertNotStopped(tx)
  await sql`create temp table if not exists ledger_bulk (
    owner_id bigint not null, amount bigint not null check (amount > 0), cause_id text not null, key text) on commit drop`.execute(tx)
  await sql`insert into ledger_bulk (owner_id, amount, cause_id, key)
    select owner_id, amount, cause_id, key from (${input.source}) source order by owner_id`.execute(tx)
  await sql`analyze ledger_bulk`.execute(tx)
  const pool = systemAccountId(input.from, WALLETS[input.to].asset) - BigInt(input.shard ?? 0)
  try {
    const posted = await sql<{ transfers: bigint }>`select ledger_post_bulk(${pool}::bigint, ${WALLETS[input.to].number}::bigint,
      ${input.total}::bigint, ${input.kind}, ${input.causeType}, ${input.ruleVersion ?? null}::int, ${input.at}::timestamptz) as transfers`.execute(
      tx,
    )
    return { transfers: Number(posted.rows[0]?.transfers ?? 0n), total: input.total }
  } catch (error) {
    if (sqlState(error) === 'TZ001') throw new AppError('NOT_COVERED')
    if (sqlState(error) === '23505') throw new AppError('IDEMPOTENCY_KEY_REUSED')
    throw error
  }
}
