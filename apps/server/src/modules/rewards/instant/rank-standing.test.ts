import { ONE } from '@tizara/money'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { testDatabase } from '../../../../test/database.ts'
import type { TestMember } from '../../../../test/members.ts'
import { testInstance } from '../../../../test/test-instance.ts'
import { passDays } from '../../../../test/pass-days.ts'
import { runJob } from '../../../jobs/job.ts'
import { stakingJobs } from '../../staking/index.ts'

const coin = (count: number) => BigInt(count) * ONE

describe('rank bonuses', async () => {
  const database = await testDatabase()
  const instance = await testInstance(database)
  const { db, deps, clock } = instance
  await instance.fundPool('COIN', coin(100_000_000))
  const teams = async () => {
    await instance.job('team-totals')
    await instance.job('rank-check')
  }
  const work = async () => {
    await teams()
    await instance.job('reward-run')
    await instance.job('reward-release')
    for (const job of stakingJobs) if ((await runJob(db, deps, job, 'test')) !== 0) await teams()
  }
  const pass = (days: number) => passDays(clock, days, work)
  const chain = async (length: number) => {
    const line: TestMember[] = []
    for (let index = 0; index < length; index += 1) line.push(await instance.join({ sponsor: line.at(-1) }))
    return line
  }
  /** Sums the rank bonuses paid to some members, in coin. */
  const paid = async (people: readonly TestMember[]) => {
    const found = await sql<{ paid: bigint }>`select coalesce(sum(amount), 0)::bigint as paid from reward_instant
      where kind = 'rank' and status = 'paid' and beneficiary_id = any (${people.map((one) => one.id)}::bigint[])`.execute(db)
    return found.rows[0]?.paid
  }
  const rankOf = async (member: TestMember) =>
    (await db.selectFrom('member').select('rank').where('id', '=', member.id).executeTakeFirstOrThrow()).rank

  it("[RW-05] [RW-14] count one staker's coin for one leader of a sponsor chain at a time, nearest first", async () => {
    const line = await chain(51)
    const staker = line.at(-1)
    if (staker === undefined) throw new Error('no staker')
    await instance.stake(staker, { amount: coin(100_000), apy: 1n, days: 365 })
    await work()
    expect([await rankOf(line[0] as TestMember), await rankOf(line[49] as TestMember)]).toEqual(['bronze', 'bronze'])
    await pass(30)
    expect([await paid(line), await paid(line.slice(49, 50))]).toEqual([coin(500), coin(500)])
    await pass(31)
    expect([await paid(line), await paid(line.slice(48, 50))]).toEqual([coin(1000), coin(1000)])
  }, 60_000)

  it('[RW-05] [RW-14] require the coin for the whole hold, and coin that moves between leaders pays none sooner', async () => {
    const top = await instance.join()
    const leaders = await Promise.all(Array.from({ length: 3 }, () => instance.join({ sponsor: top })))
    const stakers = await Promise.all(leaders.map((sponsor) => instance.join({ sponsor })))
    // The same coin, ten days below each leader in turn: every 30 days are worth at most one bonus.
    for (let turn = 0; turn < 12; turn += 1) {
      await instance.stake(stakers[turn % 3] as TestMember, { amount: coin(100_000), apy: 1n, days: 10 })
      await work()
      await pass(10)
      expect(await paid([top, ...leaders])).toBeLessThanOrEqual(coin(500 * Math.floor(((turn + 1) * 10) / 30)))
    }
    expect(await paid([top, ...leaders])).toBeGreaterThanOrEqual(coin(1000))
  }, 60_000)

  it('[RW-05] stay pending when the stakes end, which removes the rank, and resume when the coin returns', async () => {
    const [leader, staker] = (await chain(2)) as [TestMember, TestMember]
    await instance.stake(staker, { amount: coin(100_000), apy: 1n, days: 20 })
    await work()
    await pass(21)
    expect(await rankOf(leader)).toBeNull()
    await pass(30)
    expect(await paid([leader])).toBe(0n)
    await instance.stake(staker, { amount: coin(100_000), apy: 1n, days: 20 })
    await work()
    await pass(6)
    expect([await rankOf(leader), await paid([leader])]).toEqual(['bronze', 0n])
    await pass(6)
    expect(await paid([leader])).toBe(coin(500))
    expect(await instance.damage()).toEqual([])
  }, 60_000)

  it('[RW-05] are no longer a liability after a pause as long as the hold, until the coin returns', async () => {
    const [leader, staker] = (await chain(2)) as [TestMember, TestMember]
    const held = async () =>
      db
        .selectFrom('reward_instant')
        .select(['status', 'promised'])
        .where('beneficiary_id', '=', leader.id)
        .where('kind', '=', 'rank')
        .execute()
    await instance.stake(staker, { amount: coin(100_000), apy: 1n, days: 10 })
    await work()
    await pass(11)
    await pass(29)
    expect(await held()).toEqual([{ status: 'held', promised: true }])
    await pass(3)
    expect(await held()).toEqual([{ status: 'held', promised: false }])
    expect(await instance.damage()).toEqual([])
    // When the block ends, the liability returns, as for all pending rewards. Its hold is still stopped.
    await instance.setActive(leader, false)
    await instance.setActive(leader, true)
    await work()
    expect(await held()).toEqual([{ status: 'held', promised: false }])
    expect(await instance.damage()).toEqual([])
    await instance.stake(staker, { amount: coin(100_000), apy: 1n, days: 30 })
    await work()
    expect([await held(), await instance.damage()]).toEqual([[{ status: 'held', promised: true }], []])
    await pass(24)
    expect([await paid([leader]), await instance.damage()]).toEqual([coin(500), []])
  }, 60_000)

  it('of a blocked leader do not use up the coin of the leader above', async () => {
    const [top, leader, staker] = (await chain(3)) as [TestMember, TestMember, TestMember]
    await instance.stake(staker, { amount: coin(100_000), apy: 1n, days: 365 })
    await pass(10)
    await instance.setActive(leader, false)
    await work()
    await pass(31)
    expect([await paid([leader]), await paid([top])]).toEqual([0n, coin(500)])
    await instance.setActive(leader, true)
    await pass(27)
    expect(await paid([leader])).toBe(coin(500))
  }, 60_000)
})
