import type { Units } from '@tizara/money'
import type { Db } from '../../platform/db/database.ts'
import type { ActivityPorts } from '../members/index.ts'

export interface TeamStake {
  /** Coin units. */
  stakeAmount: Units
  createdAt: Date
}

/** A credited deposit in the direct referral list. */
export interface CreditedDeposit {
  id: string
  method: 'hosted' | 'chain'
  /** USD worth, in units. */
  amount: Units
  createdAt: Date
}

/** Rows from higher modules for team lists, newest first, for several members at once. */
export interface TeamPorts extends ActivityPorts {
  newestStakes(db: Db, memberIds: readonly bigint[], limit: number): Promise<ReadonlyMap<bigint, TeamStake[]>>
  creditedDeposits(db: Db, memberIds: readonly bigint[], limit: number): Promise<ReadonlyMap<bigint, CreditedDeposit[]>>
}
