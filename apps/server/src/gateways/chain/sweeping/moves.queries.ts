import { sql } from 'kysely'
import type { Db } from '../../../platform/db/database.ts'
import { readTransactions, type StoredTransaction, type TransactionsRow, transactionsSql } from '../sending/outbox.ts'

/** Signed move that is not final, with its transactions, oldest first. */
export interface OpenMove {
  id: bigint
  kind: 'GAS' | 'SWEEP'
  wallet: string
  nonce: number
  /** Address that loses tokens or receives gas, and its index below the extended public key. */
  address: string
  keyIndex: number
  to: string
  token: string | null
  amount: bigint
  label: string
  transactions: StoredTransaction[]
}

/** Returns the open moves. An address has at most one open sweep and one open gas transfer, so the list is short. */
export async function openMoves(db: Db, chainId: number): Promise<OpenMove[]> {
  const { rows } = await sql<Omit<OpenMove, 'amount' | 'label' | 'transactions'> & TransactionsRow & { amount: string }>`
    select m.id, m.kind, m.wallet, m.nonce::int as nonce, m.address, a.key_index::float8 as "keyIndex", m.to_address as "to", m.token, m.amount::text as amount,
      ${transactionsSql(sql`t.move_id = m.id`)}
    from chain_move m join chain_address a on a.address = m.address
    where m.chain_id = ${chainId} and m.state = 'SIGNED' order by m.id`.execute(db)
  return rows.map((row) => ({ ...row, amount: BigInt(row.amount), label: `move ${row.id}`, transactions: readTransactions(row) }))
}

/** Final token balance at an invoice address, worth sweeping. */
export interface UnsweptBalance {
  address: string
  keyIndex: number
  token: string
  /** Amount in the token's smallest unit. */
  amount: bigint
}

/**
 * Returns balances that are large enough for a sweep, one per address without an open move. The balance with the oldest attempt comes
 * first. A failed sweep of the same token delays the address.
 * @param least minimum amount per token, in the token's smallest unit
 */
export async function unsweptBalances(
  db: Db,
  {
    chainId,
    minAmounts,
    limit,
    failedSince,
  }: { chainId: number; minAmounts: ReadonlyMap<string, bigint>; limit: number; failedSince: Date },
): Promise<UnsweptBalance[]> {
  const { rows } = await sql<Omit<UnsweptBalance, 'amount'> & { amount: string }>`
    with due as (
      select t.address, t.token, w.ordinality, sum(t.exact_amount) as amount
      from chain_transfer t join unnest(${[...minAmounts.keys()]}::text[], ${[...minAmounts.values()].map(String)}::numeric[])
        with ordinality w (token, min_amount, ordinality) on w.token = t.token
      where t.chain_id = ${chainId} and t.state = 'FINAL' and t.swept_by is null
        and not exists (select from chain_move m where m.chain_id = t.chain_id and m.address = t.address
          and (m.state = 'SIGNED' or m.state = 'FAILED' and m.token = t.token and m.ended_at > ${failedSince}))
      group by t.address, t.token, w.ordinality, w.min_amount having sum(t.exact_amount) >= w.min_amount),
    one as (
      select distinct on (d.address) d.*, p.tried_at from due d
      left join chain_sweep_problem p on p.chain_id = ${chainId} and p.address = d.address and p.token = d.token
      order by d.address, p.tried_at nulls first, d.ordinality)
    select o.address, a.key_index::float8 as "keyIndex", o.token, o.amount::text as amount
    from one o join chain_address a on a.address = o.address order by o.tried_at nulls first, a.key_index limit ${limit}`.execute(db)
  return rows.map((row) => ({ ...row, amount: BigInt(row.amount) }))
}

/**
 * Returns a wallet's next nonce. An invoice address begins at 0, because no other software uses its key: a transaction that this database
 * does not have is a lost one. The operator may have used the gas wallet before, so it returns undefined before the first move.
 */
export async function nextOf(db: Db, chainId: number, wallet: string): Promise<number | undefined> {
  const { rows } = await sql<{ next: number | null }>`
    select coalesce(max(nonce) + 1, (select 0 from chain_address where address = ${wallet}))::int as next
    from chain_move where chain_id = ${chainId} and wallet = ${wallet}`.execute(db)
  return rows[0]?.next ?? undefined
}

/** Returns the number of gas transfers to an address since a time. */
export async function gasGivenSince(db: Db, chainId: number, address: string, since: Date): Promise<number> {
  const { rows } = await sql<{ given: number }>`
    select count(*)::int as given from chain_move
    where chain_id = ${chainId} and address = ${address} and kind = 'GAS' and made_at > ${since}`.execute(db)
  return rows[0]?.given ?? 0
}
