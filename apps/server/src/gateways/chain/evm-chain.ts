import { INVOICE_CONFIRMATIONS } from '@tizara/contract'
import { ONE, type Units } from '@tizara/money'
import { sql } from 'kysely'
import type { DataKeys } from '../../platform/crypto/encrypt.ts'
import { nextKeyIndex } from './address-generations.ts'
import { isAlive, readCursor, readLiveness, rejectedTokens } from './chain-cursor.ts'
import { type ChainSettings, tokensOf } from './chain.jobs.ts'
import type { PendingCondition, ChainGateway, ChainTransfer, TokenAsset } from './chain.ts'
import { depositAddresses } from './deposit-address.ts'
import { MIN_AMOUNT } from './chain-transfers.ts'
import { CONFIRMATIONS } from './finality.ts'
import { type FinalTransfer, keyOf, verifiedAsset, TRANSFER } from './final-transfer.ts'
import { NodeUnavailable } from './rpc.ts'

/** Maximum transfers read to explain a delay. */
const AWAITED_ROWS = 50

type EvmChainOptions = Pick<ChainSettings, 'chainId' | 'token' | 'decimals' | 'usd' | 'xpub' | 'confirmations' | 'large'>

/**
 * Reads the real chain from the watcher's rows. Web processes query no node and hold no private key.
 * @param keys data keys; a final row without a valid watcher MAC is no transfer
 */
export function createEvmChain(
  { chainId, xpub, confirmations: least = CONFIRMATIONS, large, ...coins }: EvmChainOptions,
  keys: DataKeys,
): ChainGateway {
  const addressAt = depositAddresses(xpub)
  const tokens = tokensOf(coins)
  const known = Object.values(tokens).map(({ address }) => address)
  return {
    chainId,
    tokens,
    async newAddress(tx, invoiceId, now) {
      const keyIndex = await nextKeyIndex(tx, now)
      if (keyIndex === undefined) return undefined
      const address = addressAt(keyIndex)
      await tx
        .insertInto('chain_address')
        .values({ address, key_index: BigInt(keyIndex), invoice_id: invoiceId })
        .execute()
      return address
    },
    async isGiven(db, address, invoiceId) {
      const issued = await db
        .selectFrom('chain_address')
        .select('key_index')
        .where('address', '=', address)
        .where('invoice_id', '=', invoiceId)
        .executeTakeFirst()
      return issued !== undefined && addressAt(Number(issued.key_index)) === address
    },
    isAlive: async (db, now, asset) =>
      isAlive(await readLiveness(db, chainId), now) && !(await rejectedTokens(db, chainId)).has(tokens[asset]?.address ?? ''),
    scan: (read, addresses) =>
      read(async (db) => {
        const cursor = await readCursor(db, chainId)
        if (cursor === null) throw new NodeUnavailable('the chain has not been read yet')
        const rows = await sql<Row>`
          select ${TRANSFER}, state = 'FINAL' as final from chain_transfer
          where address = any(${addresses}) and chain_id = ${chainId} and token = any(${known}) and state <> 'GONE' and amount >= ${MIN_AMOUNT}
          order by block, tx_hash, ordinal`.execute(db)
        return { scannedTo: cursor.time, transfers: rows.rows.filter(isVerified).map((row) => transferOf(row, cursor.block)) }
      }),
    async awaited(db, address, now) {
      if (!isAlive(await readLiveness(db, chainId), now)) return { reason: 'CHAIN_SILENT' }
      const cursor = await readCursor(db, chainId)
      const rows = await sql<Row>`
        select ${TRANSFER}, state = 'FINAL' as final from chain_transfer
        where address = ${address} and chain_id = ${chainId} and token = any(${known}) and state <> 'GONE' and amount >= ${MIN_AMOUNT}
        order by block desc limit ${AWAITED_ROWS}`.execute(db)
      const reasons = rows.rows.flatMap((row) => awaitedOf(row, cursor?.block ?? 0) ?? [])
      return reasons.find(({ reason }) => reason === 'FINAL_BLOCK') ?? reasons[0]
    },
    async dustAt(db, address) {
      const found = await sql<{ dust: bigint }>`
        select coalesce(sum(amount), 0)::bigint as dust from chain_transfer
        where address = ${address} and chain_id = ${chainId} and token = any(${known}) and state <> 'GONE' and amount < ${MIN_AMOUNT}`.execute(
        db,
      )
      return found.rows[0]?.dust ?? 0n
    },
  }

  /** Returns the blocks required before credit. Large transfers need more. */
  function neededFor(asset: TokenAsset, amount: Units): number {
    const isLarge = large !== undefined && amount >= BigInt(asset === 'USD' ? large.usd : large.coin) * ONE
    return isLarge ? Math.max(least, large.confirmations) : least
  }

  /** Explains a transfer that is twelve blocks deep and not credited. */
  function awaitedOf({ final, token, amount, block }: Row, head: number): PendingCondition | undefined {
    const [depth, needed] = [head - Number(block) + 1, neededFor(assetOf(token), amount)]
    if (depth < INVOICE_CONFIRMATIONS) return undefined
    if (depth < needed) return { reason: 'MORE_BLOCKS', blocks: needed }
    return final ? undefined : { reason: 'FINAL_BLOCK' }
  }

  function assetOf(token: string): TokenAsset {
    return token === tokens.COIN.address ? 'COIN' : 'USD'
  }

  function isVerified({ final, mac, ...transfer }: Row): boolean {
    return !final || verifiedAsset(keys, mac, transfer) === assetOf(transfer.token)
  }

  function transferOf({ final, ...row }: Row, head: number): ChainTransfer {
    const { txHash, token, address, amount, block, blockTime, balanceFits } = row
    const depth = head - Number(block) + 1
    const asset = assetOf(token)
    const deep = final && depth >= neededFor(asset, amount)
    const confirmations = deep ? Math.max(depth, INVOICE_CONFIRMATIONS) : Math.min(Math.max(depth, 0), INVOICE_CONFIRMATIONS - 1)
    return { key: keyOf(row), txHash, asset, address, amount, blockTime, balanceFits, confirmations }
  }
}

interface Row extends FinalTransfer {
  mac: Buffer | null
  final: boolean
}
