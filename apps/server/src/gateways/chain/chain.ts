import type { Units } from '@tizara/money'
import type { Db, Tx } from '../../platform/db/database.ts'

/** What a token is worth to the house: its coin, or a dollar. */
export type TokenAsset = 'COIN' | 'USD'

/** A transfer of a token to one of our addresses. */
export interface ChainTransfer {
  /**
   * Chain id, transaction, token, address and the transfer's ordinal inside the transaction. Not the log index, which
   * changes when a reorganisation moves the transaction and would credit it twice.
   */
  key: string
  txHash: string
  address: string
  asset: TokenAsset
  /** Units of the token, 8 decimals, rounded down. */
  amount: Units
  blockTime: Date
  /** Blocks from its own to the head, itself included. */
  confirmations: number
}

/** A token's contract, lower case, and its decimals. */
export interface Token {
  address: string
  decimals: number
}

/** Runs a look-up on a connection that lasts as long as it. */
type Read = <T>(look: (db: Db) => Promise<T>) => Promise<T>

/** The chain as the deposits module sees it. Reads may throw while no node answers; then nothing changes. */
export interface ChainGateway {
  chainId: number
  /** What a wallet needs to know to pay; without a dollar's token no invoice is over dollars. */
  tokens: { COIN: Token; USD?: Token | undefined }
  /** An address for an invoice, given once; undefined while none may be given, as in the hour of a restore. */
  newAddress(tx: Tx, invoiceId: string, now: Date): Promise<string | undefined>
  /** Whether it gave this address to this invoice: whoever writes to the database could name one of their own. */
  isGiven(db: Db, address: string, invoiceId: string): Promise<boolean>
  /** Whether the chain was read lately and makes blocks: while it does not, no member is asked to pay. */
  isAlive(db: Db, now: Date): Promise<boolean>
  /**
   * Reads what has arrived, in any of the tokens.
   * @param read looks something up in our own database: what the watcher, or the play chain, wrote down
   * @returns the live transfers, and the chain time up to which everything has been seen
   */
  scan(read: Read, addresses: readonly string[], now: Date): Promise<{ scannedTo: Date; transfers: ChainTransfer[] }>
  /** What has come to an address that is too little to be credited, in units of its tokens together. */
  dustAt(db: Db, address: string): Promise<Units>
}
