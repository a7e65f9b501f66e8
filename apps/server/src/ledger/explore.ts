import type { Units } from '@tizara/money'
import { sql } from 'kysely'
import type { Db } from '../platform/db/database.ts'
import { type AnyAccountRef, accountOf, type Asset } from './chart-of-accounts.ts'
import type { Cause } from './posting.ts'
import { type Receipt, toReceipt, type TransferRow } from './statement.ts'

const MAX_BIGINT = 9_223_372_036_854_775_807n

/** Returns the id range of one account: a wallet, or all shards of a system account, whose number is −(account × 1000 + asset × 100 + shard). */
const shardRange = (number: bigint): { from: bigint; to: bigint } =>
  number > 0n ? { from: number, to: number } : { from: (number / 100n) * 100n - 99n, to: (number / 100n) * 100n }

/** Returns the account number for display, without its shard. */
export const shownNumber = (number: bigint): bigint => (number > 0n ? number : (number / 100n) * 100n)

/** Kinds without an index of their own (schema.sql), because they are frequent: a scan of the account soon finds one. */
const FREQUENT_KINDS: readonly string[] = [
  'buyToken',
  'stake',
  'nftPurchase',
  'stakeRewards',
  'stakeLogRewards',
  'nftRewards',
  'referralReward',
  'levelReward',
  'nftLevelBonus',
  'userToUser',
  'shardMove',
]

export interface EntrySearch {
  kind?: string | undefined
  /** Id range of the requested period. The query reads no row outside it. */
  afterId?: bigint | undefined
  upToId?: bigint | undefined
  since?: Date | undefined
  until?: Date | undefined
  /** Only transfers before this id. */
  before?: bigint | undefined
  limit: number
}

/** One entry of an account. For a system account, all shards count as one account. */
export interface Entry {
  transferId: bigint
  at: Date
  kind: string
  /** Signed units. */
  amount: Units
  /** Balance of the whole account over all shards after this transfer, in order of ids. */
  balanceAfter: Units
  other: bigint
  asset: Asset
  cause: Cause
}

/** Reads the balance of each shard of an account, in order; none for a missing account. */
export async function shardsOfAccount(db: Db, number: bigint): Promise<{ number: bigint; balance: Units; asset: Asset }[]> {
  const { from, to } = shardRange(number)
  const found = await sql<{ number: bigint; balance: bigint; asset: Asset }>`
    select id as number, balance, asset from ledger_account where id between ${from} and ${to} order by id desc`.execute(db)
  return found.rows
}

interface Row {
  id: bigint
  created_at: Date
  kind: string
  amount: bigint
  other: bigint
  asset: Asset
  cause_type: string
  cause_id: string
}

/** Reads an account's entries, newest first. Moves between its own shards are omitted. */
export async function entriesOf(db: Db, number: bigint, search: EntrySearch): Promise<Entry[]> {
  const { from, to } = shardRange(number)
  const below = search.before === undefined ? (search.upToId ?? MAX_BIGINT) : search.before - 1n
  const side = (own: 'debit_account' | 'credit_account', other: 'credit_account' | 'debit_account', sign: bigint) => sql`(
    select id, created_at, kind, ${sign}::bigint * amount as amount, ${sql.ref(other)} as other, asset, cause_type, cause_id
    from ledger_transfer where ${sql.ref(own)} = shard.id and id <= ${below} and id > ${search.afterId ?? 0n}
      and ${search.kind === undefined ? sql`kind <> 'shardMove'` : sql`kind = ${search.kind}`}
      and ${search.since === undefined ? sql`true` : sql`created_at >= ${search.since}`}
      and ${search.until === undefined ? sql`true` : sql`created_at < ${search.until}`}
    order by id desc limit ${search.limit})`
  const { kind } = search
  const byKind = (own: 'debit_account' | 'credit_account', other: 'credit_account' | 'debit_account', sign: bigint) => sql`(
    select id, created_at, kind, ${sign}::bigint * amount as amount, ${sql.ref(other)} as other, asset, cause_type, cause_id
    from ledger_transfer where kind = ${sql.lit(kind ?? '')} and ${sql.ref(own)} between ${from} and ${to} and id <= ${below} and id > ${search.afterId ?? 0n}
      and ${search.since === undefined ? sql`true` : sql`created_at >= ${search.since}`}
      and ${search.until === undefined ? sql`true` : sql`created_at < ${search.until}`}
    order by kind desc, id desc limit ${search.limit})`
  const rare = kind !== undefined && !FREQUENT_KINDS.includes(kind)
  const { rows } = rare
    ? await sql<Row>`select * from (${byKind('debit_account', 'credit_account', -1n)} union all ${byKind('credit_account', 'debit_account', 1n)}) line
      order by id desc limit ${search.limit}`.execute(db)
    : await sql<Row>`
    select line.* from (select id from ledger_account where id between ${from} and ${to}) shard
    cross join lateral (${side('debit_account', 'credit_account', -1n)} union all ${side('credit_account', 'debit_account', 1n)}) line
    order by line.id desc limit ${search.limit}`.execute(db)
  const after = await balancesAfter(
    db,
    number,
    rows.map((row) => row.id),
  )
  return rows.map((row) => ({
    transferId: row.id,
    at: row.created_at,
    kind: row.kind,
    amount: row.amount,
    balanceAfter: after.get(row.id) ?? 0n,
    other: row.other,
    asset: row.asset,
    cause: { type: row.cause_type, id: row.cause_id },
  }))
}

