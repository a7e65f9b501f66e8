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
 * Reason why an invoice or payment waits beside the twelve confirmations: the chain is silent, the nodes have not finalized the block,
 * or a large payment needs a number of blocks.
 */
export type Awaited = { reason: 'CHAIN_SILENT' | 'FINAL_BLOCK' } | { reason: 'MORE_BLOCKS'; blocks: number }

/** Token contract in lower case, with its decimals. */
export interface Token {
  address: string
  decimals: number
}

/** Runs a query on a connection held only for that query. */
type Read = <T>(look: (db: Db) => Promise<T>) => Promise<T>

/** Chain interface of the deposits module. Reads throw while no node answers, and then change nothing. */
export interface ChainGateway {
  chainId: number
  /** Token details shown to the paying wallet. Without a dollar token, no invoice is in dollars. */
  tokens: { COIN: Token; USD?: Token | undefined }
  /** Assigns an unused address to an invoice. Returns undefined while none is available, for example in the hour of a restore. */
  newAddress(tx: Tx, invoiceId: string, now: Date): Promise<string | undefined>
  /**
   * Returns true if the gateway assigned this address to this invoice. A database writer could insert an address under
   * their control.
   */
  isGiven(db: Db, address: string, invoiceId: string): Promise<boolean>
  /**
   * Returns true if the chain has fresh readings and blocks, and the watcher has not rejected the token of the asset. Otherwise no
   * member gets a payment request.
   */
  isAlive(db: Db, now: Date, asset: TokenAsset): Promise<boolean>
  /**
   * Reads incoming transfers of all accepted tokens.
   * @param read queries our database for the rows of the watcher or the development chain
   * @returns the live transfers, and the chain time up to which the scan is complete
   */
  scan(read: Read, addresses: readonly string[], now: Date): Promise<{ scannedTo: Date; transfers: ChainTransfer[] }>
  /** Returns why payments at an address, or an open invoice without one, wait. Returns undefined if nothing is unusual. */
  awaited(db: Db, address: string, now: Date): Promise<Awaited | undefined>
  /** Returns the total received at an address below the credit minimum, in units summed over its tokens. */
  dustAt(db: Db, address: string): Promise<Units>
}
