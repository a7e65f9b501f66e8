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

/** What the simulator knows of the withdrawals: whether they were ended in the store, not what a worker believes. */
export interface Withdrawals {
  all: Withdrawal[]
}

/** What the store does to one call of a node. */
export type Fault = 'none' | 'error_before' | 'error_before_commit' | 'crash_after_commit'

/** The world of one seed. */
export interface World {
  db: Db
  random: Random
  oracle: Oracle
  members: readonly bigint[]
  /** The house's time; jumps both ways. */
  now(): Date
  /**
   * Runs work as a transaction of a node, with the fault that the seed wants. The store does one at a time: what the
   * locks of a real server come to, in an order that the seed decides.
   * @param committed told of the result before anybody else can act on the store
   */
  transact<T>(fault: Fault, work: () => Promise<T>, committed?: (result: T) => void): Promise<T>
  fault(): Fault
  /** Notes holds and their endings. */
  withdrawals: Withdrawals
  /** Days whose reward run is in the store. */
  paidDays: Set<number>
}
