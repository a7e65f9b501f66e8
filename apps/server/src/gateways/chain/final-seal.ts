import { sql } from 'kysely'
import type { TokenAsset } from './chain.ts'
import type { Db } from '../../platform/db/database.ts'
import type { DataKeys } from '../../platform/crypto/seal.ts'
import type { SealedColumn } from '../../platform/crypto/sealed-column.ts'
import { isSealedOf, sealOf } from '../../platform/crypto/sealed-facts.ts'

/** What the watcher found final. */
export const sealedTransfers: SealedColumn = { table: 'chain_transfer', key: 'id', column: 'final_seal', purpose: 'final transfers' }

/** A transfer to one of our addresses, with all that a credit rests on. */
export interface FinalTransfer {
  chainId: number
  txHash: string
  token: string
  address: string
  ordinal: number
  /** In the token's smallest unit, and in units of 10^-8. */
  exact: bigint | string
  amount: bigint
  block: bigint | number
  blockTime: Date
}

const factsOf = (asset: TokenAsset, { chainId, txHash, token, address, ordinal, exact, amount, block, blockTime }: FinalTransfer) => [
  asset,
  chainId,
  txHash,
  token,
  address,
  ordinal,
  exact,
  amount,
  block,
  blockTime.toISOString(),
]

/**
 * Stands for what the watcher found twelve blocks deep, in both sources. Whoever can write to the database and nothing else can
 * neither make up a transfer nor let one be of more, or of the dearer token.
 */
export const finalSeal = (keys: DataKeys, asset: TokenAsset, transfer: FinalTransfer): Buffer =>
  sealOf(keys, sealedTransfers.purpose, factsOf(asset, transfer))

/** What the watcher found final, where that is the transfer as it stands. */
export const sealedAsset = (keys: DataKeys, sealed: Buffer | null, transfer: FinalTransfer): TokenAsset | undefined =>
  sealed === null
    ? undefined
    : (['COIN', 'USD'] as const).find((asset) => isSealedOf(keys, sealedTransfers.purpose, sealed, factsOf(asset, transfer)))

/** What identifies a transfer for ever (invariant I8). */
export const keyOf = ({
  chainId,
  txHash,
  token,
  address,
  ordinal,
}: Omit<FinalTransfer, 'exact' | 'amount' | 'block' | 'blockTime'>): string => [chainId, txHash, token, address, ordinal].join(':')

/** SQL: a row of `chain_transfer` as a {@link FinalTransfer}. */
export const TRANSFER = sql`chain_id::int as "chainId", tx_hash as "txHash", token, address, ordinal, exact_amount::text as exact, amount, block,
  block_time as "blockTime", final_seal as seal`

type Row = FinalTransfer & { seal: Buffer | null }

/**
 * What came by some transfers to an address, by key: those only that are final by the watcher's word.
 * @param keys of the data, by which its word is known
 */
export async function finalAt(db: Db, keys: DataKeys, address: string): Promise<Map<string, { asset: TokenAsset; amount: bigint }>> {
  const { rows } = await sql<Row>`select ${TRANSFER} from chain_transfer where address = ${address} and state = 'FINAL'`.execute(db)
  return new Map(
    rows.flatMap((row) => {
      const asset = sealedAsset(keys, row.seal, row)
      return asset === undefined ? [] : [[keyOf(row), { asset, amount: row.amount }]]
    }),
  )
}

/** The next transfers behind a number that say they are or were final, and whether the watcher said so. */
export async function sealsAfter(db: Db, keys: DataKeys, after: bigint, limit: number) {
  const { rows } = await sql<Row & { id: bigint }>`
    select id, ${TRANSFER} from chain_transfer where id > ${after} and (state = 'FINAL' or final_seal is not null)
    order by id limit ${limit}`.execute(db)
  return rows.map((row) => ({ id: row.id, name: keyOf(row), holds: sealedAsset(keys, row.seal, row) !== undefined }))
}

/** The number behind which transfers of blocks since a moment begin. */
export async function numberBefore(db: Db, since: Date): Promise<bigint> {
  const found = await sql<{ id: bigint }>`select coalesce((select min(id) from chain_transfer where block_time >= ${since}),
    (select max(id) + 1 from chain_transfer), 1) - 1 as id`.execute(db)
  return found.rows[0]?.id ?? 0n
}
