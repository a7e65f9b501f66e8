import type { Db } from '../../src/platform/db/database.ts'
import type { Oracle } from './oracle.ts'
import type { Random } from './random.ts'

export interface Withdrawal {
  key: string
  owner: bigint
  amount: bigint
  holdId: bigint | undefined
  ended: boolean
}

/** Withdrawals with their state in the store, regardless of a worker's belief. */
export interface Withdrawals {
  all: Withdrawal[]
}

/** Store fault in a node's call. */
export type Fault = 'none' | 'error_before' | 'error_before_commit' | 'crash_after_commit'

/** Simulated world for one seed. */
export interface World {
  db: Db
  random: Random
  oracle: Oracle
  members: readonly bigint[]
  /** Server time, which jumps both ways. */
  now(): Date
  /**
   * Runs work as a node's transaction, with the seed's fault. The store runs one transaction at a time, in the seed's order, like a
   * real server's locks.
   * @param committed receives the result before any later transaction
   */
  transact<T>(fault: Fault, work: () => Promise<T>, committed?: (result: T) => void): Promise<T>
  fault(): Fault
  /** Records holds and their results. */
  withdrawals: Withdrawals
  /** Days with a stored reward run. */
  paidDays: Set<number>
}
