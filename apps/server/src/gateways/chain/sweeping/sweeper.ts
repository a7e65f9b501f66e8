import type { Db } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import type { WalletNode } from '../sending/wallet-node.ts'
import type { BranchKeys } from './branch-keys.ts'
import type { WatchLease } from '../chain-watch.types.ts'

export interface SweepRules {
  chainId: number
  /** Where tokens go, lower case: the hot wallet, or one that nobody's server has the key of. */
  to: string
  /** Least that is worth the gas, by token, in its smallest unit. */
  least: ReadonlyMap<string, bigint>
  /** Blocks after which a transaction is final at the earliest; twelve when left out. */
  confirmations?: number | undefined
  /** Most wei for a unit of gas; dearer, it waits. */
  gasPriceMost: bigint
}

/** A run of the sweeper: its right to run, the node, and whoever has the keys. */
export interface Sweeper {
  lease: WatchLease
  deps: Deps
  node: WalletNode
  keys: BranchKeys
  rules: SweepRules
  /** Whether anything may be signed and sent now: not while the house is stopped. */
  mayMove(db: Db): Promise<boolean>
}
