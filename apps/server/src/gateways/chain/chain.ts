import type { Units } from '@tizara/money'
import type { Db, Tx } from '../../platform/db/database.ts'

/** Asset credited for a token: the platform's coin, or a dollar. */
export type TokenAsset = 'COIN' | 'USD'

/** Token transfer to a platform address. */
export interface ChainTransfer {
  /**
   * Chain id, transaction, token, address and the transfer's ordinal within the transaction. A log index would change when a
   * reorganisation moves the transaction, and cause a second credit.
   */
  key: string
  txHash: string
  address: string
  asset: TokenAsset
  /** Token units, 8 decimals, rounded down. */
  amount: Units
  blockTime: Date
  /** False if the address received another amount than the transfer states, or the token is rejected. */
  balanceFits: boolean
  /** Blocks from the transfer's block to the head, inclusive. */
  confirmations: number
}

/**
 * Reason why an invoice or payment waits, apart from the twelve confirmations. CHAIN_SILENT: the watcher has no recent scan. FINAL_BLOCK:
 * the nodes have not finalized the block. MORE_BLOCKS: a large payment needs further blocks.
 */
export type PendingCondition = { reason: 'CHAIN_SILENT' | 'FINAL_BLOCK' } | { reason: 'MORE_BLOCKS'; blocks: number }

/** Token contract in lower case, with its decimals. */
export interface Token {
  address: string
  decimals: number
}

/** Runs a query on a connection held only for that query. */
type Read = <T>(look: (db: Db) => Promise<T>) => Promise<T>

/** Interface of the chain for the deposits module. A read throws while no node responds, and then changes nothing. */
export interface ChainGateway {
  chainId: number
  /** Token details for the wallet that pays. Without a USD token, invoices are in coin only. */
  tokens: { COIN: Token; USD?: Token | undefined }
  /** Assigns an unused address to an invoice. Returns undefined while none is available, for example in the hour of a restore. */
  newAddress(tx: Tx, invoiceId: string, now: Date): Promise<string | undefined>
  /**
   * Returns true if the gateway assigned this address to this invoice. A database writer could insert an address under
   * their control.
   */
  isGiven(db: Db, address: string, invoiceId: string): Promise<boolean>
  /**
   * Returns true if the watcher has a recent scan and recent blocks and has not rejected the asset's token. Otherwise members get no
   * invoice.
   */
  isAlive(db: Db, now: Date, asset: TokenAsset): Promise<boolean>
  /**
   * Reads incoming transfers of all accepted tokens.
   * @param read queries the database for the rows of the watcher or of the development chain
   * @returns the live transfers, and the chain time up to which the scan is complete
   */
  scan(read: Read, addresses: readonly string[], now: Date): Promise<{ scannedTo: Date; transfers: ChainTransfer[] }>
  /** Returns the reason why payments at an address, or an open invoice without a payment, wait. Undefined if nothing is unusual. */
  awaited(db: Db, address: string, now: Date): Promise<PendingCondition | undefined>
  /** Returns the total received at an address below the credit minimum, in units summed over its tokens. */
  dustAt(db: Db, address: string): Promise<Units>
}
