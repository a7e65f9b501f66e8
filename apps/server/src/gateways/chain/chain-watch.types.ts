import type { Db, Tx } from '../../platform/db/database.ts'
import type { Deps } from '../../platform/runtime/deps.ts'
import type { Token, TokenAsset } from './chain.ts'
import type { EvmNode } from './evm-node.ts'

/** The part of the worker's lease that the watcher uses. */
export interface WatchLease {
  inTransaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  read<T>(work: (db: Db) => Promise<T>): Promise<T>
}

export interface WatchedChain {
  chainId: number
  /** The tokens' contracts, with the decimals that are configured. */
  tokens: readonly (Token & { asset: TokenAsset })[]
  /** The block to begin behind; the head at the first look when it is not set. */
  startBlock?: number | undefined
  node: EvmNode
  /** Another source that has to agree before anything is final. */
  witness?: EvmNode | undefined
  /** Blocks after which a block is final at the earliest; twelve when left out. */
  confirmations?: number | undefined
  /** The address of a place below the extended public key. */
  addressAt(place: number): string
  /** Addresses in a row that were never used, after which an hour is taken as looked through. */
  addressGap: number
  /** Called in the transaction that wrote down what arrived at some addresses. */
  onMoved(tx: Tx, addresses: readonly string[]): Promise<void>
}

export interface Watch extends WatchedChain {
  lease: WatchLease
  deps: Deps
}
