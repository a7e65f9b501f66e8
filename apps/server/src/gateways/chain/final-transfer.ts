import { sql } from 'kysely'
import type { TokenAsset } from './chain.ts'
import type { Db } from '../../platform/db/database.ts'
import type { DataKeys } from '../../platform/crypto/encrypt.ts'
import type { EncryptedColumn } from '../../platform/crypto/encrypted-column.ts'
import { isMacOf, macOf } from '../../platform/crypto/row-mac.ts'

/** MAC column for the transfers found final by the watcher. */
export const transferMacs: EncryptedColumn = { table: 'chain_transfer', key: 'id', column: 'final_mac', purpose: 'final transfers' }

/** Transfer to a platform address, with all values that a credit depends on. */
export interface FinalTransfer {
  chainId: number
  txHash: string
  token: string
  address: string
  ordinal: number
  /** Amount in the token's smallest unit, and in units of 10^-8. */
  exact: bigint | string
  amount: bigint
  block: bigint | number
  blockTime: Date
  /** False if the address received another amount than the transfer states, or the token is rejected. */
  balanceFits: boolean
}

const factsOf = (
  asset: TokenAsset,
  { chainId, txHash, token, address, ordinal, exact, amount, block, blockTime, balanceFits }: FinalTransfer,
) => [asset, chainId, txHash, token, address, ordinal, exact, amount, block, blockTime.toISOString(), String(balanceFits)]

/**
 * Computes the MAC of a transfer that the watcher found final in both sources. Without the key, an attacker with database access cannot
 * invent a transfer, raise the amount or change the token.
 */
export const finalMac = (keys: DataKeys, asset: TokenAsset, transfer: FinalTransfer): Buffer =>
  macOf(keys, transferMacs.purpose, factsOf(asset, transfer))

/** Returns the transfer's asset if the MAC matches all values, otherwise undefined. */
export const verifiedAsset = (keys: DataKeys, mac: Buffer | null, transfer: FinalTransfer): TokenAsset | undefined =>
  mac === null ? undefined : (['COIN', 'USD'] as const).find((asset) => isMacOf(keys, transferMacs.purpose, mac, factsOf(asset, transfer)))

/** Returns the permanent identity of a transfer (invariant I8). */
export const keyOf = ({
  chainId,
  txHash,
  token,
  address,
  ordinal,
}: Omit<FinalTransfer, 'exact' | 'amount' | 'block' | 'blockTime' | 'balanceFits'>): string =>
  [chainId, txHash, token, address, ordinal].join(':')

/** SQL: selects a row of `chain_transfer` as a {@link FinalTransfer}. */
export const TRANSFER = sql`chain_id::int as "chainId", tx_hash as "txHash", token, address, ordinal, exact_amount::text as exact, amount, block,
  block_time as "blockTime", balance_fits as "balanceFits", final_mac as mac`

type Row = FinalTransfer & { mac: Buffer | null }

/**
 * Returns the transfers to an address, by key, limited to those with a valid watcher MAC.
 * @param keys data keys, which verify the MAC
 */
export async function finalTransfersTo(
  db: Db,
  keys: DataKeys,
  address: string,
): Promise<Map<string, { asset: TokenAsset; amount: bigint }>> {
  const { rows } = await sql<Row>`select ${TRANSFER} from chain_transfer where address = ${address} and state = 'FINAL'`.execute(db)
  return new Map(
    rows.flatMap((row) => {
      const asset = verifiedAsset(keys, row.mac, row)
      return asset === undefined ? [] : [[keyOf(row), { asset, amount: row.amount }]]
    }),
  )
}

/** Returns the next final or formerly final transfers after an id, with the result of the MAC check. */
export async function verifyMacsAfter(db: Db, keys: DataKeys, after: bigint, limit: number) {
  const { rows } = await sql<Row & { id: bigint }>`
    select id, ${TRANSFER} from chain_transfer where id > ${after} and (state = 'FINAL' or final_mac is not null)
    order by id limit ${limit}`.execute(db)
  return rows.map((row) => ({ id: row.id, name: keyOf(row), isValid: verifiedAsset(keys, row.mac, row) !== undefined }))
}

/** Returns the id after which transfers in blocks since a time begin. */
export async function numberBefore(db: Db, since: Date): Promise<bigint> {
  const found = await sql<{ id: bigint }>`select coalesce((select min(id) from chain_transfer where block_time >= ${since}),
    (select max(id) + 1 from chain_transfer), 1) - 1 as id`.execute(db)
  return found.rows[0]?.id ?? 0n
}
