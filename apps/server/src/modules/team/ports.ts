import type { Units } from '@tizara/money'
import type { Db } from '../../platform/db/database.ts'

export interface TeamStake {
  /** Coin. */
  stakeAmount: Units
  createdAt: Date
}

/** A credited deposit as the list of direct referrals shows it. */
export interface CreditedDeposit {
  id: string
  way: 'hosted' | 'chain'
  /** USD worth. */
  amount: Units
  createdAt: Date
}

/** What the team's lists show of rooms above it, newest first, of several people at once. */
export interface TeamPorts {
  newestStakes(db: Db, memberIds: readonly bigint[], most: number): Promise<ReadonlyMap<bigint, TeamStake[]>>
  creditedDeposits(db: Db, memberIds: readonly bigint[], most: number): Promise<ReadonlyMap<bigint, CreditedDeposit[]>>
}
