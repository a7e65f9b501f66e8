import type { Units } from '@tizara/money'
import type { Db, Tx } from '../../platform/database.ts'

/** A transfer of the token to one of our addresses. */
export interface ChainTransfer {
  /**
   * Chain id, transaction, token, address and the transfer's ordinal inside the transaction. Not the log index, which
   * changes when a reorganisation moves the transaction and would credit it twice.
   */
  key: string
  txHash: string
  address: string
  /** Units of the token, 8 decimals, rounded down. */
  amount: Units
  blockTime: Date
  /** Blocks from its own to the head, itself included. */
  confirmations: number
}

/** What a wallet needs to know to pay. */
interface ChainToken {
  chainId: number
  address: string
  decimals: number
}

/** Runs a look-up on a connection that lasts as long as it. */
type Read = <T>(look: (db: Db) => Promise<T>) => Promise<T>

/** The chain as the deposits module sees it. Reads may throw while no node answers; then nothing changes. */
export interface ChainGateway {
  /** True when it is a play chain. */
  sandbox: boolean
  token: ChainToken
  /** An address for an invoice, its own and never given again. */
  newAddress(tx: Tx, invoiceId: string): Promise<string>
  /** Whether somebody told lately what is on the chain: while nobody does, nobody is asked to pay. */
  isHeard(db: Db, now: Date): Promise<boolean>
  /**
   * Reads what has arrived.
   * @param read looks something up in our own database: what the watcher, or the play chain, wrote down
   * @returns the live transfers, and the chain time up to which everything has been seen
   */
  scan(read: Read, addresses: readonly string[], now: Date): Promise<{ scannedTo: Date; transfers: ChainTransfer[] }>
}
