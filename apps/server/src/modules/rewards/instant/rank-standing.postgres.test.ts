import { ONE } from '@tizara/money'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { testDatabase } from '../../../../test/database.ts'
import { testInstance } from '../../../../test/test-instance.ts'
import { DAY_MS } from '../../../platform/runtime/clock.ts'
import { inTransaction } from '../../../platform/db/database.ts'

const coin = (count: number) => BigInt(count) * ONE

// The embedded database has one session, so no other session can lock a row.
it('[RW-05] a rank check locks only the bonuses whose clock starts or stops', async () => {
  const instance = await testInstance(await testDatabase())
  const { db } = instance
  await instance.fundPool('COIN', coin(100_000_000))
  const pair = async () => {
    const leader = await instance.join()
    return { leader, staker: await instance.join({ sponsor: leader }) }
  }
  const checkRanks = async () => {
    await instance.job('team-totals')
    await instance.job('rank-check')
  }
  const [one, other] = [await pair(), await pair()]
  await instance.stake(one.staker, { amount: coin(100_000), apy: 1n, days: 90 })
  await checkRanks()
  await instance.stake(other.staker, { amount: coin(100_000), apy: 1n, days: 90 })
  await instance.job('team-totals')
  const waits = async () => {
    const found = await sql<{ waits: bigint | null }>`select waits_ms as waits from reward_instant
      where kind = 'rank' and beneficiary_id = ${other.leader.id}`.execute(db)
    return found.rows
  }
  expect(await waits()).toEqual([{ waits: BigInt(30 * DAY_MS) }])
  await inTransaction(db, async (tx) => {
    await sql`select from reward_instant where kind = 'rank' and beneficiary_id = ${one.leader.id} for update`.execute(tx)
    await instance.job('rank-check')
  })
  expect(await waits()).toEqual([{ waits: null }])
  expect(await instance.damage()).toEqual([])
}, 60_000)
