import type { Units } from '@tizara/money'
import { sql } from 'kysely'
import type { Db } from '../platform/db/database.ts'
import { type AnyAccountRef, accountOf, type Asset, walletKinds, walletId, type WalletKind } from './chart-of-accounts.ts'
import type { Cause } from './posting.ts'

/** Position after the last entry of a page of a statement. */
export interface StatementCursor {
  transferId: bigint
  wallet: WalletKind
}

export interface StatementOptions {
  /** Wallets of the statement; all seven if omitted. */
  wallets?: readonly WalletKind[] | undefined
  /** Only transfers of these kinds. */
  kinds?: readonly string[] | undefined
  /** Only entries before this position. */
  before?: StatementCursor | undefined
  limit: number
}

/** One entry of a member's statement: one side of a transfer. */
export interface StatementLine {
  transferId: bigint
  postingId: bigint
  wallet: WalletKind
  asset: Asset
  /** Signed units: below 0 when the amount left the wallet. */
  amount: Units
  balanceBefore: Units
  balanceAfter: Units
  /** Account on the other side of the transfer. */
  counterparty: AnyAccountRef
  kind: string
  cause: Cause
  ruleVersion: number | null
  /** True if the transfer placed a hold. */
  pending: boolean
  at: Date
}

interface ReceiptSide {
  /** Account number with its shard. */
  number: bigint
  account: AnyAccountRef
  balanceBefore: Units
  balanceAfter: Units
}

/** A transfer with both sides, for receipts. */
export interface Receipt {
  transferId: bigint
  postingId: bigint
  asset: Asset
  /** Units, above 0. */
  amount: Units
  from: ReceiptSide
  to: ReceiptSide
  kind: string
  cause: Cause
  ruleVersion: number | null
  pending: boolean
  /** The hold ended by the transfer. */
  resolves: bigint | null
  /** New-money part of the amount, in units. */
  newMoney: Units
  at: Date
}

export interface TransferRow {
  id: bigint
  posting_id: bigint
  debit_account: bigint
  credit_account: bigint
  amount: bigint
  asset: Asset
  kind: string
  cause_type: string
  cause_id: string
  rule_version: number | null
  pending: boolean
  resolves: bigint | null
  new_money: bigint | null
  debit_balance_after: bigint
  credit_balance_after: bigint
  created_at: Date
}

/** A member's movements, newest first, by index and keyset. */
export async function statement(db: Db, ownerId: bigint, options: StatementOptions): Promise<StatementLine[]> {
  const accounts = (options.wallets ?? walletKinds).map((kind) => walletId(ownerId, kind))
  const { before, limit } = options
  const from = before?.transferId ?? 9_223_372_036_854_775_807n
  const fromAccount = before === undefined ? 9_223_372_036_854_775_807n : walletId(ownerId, before.wallet)
  const kinds = options.kinds === undefined ? sql`true` : sql`kind = any(${options.kinds}::text[])`
  const side = (column: 'debit_account' | 'credit_account') => sql`(
    select * from ledger_transfer where ${sql.ref(column)} = wallet.account
      and (id < ${from} or (id = ${from} and wallet.account < ${fromAccount})) and ${kinds}
    order by id desc limit ${limit})`
  const found = await sql<TransferRow & { account: bigint }>`
    select wallet.account, line.* from unnest(${accounts}::bigint[]) wallet (account)
    cross join lateral (${side('debit_account')} union all ${side('credit_account')}) line
    order by line.id desc, wallet.account desc limit ${limit}`.execute(db)
  return found.rows.map(toLine)
}

/** Counts the postings in a member's wallets, up to a maximum number of entries. The entries of one reward run count as one. */
export async function countPostings(db: Db, ownerId: bigint, options: Pick<StatementOptions, 'kinds'>, max: number): Promise<number> {
  const accounts = walletKinds.map((kind) => walletId(ownerId, kind))
  const kinds = options.kinds === undefined ? sql`true` : sql`kind = any(${options.kinds}::text[])`
  const side = (column: 'debit_account' | 'credit_account') => sql`(
    select posting_id, cause_type, cause_id from ledger_transfer where ${sql.ref(column)} = any(${accounts}::bigint[]) and ${kinds} limit ${max})`
  const { rows } = await sql<{ count: number }>`
    select count(distinct case when cause_type = 'reward_run' then 'run ' || cause_id else posting_id::text end)::int as count
    from (${side('debit_account')} union all ${side('credit_account')}) line`.execute(db)
  return rows[0]?.count ?? 0
}

/**
 * Returns one transfer with both sides. The caller checks who may see the transfer.
 * @returns undefined if no transfer has this id
 */
export async function receiptOf(db: Db, transferId: bigint): Promise<Receipt | undefined> {
  const found = await sql<TransferRow>`select * from ledger_transfer where id = ${transferId}`.execute(db)
  const row = found.rows[0]
  return row === undefined ? undefined : toReceipt(row)
}

/** Returns the members whose wallets paid transfers, by transfer id. Transfers of system accounts and unknown ids are left out. */
export async function payersOf(db: Db, transferIds: readonly bigint[]): Promise<Map<bigint, bigint>> {
  const { rows } = await sql<{ id: bigint; debit_account: bigint }>`
    select id, debit_account from ledger_transfer where id = any(${transferIds}::bigint[])`.execute(db)
  return new Map(
    rows.flatMap(({ id, debit_account: account }) => {
      const payer = accountOf(account)
      return 'owner' in payer ? [[id, payer.owner] as const] : []
    }),
  )
}

/** Returns the transfers of one posting, in order; empty if the posting does not exist. */
export async function receiptsOfPosting(db: Db, postingId: bigint): Promise<Receipt[]> {
  // Reads the first transfer separately, because its id is the posting's id and the index on posting_id omits it.
  const found = await sql<TransferRow>`
    select * from ledger_transfer where id = ${postingId} and posting_id = id
    union all select * from ledger_transfer where posting_id = ${postingId} and posting_id <> id
    order by id`.execute(db)
  return found.rows.map(toReceipt)
}

function toLine(row: TransferRow & { account: bigint }): StatementLine {
  const paid = row.account === row.debit_account
  const account = accountOf(row.account)
  if ('system' in account) throw new Error(`account ${row.account} is not a wallet`)
  const after = paid ? row.debit_balance_after : row.credit_balance_after
  const amount = paid ? -row.amount : row.amount
  return {
    transferId: row.id,
    postingId: row.posting_id,
    wallet: account.kind,
    asset: row.asset,
    amount,
    balanceBefore: after - amount,
    balanceAfter: after,
    counterparty: accountOf(paid ? row.credit_account : row.debit_account),
    kind: row.kind,
    cause: { type: row.cause_type, id: row.cause_id },
    ruleVersion: row.rule_version,
    pending: row.pending,
    at: row.created_at,
  }
}

export function toReceipt(row: TransferRow): Receipt {
  return {
    transferId: row.id,
    postingId: row.posting_id,
    asset: row.asset,
    amount: row.amount,
    from: {
      number: row.debit_account,
      account: accountOf(row.debit_account),
      balanceBefore: row.debit_balance_after + row.amount,
      balanceAfter: row.debit_balance_after,
    },
    to: {
      number: row.credit_account,
      account: accountOf(row.credit_account),
      balanceBefore: row.credit_balance_after - row.amount,
      balanceAfter: row.credit_balance_after,
    },
    kind: row.kind,
    cause: { type: row.cause_type, id: row.cause_id },
    ruleVersion: row.rule_version,
    pending: row.pending,
    resolves: row.resolves,
    newMoney: row.new_money ?? 0n,
    at: row.created_at,
  }
}
