import type { Db } from '../../../platform/db/database.ts'
import type { Worker } from '../sending/outbox.ts'
import type { BranchKeys } from './branch-keys.ts'

export interface TokenSweepRules {
  chainId: number
  /** Target wallet in lower case: the hot wallet, or a cold one. */
  to: string
  /** Minimum amount worth the gas, by token, in its smallest unit. */
  minAmounts: ReadonlyMap<string, bigint>
  /** Minimum blocks until a transaction is final. Defaults to 12. */
  confirmations?: number | undefined
  /** Maximum wei per gas unit. Above it, sweeps wait. */
  maxGasPrice: bigint
}

/** Context of a token sweep: lease, node, and keys. */
export interface Sweeper extends Worker {
  keys: BranchKeys
  rules: TokenSweepRules
  /** Returns true if signing and sending are allowed. An emergency pause forbids both. */
  mayMove(db: Db): Promise<boolean>
}