/** Counts an account's entries, up to a maximum. Moves between its own shards are omitted. */
export async function countEntries(db: Db, number: bigint, search: Omit<EntrySearch, 'before' | 'limit'>, max: number): Promise<number> {
  const { from, to } = shardRange(number)
  const side = (own: 'debit_account' | 'credit_account') => sql`(
    select from ledger_transfer where ${sql.ref(own)} between ${from} and ${to} and id <= ${search.upToId ?? MAX_BIGINT} and id > ${search.afterId ?? 0n}
      and ${search.kind === undefined ? sql`kind <> 'shardMove'` : sql`kind = ${search.kind}`}
      and ${search.since === undefined ? sql`true` : sql`created_at >= ${search.since}`}
      and ${search.until === undefined ? sql`true` : sql`created_at < ${search.until}`}
    limit ${max})`
  const { rows } = await sql<{ count: number }>`
    select least(count(*), ${max})::int as count from (${side('debit_account')} union all ${side('credit_account')}) counted`.execute(db)
  return rows[0]?.count ?? 0
}

/** Reads an account's balance after each transfer, over all shards: two look-ups per shard and transfer. */
async function balancesAfter(db: Db, number: bigint, ids: readonly bigint[]): Promise<Map<bigint, Units>> {
  const { from, to } = shardRange(number)
  const { rows } = await sql<{ id: bigint; balance: bigint }>`
    select at.id, sum(coalesce((select side.balance from (
        (select id, debit_balance_after as balance from ledger_transfer where debit_account = shard.id and id <= at.id order by id desc limit 1)
        union all
        (select id, credit_balance_after from ledger_transfer where credit_account = shard.id and id <= at.id order by id desc limit 1)) side
      order by side.id desc limit 1), 0))::bigint as balance
    from unnest(${ids}::bigint[]) at (id) cross join (select id from ledger_account where id between ${from} and ${to}) shard
    group by at.id`.execute(db)
  return new Map(rows.map((row) => [row.id, row.balance]))
}

/** Transfers read per wallet in each direction when related transfers are searched. */
const MAX_NEIGHBORS = 2_000

/**
 * Finds related transfers in a member's wallets, at most 50: of the same cause, of the same posting, or the end of a hold. Reads only nearby rows, so that the cost does not grow with the member's history.
 */
export async function transfersOfCause(
  db: Db,
  { transferId, cause }: Pick<Receipt, 'transferId' | 'cause'>,
  ownerId: bigint,
): Promise<Receipt[]> {
  const near = (column: 'debit_account' | 'credit_account', way: 'asc' | 'desc') => sql`
    (select id, posting_id, pending, cause_type, cause_id from ledger_transfer where ${sql.ref(column)} = wallet.id
      and id ${way === 'asc' ? sql`>=` : sql`<`} ${transferId} order by id ${sql.raw(way)} limit ${sql.lit(MAX_NEIGHBORS)})`
  const { rows } = await sql<TransferRow>`
    with own as materialized (
      select near.* from (select id from ledger_account where id between ${ownerId * 16n} and ${ownerId * 16n + 15n}) wallet
      cross join lateral (${near('debit_account', 'asc')} union all ${near('debit_account', 'desc')}
        union all ${near('credit_account', 'asc')} union all ${near('credit_account', 'desc')}) near
      where near.cause_id = ${cause.id} and near.cause_type = ${cause.type}),
    same as (
      select id from own
      union select t.id from ledger_transfer t join own on t.posting_id = own.posting_id where t.posting_id <> t.id
      union select t.id from ledger_transfer t join own on own.posting_id = t.id and t.posting_id = t.id
      union select t.id from ledger_transfer t join own on t.resolves = own.id where own.pending)
    select t.* from ledger_transfer t join same on same.id = t.id order by t.id desc limit 50`.execute(db)
  return rows.map(toReceipt)
}

/**
 * Traces a transfer's money to the source. The chain starts with the newest earlier transfer into the paying wallet, continues with the
 * payer of that transfer, and ends at a system account.
 * @param max maximum length of the chain; the result is empty if the transfer does not exist
 */
export async function sourceOfFunds(db: Db, transferId: bigint, max: number): Promise<Receipt[]> {
  const { rows } = await sql<TransferRow>`
    with recursive line as (
      select t.*, 1 as step from ledger_transfer t where id = ${transferId}
      union all
      select earlier.*, line.step + 1 from line cross join lateral (
        select * from ledger_transfer where credit_account = line.debit_account and id < line.id order by id desc limit 1) earlier
      where line.debit_account > 0 and line.step < ${max})
    select * from line order by step`.execute(db)
  return rows.map(toReceipt)
}

/** Returns the account of an id, or undefined when the chart has no such account. */
export function knownAccount(number: bigint): AnyAccountRef | undefined {
  try {
    return accountOf(number)
  } catch {
    return undefined
  }
}
