import { ONE } from '@tizara/money'
import { describe, expect, it } from 'vitest'
import { testDatabase } from '../../../test/database.ts'
import { DAY_MS } from '../../platform/clock.ts'
import { testHouse } from './test-house.ts'

const HOUR = 3_600_000
const coin = (count: number) => BigInt(count) * ONE

describe('the daily run', async () => {
  const house = await testHouse(await testDatabase())
  await house.fundPool('COIN', coin(1_000_000))

  it('[MF-15] [RW-03] pays a stake day by day, first 24 hours after the stake, each day once', async () => {
    const member = await house.join()
    await house.stake(member, { amount: coin(1000), apy: 10n * ONE, days: 3 })
    house.clock.advance(DAY_MS - 1)
    await house.sweep('reward-run')
    expect(await house.wallet(member, 'nativeWallet')).toBe(0n)
    house.clock.advance(1)
    await house.sweep('reward-run')
    expect(await house.wallet(member, 'nativeWallet')).toBe(3_333_333_333n)
    await house.sweep('reward-run')
    house.clock.advance(HOUR)
    await house.sweep('reward-run')
    expect(await house.wallet(member, 'nativeWallet')).toBe(3_333_333_333n)
    house.clock.advance(3 * DAY_MS)
    await house.sweep('reward-run')
    expect(await house.wallet(member, 'nativeWallet')).toBe(3n * 3_333_333_333n)
    expect(await house.damage()).toEqual([])
  })
})
