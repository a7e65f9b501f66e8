import { ONE } from '@tizara/money'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { testDatabase } from '../../../../test/database.ts'
import { dice } from '../../../../test/dice.ts'
import { DAY_MS, utcDay } from '../../../platform/runtime/clock.ts'
import { testInstance } from '../../../../test/test-instance.ts'

const MINUTE = 60_000

describe('due check', async () => {
  const instance = await testInstance(await testDatabase())
  const { clock, db } = instance
  await instance.fundPool('COIN', 1_000_000n * ONE)

  const paidDays = async () => {
    const found = await sql<{ processed: number }>`select processed from reward_source order by id`.execute(db)
    return found.rows.map((row) => row.processed)
  }
  const writtenThrough = async () => {
    const found = await sql<{ at: Date | null }>`select written_through as at from reward_watermark`.execute(db)
    return found.rows[0]?.at ?? null
  }

  it('[I10] [I18] misses nothing, however the clock moves between two runs', async () => {
    const roll = dice(20)
    const member = await instance.join()
    const starts: number[] = []
    const expected: number[] = []
    let openDay = utcDay(clock.now())
    for (let turn = 0; turn < 120; turn += 1) {
      for (let count = roll(3); count > 0; count -= 1) {
        await instance.stake(member, { amount: 10n * ONE, apy: 10n * ONE, days: 1000 })
        starts.push(clock.now().getTime())
        expected.push(0)
      }
      // Small steps within a day, some past midnight, some longer than a day, and some back.
      const step =
        [
          20_000,
          20_000,
          MINUTE * roll(120),
          5 * MINUTE,
          MINUTE * roll(1500),
          DAY_MS + roll(DAY_MS),
          -MINUTE * roll(1500),
          -MINUTE * roll(200),
        ][roll(8)] ?? 0
      clock.advance(step)
      // No job runs after some steps.
      if (roll(3) === 0) continue
      await instance.job('reward-run')
      const now = clock.now().getTime()
      const today = utcDay(clock.now())
      if (today >= openDay) {
        openDay = today
        for (const [index, start] of starts.entries()) expected[index] = Math.max(expected[index] ?? 0, Math.floor((now - start) / DAY_MS))
      }
      expect(await paidDays(), `turn ${turn}`).toEqual(expected)
    }
    expect(await instance.damage()).toEqual([])
  })

  it('[RW-12] remembers after each run until when nothing is due, and checks everything after the clock was set back', async () => {
    clock.advance(2 * DAY_MS)
    await sql`update reward_source set processed = steps`.execute(db)
    await instance.job('reward-run')
    await instance.job('reward-run')
    expect(await writtenThrough()).toEqual(clock.now())
    const member = await instance.join()
    await instance.stake(member, { amount: 10n * ONE, apy: 10n * ONE, days: 1000 })
    clock.advance(3 * 60 * MINUTE)
    await instance.job('reward-run')
    expect(await writtenThrough()).toEqual(clock.now())
    // A manual update moves a start behind the watermark. Setting the clock back a little finds the reward.
    await sql`update reward_source set starts_at = starts_at - interval '24 hours' where member_id = ${member.id}`.execute(db)
    await instance.job('reward-run')
    expect((await paidDays()).at(-1)).toBe(0)
    clock.advance(-MINUTE)
    await instance.job('reward-run')
    expect((await paidDays()).at(-1)).toBe(1)
  })
})
