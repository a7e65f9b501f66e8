import { ONE } from '@tizara/money'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { testDatabase } from '../../../../test/database.ts'
import type { TestMember } from '../../../../test/members.ts'
import { testInstance } from '../../../../test/test-instance.ts'
import { inTransaction } from '../../../platform/db/database.ts'
import { setActive } from '../../members/index.ts'

const coin = (count: number) => BigInt(count) * ONE

describe('a leader who is blocked while a rank budget is handed out', async () => {
  const instance = await testInstance(await testDatabase(8))
  const { db, clock } = instance
  await instance.fundPool('COIN', coin(100_000_000))
  /** A leader with two direct referrals, whose stakes have matured and are not ended yet. */
  const leaderWithMaturedStakes = async () => {
    const leader = await instance.join()
    for (let branch = 0; branch < 2; branch += 1)
      await instance.stake(await instance.join({ sponsor: leader }), { amount: coin(50_000), apy: 1n, days: 5 })
    await instance.pass(5)
    return leader
  }
  const filled = async (leader: TestMember) =>
    (await sql<{ filled: bigint }>`select filled from reward_rank_bonus where member_id = ${leader.id}`.execute(db)).rows.map(
      (row) => row.filled,
    )
  const waiting = async () =>
    (
      await sql<{ count: number }>`
        select count(*)::int as count from pg_stat_activity where datname = current_database() and cardinality(pg_blocking_pids(pid)) > 0`.execute(
        db,
      )
    ).rows[0]?.count
  const untilWaiting = (count: number) => expect.poll(waiting).toBe(count)
  const block = (leader: TestMember) => inTransaction(db, (tx) => setActive(tx, { id: leader.id, isActive: false, at: clock.now() }))

  it('[RW-05] [RW-12] gets nothing when the block commits before the hand-out has read the leader', async () => {
    const leader = await leaderWithMaturedStakes()
    const handOut = await inTransaction(db, async (tx) => {
      await setActive(tx, { id: leader.id, isActive: false, at: clock.now() })
      const maturing = instance.mature()
      await untilWaiting(1)
      return { maturing }
    })
    expect(await handOut.maturing).toBe(2)
    expect([await filled(leader), await instance.damage()]).toEqual([[], []])
  })

  it('[RW-05] [RW-12] keeps the share when the hand-out has read the leader first, and is blocked after it', async () => {
    const leader = await leaderWithMaturedStakes()
    const both = await inTransaction(db, async (tx) => {
      // Stops the hand-out where it saves the shares.
      await sql`lock table reward_rank_share in exclusive mode`.execute(tx)
      const maturing = instance.mature()
      await untilWaiting(1)
      const blocking = block(leader)
      await untilWaiting(2)
      return { maturing, blocking }
    })
    expect(await both.maturing).toBe(2)
    await both.blocking
    expect(await filled(leader)).toEqual([(2n * coin(50_000) * 5n) / (200n * 365n)])
    expect(await instance.damage()).toEqual([])
  })
})
