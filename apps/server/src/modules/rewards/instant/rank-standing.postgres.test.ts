import { ONE } from '@tizara/money'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { testDatabase } from '../../../../test/database.ts'
import { testHouse } from '../../../../test/test-house.ts'
import { DAY_MS } from '../../../platform/runtime/clock.ts'
import { inTransaction } from '../../../platform/db/database.ts'

const coin = (count: number) => BigInt(count) * ONE

// The embedded database has one session, so no other session can lock a row.
it('[RW-05] locks only the bonuses whose clock starts or stops', async () => {
  const house = await testHouse(await testDatabase())
  const { db } = house
  await house.fundPool('COIN', coin(100_000_000))
  const pair = async () => {
    const leader = await house.join()
    return { leader, staker: await house.join({ sponsor: leader }) }
  }
  const checkRanks = async () => {
    await house.job('team-totals')
    await house.job('rank-check')
  }
  const [one, other] = [await pair(), await pair()]
  await house.stake(one.staker, { amount: coin(100_000), apy: 1n, days: 90 })
  await checkRanks()
  await house.stake(other.staker, { amount: coin(100_000), apy: 1n, days: 90 })
  await house.job('team-totals')
  const waits = async () => {
    const found = await sql<{ waits: bigint | null }>`select waits_ms as waits from reward_instant
      where kind = 'rank' and beneficiary_id = ${other.leader.id}`.execute(db)
    return found.rows
  }
  expect(await waits()).toEqual([{ waits: BigInt(30 * DAY_MS) }])
  await inTransaction(db, async (tx) => {
    await sql`select from reward_instant where kind = 'rank' and beneficiary_id = ${one.leader.id} for update`.execute(tx)
    await house.job('rank-check')
  })
  expect(await waits()).toEqual([{ waits: null }])
  expect(await house.damage()).toEqual([])
}, 60_000)
