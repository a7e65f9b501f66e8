import type { Db, Tx } from '../../platform/db/database.ts'
import type { Deps } from '../../platform/runtime/deps.ts'
import type { Token, TokenAsset } from './chain.ts'
import type { EvmNode } from './chain-node.ts'

/** Part of the worker's lease used by the watcher. */
export interface WatchLease {
  inTransaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  read<T>(work: (db: Db) => Promise<T>): Promise<T>
}

export interface WatchedChain {
  chainId: number
  /** Token contracts, with the configured decimals. */
  tokens: readonly (Token & { asset: TokenAsset })[]
  /** Starts after this block. Defaults to the head at the first scan. */
  startBlock?: number | undefined
  node: EvmNode
  /** Second source. A transfer becomes final only when both agree. */
  secondNode?: EvmNode | undefined
  /** Rejected token contracts, each with the reason. Two people decide about payments in such a token. */
  rejected?: ReadonlyMap<string, string> | undefined
  /** Minimum blocks until finality. Defaults to 12. */
  confirmations?: number | undefined
  /** Derives the address at an index below the extended public key. */
  addressAt(keyIndex: number): string
  /** Consecutive unused addresses after which the scan of an hour ends. */
  addressGap: number
  /** Runs in the transaction that recorded transfers to these addresses. */
  onTransfersRecorded(tx: Tx, addresses: readonly string[]): Promise<void>
}

export interface Watch extends WatchedChain {
  lease: WatchLease
  deps: Deps
}
