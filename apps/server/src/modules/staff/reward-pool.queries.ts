import type { QueryOf } from '@tizara/contract'
import type { staffHeldRewards } from '@tizara/contract/staff-rewards'
import { AppError } from '../../platform/app-error.ts'
import { balanceOfHouse } from '../../ledger/index.ts'
import type { Db } from '../../platform/database.ts'
import { readSlice } from '../../platform/paging.ts'
import { memberByPublicId } from '../members/index.ts'
import { coverageOf, haltedSince, listHeld, sumHeld } from '../rewards/index.ts'

/** What the reward pool holds, what is set against promises besides, and what it promises and owes, by asset. */
export async function readRewardPool(db: Db) {
  const of = async (asset: 'COIN' | 'USD', name: 'coin' | 'usd') => {
    const { pool, committed, promised, owed } = await coverageOf(db, asset)
    // The account outside the house that only such money comes from.
    return { asset: name, pool, committed, promised, owed, fromOperator: -(await balanceOfHouse(db, 'SYS-OPERATOR', asset)) }
  }
  return { assets: [await of('COIN', 'coin'), await of('USD', 'usd')], haltedSince: await haltedSince(db) }
}

/**
 * What is held for a member, soonest release first.
 * @throws AppError NOT_FOUND
 */
export async function readHeldRewards(db: Db, memberId: string, query: QueryOf<typeof staffHeldRewards>) {
  const member = await memberByPublicId(db, memberId)
  if (member === undefined) throw new AppError('NOT_FOUND')
  const { page, limit, offset } = readSlice(query)
  const rows = await listHeld(db, member.id, { limit, offset })
  const { rewards: total } = await sumHeld(db, { memberId: member.id })
  return { data: rows.map((row) => ({ ...row, id: String(row.id) })), meta: { total, page, limit } }
}
