import type { Units } from '@tizara/money'
import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/db/database.ts'

/** Balance of a platform address in one token. */
export interface Holding {
  /** Lower case. */
  address: string
  asset: 'usd' | 'coin'
  /** Its contract, lower case. */
  token: string
  /** In units, rounded down. */
  amount: Units
}

/** On-chain reserves, signed with the key of the hot wallet. Readers can query any node and check the signature. */
export interface ReserveStatement {
  at: Date
  chainId: number
  /** Address of the signing key, lower case. */
  signer: string
  holdings: Holding[]
  /** The signed text (EIP-191), and the signature in hex. */
  text: string
  signature: string
}

/** Keeps a statement in the place of the one before. */
export async function recordReserves(tx: Tx, { at, chainId, signer, holdings, text, signature }: ReserveStatement): Promise<void> {
  const told = JSON.stringify(holdings.map((one) => ({ ...one, amount: String(one.amount) })))
  await sql`
    insert into trust_reserve (at, chain_id, signer, holdings, said, signature) values (${at}, ${chainId}, ${signer}, ${told}::jsonb, ${text}, ${signature})
    on conflict (one) do update set at = excluded.at, chain_id = excluded.chain_id, signer = excluded.signer, holdings = excluded.holdings,
      said = excluded.said, signature = excluded.signature`.execute(tx)
}

/** The newest statement; undefined where there is none. */
export async function readReserves(db: Db): Promise<ReserveStatement | undefined> {
  const { rows } = await sql<Omit<ReserveStatement, 'holdings'> & { holdings: (Omit<Holding, 'amount'> & { amount: string })[] }>`
    select at, chain_id::int as "chainId", signer, holdings, said as text, signature from trust_reserve`.execute(db)
  return rows[0] && { ...rows[0], holdings: rows[0].holdings.map((one) => ({ ...one, amount: BigInt(one.amount) })) }
}
