import type { Units } from '@tizara/money'
import { sql } from 'kysely'
import type { Db } from '../platform/db/database.ts'
import { type AnyAccountRef, accountOf, type Asset, walletId, walletKinds, type WalletKind } from './chart-of-accounts.ts'
import type { Cause } from './posting.ts'
import type { TransferRow } from './statement.ts'

/** Search for movements of a member: period, wallets and kinds. */
export interface MovementSearch {
  /** Wallets to search; all seven if omitted. */
  wallet?: WalletKind | undefined
  /** Id range around the period. The queries read no row outside it. */
  afterId?: bigint | undefined
  upToId?: bigint | undefined
  since: Date
  until: Date
}

/** One transfer in a member's wallets. A transfer between two of the selected wallets is one movement. */
export interface WalletMovement {
  transferId: bigint
  at: Date
  kind: string
  direction: 'in' | 'out' | 'own'
  /** The member's wallet; the source of an `own` movement. */
  wallet: WalletKind
  other: AnyAccountRef
  asset: Asset
  /** Units, above 0. */
  amount: Units
  cause: Cause
}

/** Sums of movements in one asset, in units. */
export interface MovementSum {
  asset: Asset
  in: Units
  out: Units
}

const MAX_TRANSFER_ID = 9_223_372_036_854_775_807n

const accountsOf = (ownerId: bigint, wallet?: WalletKind): bigint[] =>
  (wallet === undefined ? walletKinds : [wallet]).map((kind) => walletId(ownerId, kind))

/** SQL for the transfers of the given accounts. A transfer between two of the accounts appears once, by its debit. */
function transfersIn(accounts: readonly bigint[], search: MovementSearch, end: { before?: bigint | undefined; limit: number }) {
  const below = end.before === undefined ? (search.upToId ?? MAX_TRANSFER_ID) : end.before - 1n
  const side = (own: 'debit_account' | 'credit_account') => sql`(
    select * from ledger_transfer where ${sql.ref(own)} = wallet.account and id > ${search.afterId ?? 0n} and id <= ${below}
      and created_at >= ${search.since} and created_at < ${search.until}
      ${own === 'credit_account' ? sql`and not debit_account = any(${accounts}::bigint[])` : sql``}
    order by id desc limit ${end.limit})`
  return sql`unnest(${accounts}::bigint[]) wallet (account)
    cross join lateral (${side('debit_account')} union all ${side('credit_account')}) line`
}

/** Reads movements, newest first, at most `limit` per call and from each side of each wallet. */
export async function movementsOf(
  db: Db,
  ownerId: bigint,
  search: MovementSearch,
  end: { before?: bigint | undefined; limit: number },
): Promise<WalletMovement[]> {
  const accounts = accountsOf(ownerId, search.wallet)
  const { rows } = await sql<TransferRow>`
    select line.* from ${transfersIn(accounts, search, end)} order by line.id desc limit ${end.limit}`.execute(db)
  return rows.map((row) => toMovement(row, new Set(accounts)))
}

/**
 * Sums the movements of a period by asset. A movement between two of the selected wallets is not included.
 * @param kinds only these kinds; all if omitted
 * @param max maximum number of movements
 * @returns undefined if there are more movements than `most`
 */
export async function movementSums(
  db: Db,
  ownerId: bigint,
  search: MovementSearch,
  { kinds, max }: { kinds?: readonly string[] | undefined; max: number },
): Promise<MovementSum[] | undefined> {
  const accounts = accountsOf(ownerId, search.wallet)
  const counted = kinds === undefined ? sql`true` : sql`kind = any(${kinds}::text[])`
  const { rows } = await sql<{ asset: Asset; isDebit: boolean; amount: bigint; read: number }>`
    select asset, debit_account = any(${accounts}::bigint[]) as "isDebit", count(*)::int as read,
      coalesce(sum(amount) filter (where ${counted} and not (debit_account = any(${accounts}::bigint[]) and credit_account = any(${accounts}::bigint[]))), 0)::bigint as amount
    from (select line.* from ${transfersIn(accounts, search, { limit: max + 1 })}) moved group by 1, 2`.execute(db)
  if (rows.reduce((read, row) => read + row.read, 0) > max) return undefined
  const sumOf = (asset: Asset, isDebit: boolean): Units => rows.find((row) => row.asset === asset && row.isDebit === isDebit)?.amount ?? 0n
  return (['USD', 'COIN'] as const).map((asset) => ({ asset, in: sumOf(asset, false), out: sumOf(asset, true) }))
}

/** Reads the movements of the transfers' postings in the member's wallets, at most 100; none of postings of others. */
export async function movementsOfPostings(db: Db, ownerId: bigint, transferIds: readonly bigint[]): Promise<WalletMovement[]> {
  const accounts = accountsOf(ownerId)
  const { rows } = await sql<TransferRow>`
    with named as (select distinct posting_id from ledger_transfer where id = any(${transferIds}::bigint[]))
    select t.* from ledger_transfer t join named on t.id = named.posting_id
    where t.debit_account = any(${accounts}::bigint[]) or t.credit_account = any(${accounts}::bigint[])
    union all
    select t.* from ledger_transfer t join named on t.posting_id = named.posting_id and t.posting_id <> t.id
    where t.debit_account = any(${accounts}::bigint[]) or t.credit_account = any(${accounts}::bigint[])
    order by id desc limit 100`.execute(db)
  return rows.map((row) => toMovement(row, new Set(accounts)))
}

function toMovement(row: TransferRow, own: ReadonlySet<bigint>): WalletMovement {
  const isDebit = own.has(row.debit_account)
  const account = accountOf(isDebit ? row.debit_account : row.credit_account)
  if ('system' in account) throw new Error(`transfer ${row.id} is in no wallet of the member`)
  return {
    transferId: row.id,
    at: row.created_at,
    kind: row.kind,
    direction: !isDebit ? 'in' : own.has(row.credit_account) ? 'own' : 'out',
    wallet: account.kind,
    other: accountOf(isDebit ? row.credit_account : row.debit_account),
    asset: row.asset,
    amount: row.amount,
    cause: { type: row.cause_type, id: row.cause_id },
  }
}
