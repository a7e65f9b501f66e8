import type { Units } from '@tizara/money'
import { sql } from 'kysely'
import type { Db, Tx } from '../platform/db/database.ts'
import { DAY_MS } from '../platform/runtime/clock.ts'
import type { TransferKindName } from './transfer-kinds.ts'
import {
  type AnySystemKind,
  type Asset,
  systemAccountId,
  rewardShard,
  shardsOf,
  type SystemKind,
  type WalletKind,
  walletKinds,
  walletId,
} from './chart-of-accounts.ts'

/** Opens the seven wallets of a new member, all empty. Does nothing for existing wallets. */
export async function openAccounts(tx: Db, ownerId: bigint): Promise<void> {
  await openAccountsOf(tx, [ownerId])
}

/** Opens the seven wallets of many members in one statement. */
export async function openAccountsOf(tx: Db, ownerIds: readonly bigint[]): Promise<void> {
  await sql`select ledger_open_accounts(${ownerIds}::bigint[])`.execute(tx)
}

/** Reads the balances of a member's seven wallets, in units; 0 for an unused wallet. */
export async function balancesOf(db: Db, ownerId: bigint): Promise<Record<WalletKind, Units>> {
  const found = await sql<{ kind: WalletKind; balance: bigint }>`
    select kind, balance from ledger_account where id between ${ownerId * 16n} and ${ownerId * 16n + 15n}`.execute(db)
  const stored = new Map(found.rows.map((row) => [row.kind, row.balance]))
  const [deposit, native, ico, newIco, stake, nft, rcm] = walletKinds.map((kind) => stored.get(kind) ?? 0n)
  return {
    depositWallet: deposit ?? 0n,
    nativeWallet: native ?? 0n,
    icoWallet: ico ?? 0n,
    newIcoWallet: newIco ?? 0n,
    stakeWallet: stake ?? 0n,
    nftWallet: nft ?? 0n,
    rcmWallet: rcm ?? 0n,
  }
}

/** Reads the balance of one wallet kind for several members, in units. The map has no entry for a member without the wallet. */
export async function balancesIn(db: Db, wallet: WalletKind, ownerIds: readonly bigint[]): Promise<Map<bigint, Units>> {
  const found = await sql<{ owner: bigint; balance: Units }>`
    select owner_id as owner, balance from ledger_account
    where id = any (${ownerIds.map((owner) => walletId(owner, wallet))}::bigint[])`.execute(db)
  return new Map(found.rows.map((row) => [row.owner, row.balance]))
}

/** SQL over member `m`: a text that changes with each transfer in the member's wallets. */
export const walletsMark = sql<string>`(select coalesce(sum(a.version), 0)::text from ledger_account a where a.id between m.id * 16 and m.id * 16 + 15)`

/** Balance of one system account in one asset, over all shards. */
export interface SystemBalance {
  system: AnySystemKind
  asset: Asset
  balance: Units
}

/** Reads all system accounts, in units. A negative balance is a liability. */
export async function systemBalances(db: Db): Promise<SystemBalance[]> {
  const found = await sql<SystemBalance>`
    select kind as system, asset, sum(balance)::bigint as balance from ledger_account where id < 0 group by kind, asset order by kind, asset`.execute(
    db,
  )
  return found.rows
}

/**
 * Reads the balance of a system account in one asset, in units, over all shards.
 * @throws RangeError for an account missing in that asset
 */
export async function balanceOfSystemAccount(db: Db, system: AnySystemKind, asset: Asset): Promise<Units> {
  const found = await sql<{ balance: bigint }>`select ${systemBalance(system, asset)} as balance`.execute(db)
  return found.rows[0]?.balance ?? 0n
}

/** SQL for the same. Shard ids are adjacent. */
const systemBalance = (system: AnySystemKind, asset: Asset) => {
  const first = systemAccountId(system, asset)
  return sql<Units>`(select coalesce(sum(balance), 0)::bigint from ledger_account where id between ${first - 99n} and ${first})`
}

/**
 * Locks the unclaimed reward budget until the transaction ends. Amounts claimed by reward workers are excluded.
 * @returns units
 */
export async function lockFreeBudget(tx: Tx, asset: Asset): Promise<Units> {
  const found = await sql<{ balance: bigint }>`
    select balance from ledger_account where id = ${rewardShard(asset, 0)} for no key update`.execute(tx)
  return found.rows[0]?.balance ?? 0n
}

/** Locks all shards of system accounts until the transaction ends, in the order in which postings lock accounts. */
export async function lockSystemAccounts(tx: Tx, asset: Asset, systems: readonly SystemKind[]): Promise<void> {
  const ids = systems.flatMap((system) => shardsOf(system, asset))
  await sql`select from ledger_account where id = any (${ids}::bigint[]) order by id for no key update`.execute(tx)
}

/**
 * Sums what a system account received from a time on, in units, without moves between its shards. It reads the account's transfers
 * since then by index.
 * @param received.except kind of transfer that does not count
 */
export async function creditedSince(
  db: Db,
  { system, asset, from, except }: { system: SystemKind; asset: Asset; from: Date; except: TransferKindName },
): Promise<Units> {
  // Ids and times differ in order by less than a day.
  const early = new Date(from.getTime() - DAY_MS)
  const found = await sql<{ amount: Units }>`
    select coalesce(sum(t.amount), 0)::bigint as amount
    from (select ledger_last_before(0, ${early}) as id offset 0) b
    join ledger_transfer t on t.credit_account = any (${shardsOf(system, asset)}::bigint[]) and t.id > b.id
    where t.created_at >= ${from} and t.kind not in ('shardMove', ${except})`.execute(db)
  return found.rows[0]?.amount ?? 0n
}

/** Moves a part of the reward budget into a worker's shard. {@link postBulk} pays it out from there. */
export async function moveToShard(tx: Tx, move: { asset: Asset; shard: number; amount: Units; run: bigint; at: Date }): Promise<void> {
  const { asset, shard, amount, run, at } = move
  const moved = await sql<{ outcome: string }>`
    select outcome from ledger_post_one(${rewardShard(asset, 0)}, ${rewardShard(asset, shard)}, ${amount}::bigint, 'shardMove', 'reward_run',
      ${String(run)}, null, ${at})`.execute(tx)
  if (moved.rows[0]?.outcome !== 'posted') throw new Error(`the reward budget does not hold ${amount}`)
}

export async function transferById(
  db: Db,
  id: bigint,
): Promise<{ id: bigint; kind: string; asset: string; amount: Units; at: Date } | undefined> {
  const { rows } = await sql<{ id: bigint; kind: string; asset: string; amount: Units; at: Date }>`
    select id, kind, asset, amount, created_at as at from ledger_transfer where id = ${id}`.execute(db)
  return rows[0]
}
