import { sql } from 'kysely'
import type { Db } from '../../../platform/db/database.ts'

/** Signed move that is not final, with its transactions, oldest first. */
export interface OpenMove {
  id: bigint
  kind: 'GAS' | 'SWEEP'
  wallet: string
  nonce: number
  /** Index of the address below the extended public key. */
  place: number
  to: string
  token: string | null
  amount: bigint
  transactions: { hash: string; raw: string; gasPrice: bigint; madeAt: Date; sentAt: Date | null }[]
}

/** Returns the open moves. The list is short: at most one per address. */
export async function openMoves(db: Db, chainId: number): Promise<OpenMove[]> {
  const { rows } = await sql<Omit<OpenMove, 'amount' | 'transactions'> & { amount: string; transactions: Record<string, string | null>[] }>`
    select m.id, m.kind, m.wallet, m.nonce::int as nonce, a.place::float8 as place, m.to_address as "to", m.token, m.amount::text as amount,
      (select jsonb_agg(jsonb_build_object('hash', t.hash, 'raw', t.raw, 'gasPrice', t.gas_price::text, 'madeAt', t.made_at, 'sentAt', t.sent_at)
        order by t.made_at, t.gas_price) from chain_move_transaction t where t.move_id = m.id) as transactions
    from chain_move m join chain_address a on a.address = m.address
    where m.chain_id = ${chainId} and m.state = 'SIGNED' order by m.id`.execute(db)
  return rows.map((row) => ({
    ...row,
    amount: BigInt(row.amount),
    transactions: row.transactions.map(({ hash, raw, gasPrice, madeAt, sentAt }) => ({
      hash: hash ?? '',
      raw: raw ?? '',
      gasPrice: BigInt(gasPrice ?? 0),
      madeAt: new Date(madeAt ?? 0),
      sentAt: typeof sentAt === 'string' ? new Date(sentAt) : null,
    })),
  }))
}

/** Token balance at an address, worth sweeping. */
export interface Lying {
  address: string
  place: number
  token: string
  /** Amount in the token's smallest unit. */
  amount: bigint
}

/** Returns addresses with a sufficient final balance, no open move and no recent failure. */
export async function lyingAround(
  db: Db,
  { chainId, token, least, limit, failedSince }: { chainId: number; token: string; least: bigint; limit: number; failedSince: Date },
): Promise<Lying[]> {
  const { rows } = await sql<{ address: string; place: number; amount: string }>`
    select t.address, a.place::float8 as place, sum(t.exact_amount)::text as amount
    from chain_transfer t join chain_address a on a.address = t.address
    where t.chain_id = ${chainId} and t.token = ${token} and t.state = 'FINAL' and t.swept_by is null
      and not exists (select from chain_move m where m.chain_id = t.chain_id and m.address = t.address
        and (m.state = 'SIGNED' or m.state = 'FAILED' and m.ended_at > ${failedSince}))
    group by t.address, a.place having sum(t.exact_amount) >= ${String(least)}::numeric order by a.place limit ${limit}`.execute(db)
  return rows.map((row) => ({ ...row, token, amount: BigInt(row.amount) }))
}

/** Returns a wallet's next nonce, or undefined before its first move. */
export async function nextOf(db: Db, chainId: number, wallet: string): Promise<number | undefined> {
  const { rows } = await sql<{ next: number | null }>`
    select (max(nonce) + 1)::int as next from chain_move where chain_id = ${chainId} and wallet = ${wallet}`.execute(db)
  return rows[0]?.next ?? undefined
}

/** Counts gas transfers to an address since a time. */
export async function gasGivenSince(db: Db, chainId: number, address: string, since: Date): Promise<number> {
  const { rows } = await sql<{ given: number }>`
    select count(*)::int as given from chain_move
    where chain_id = ${chainId} and address = ${address} and kind = 'GAS' and made_at > ${since}`.execute(db)
  return rows[0]?.given ?? 0
}
