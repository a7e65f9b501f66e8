import { formatUnits, ONE } from '@tizara/money'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { testDatabase } from '../../../../test/database.ts'
import { DAY_MS } from '../../../platform/runtime/clock.ts'
import { inTransaction } from '../../../platform/db/database.ts'
import { assertCovered, liabilityOf, type Sale, saleTerms } from './assert-covered.ts'
import { coverageOf } from './coverage.ts'
import { setRewardPolicy } from './staff-money.ts'
import { currentProgramme } from '../programme/programme.ts'
import { addProgramme } from './add-programme.ts'
import { forecastByMonth } from './liabilities.ts'
import { testInstance } from '../../../../test/test-instance.ts'

const coin = (count: number) => BigInt(count) * ONE

describe('programme versions', async () => {
  const { db, clock } = await testInstance(await testDatabase())
  const add = (rules: Parameters<typeof addProgramme>[1]['rules'], startsAt = clock.now()) =>
    inTransaction(db, (tx) => addProgramme(tx, { rules, startsAt, at: clock.now(), reason: 'test', by: null }))

  it('[RW-01] start with the documented figures', async () => {
    const five = [5n, 3n, 2n, 1n, 1n].map((percent) => percent * ONE)
    const ten = [10n, 5n, 3n, 2n, 1n].map((percent) => percent * ONE)
    expect(await currentProgramme(db, clock.now())).toMatchObject({
      version: 1,
      referralPercent: 5n * ONE,
      levelPercents: five,
      bountyPercents: ten,
      stakeLogLevelPercents: five,
      stakeLogBountyPercents: ten,
      nftLevelPercents: five,
      nftBountyPercents: ten,
      ranks: [
        { rank: 'bronze', teamStake: coin(100_000), bonus: coin(500) },
        { rank: 'silver', teamStake: coin(500_000), bonus: coin(2500) },
        { rank: 'gold', teamStake: coin(1_000_000), bonus: coin(5000) },
        { rank: 'platinum', teamStake: coin(5_000_000), bonus: coin(25_000) },
        { rank: 'diamond', teamStake: coin(10_000_000), bonus: coin(50_000) },
      ],
    })
  })

  it('reject invalid figures and starts in the past', async () => {
    await expect(add({ referralPercent: 101n * ONE })).rejects.toMatchObject({ code: 'INVALID_INPUT' })
    await expect(add({ referralPercent: 1n })).rejects.toMatchObject({ code: 'INVALID_INPUT' })
    await expect(add({ levelPercents: [ONE] })).rejects.toMatchObject({ code: 'INVALID_INPUT' })
    await expect(
      add({
        ranks: [
          { rank: 'a', teamStake: 2n, bonus: 1n },
          { rank: 'b', teamStake: 2n, bonus: 1n },
        ],
      }),
    ).rejects.toMatchObject({ code: 'INVALID_INPUT' })
    await expect(add({}, new Date(clock.now().getTime() - 1))).rejects.toMatchObject({ code: 'INVALID_INPUT' })
    await expect(sql`update reward_programme set referral_percent = 0`.execute(db)).rejects.toThrow(/append-only/)
  })

  it('apply from their start on', async () => {
    const start = new Date(clock.now().getTime() + DAY_MS)
    await add({ referralPercent: ONE }, start)
    expect((await currentProgramme(db, new Date(start.getTime() - 1))).version).toBe(1)
    expect(await currentProgramme(db, start)).toMatchObject({ version: 2, referralPercent: ONE })
  })
})

describe('coverage', async () => {
  const instance = await testInstance(await testDatabase())
  const { clock, db } = instance
  const sale = { kind: 'stake', amount: coin(1000), apy: 10n * ONE, durationDays: 10 } as const
  const requestOf = (one: Sale) =>
    inTransaction(db, async (tx) => {
      const { programme, capacity } = await saleTerms(tx, clock.now(), one.kind === 'stake' ? 'COIN' : 'USD')
      assertCovered(capacity, [liabilityOf(one, programme)])
    })
  const ask = () => requestOf(sale)
  const policy = (change: Partial<Parameters<typeof setRewardPolicy>[1]>) =>
    inTransaction(db, (tx) => setRewardPolicy(tx, { at: clock.now(), by: null, reason: 'test', ...change }))
  // 100 coin in rewards, 21 % bounties on them, 12 % level rewards and a rank budget of 0.5 %, both for 10 of 365 days.
  const promised = coin(100 + 21) + (coin(120) * 10n) / 365n + (coin(5) * 10n) / 365n
  const level = (coin(50) * 10n) / 365n
  const rank = (coin(5) * 10n) / 365n

  it('check rejects a stake whose liability exceeds pool and commitment, to the unit', async () => {
    await policy({ committed: { COIN: 0n, USD: 0n } })
    await expect(ask()).rejects.toMatchObject({ code: 'NOT_COVERED' })
    await instance.fundPool('COIN', promised - 1n)
    await expect(ask()).rejects.toMatchObject({ code: 'NOT_COVERED' })
    await policy({ committed: { COIN: 1n, USD: 0n } })
    await expect(ask()).resolves.toBeUndefined()
  })

  it('check rejects an NFT the same way, in USD', async () => {
    const nft = { kind: 'nft', price: coin(100), totalPercent: 60n * ONE, durationMonths: 6 } as const
    const askNft = () => requestOf(nft)
    await expect(askNft()).rejects.toMatchObject({ code: 'NOT_COVERED' })
    await instance.fundPool('USD', coin(60) + 1_260_000_000n + coin(12))
    await expect(askNft()).resolves.toBeUndefined()
  })

  it('counts earlier sales, aggregated or not, until they are paid or owed', async () => {
    const top = await instance.join()
    const member = await instance.join({ sponsor: top })
    await instance.stake(member, { amount: coin(1000), apy: 10n * ONE, days: 10 })
    expect((await coverageOf(db, 'COIN')).promised).toBe(coin(121) + level + rank)
    await expect(ask()).rejects.toMatchObject({ code: 'NOT_COVERED' })
    await instance.job('reward-totals')
    expect((await coverageOf(db, 'COIN')).promised).toBe(coin(121) + level + rank)
    expect(await forecastByMonth(db, '2026-03-02')).toEqual([
      { month: '2026-03', kind: 'daily', amount: coin(100) },
      { month: '2026-03', kind: 'level', amount: level },
      { month: '2026-03', kind: 'profit-bounty', amount: coin(21) },
      { month: '2026-03', kind: 'rank', amount: rank },
    ])
    // The job pays at most three missed days alone.
    clock.advance(2 * DAY_MS)
    expect((await coverageOf(db, 'COIN')).promised).toBe(coin(121) + level + rank)
    await instance.job('reward-run')
    clock.advance(3 * DAY_MS)
    await instance.job('reward-run')
    expect((await coverageOf(db, 'COIN')).promised).toBe((coin(121) * 5n) / 10n + level + rank)
  })

  it('[RW-10] refuses to lower the commitment below promised and owed rewards, with the figures', async () => {
    const amount = (await coverageOf(db, 'COIN')).pool + coin(5)
    const more = { kind: 'daily', step: 'day', starts_at: clock.now(), steps: 1, amount }
    await db.insertInto('reward_liability_pending').values(more).execute()
    const { pool, promised: open, owed } = await coverageOf(db, 'COIN')
    const needed = open + owed - pool
    await policy({ committed: { COIN: needed + 1n } })
    await policy({ committed: { COIN: needed } })
    await expect(policy({ committed: { COIN: needed - 1n } })).rejects.toMatchObject({
      code: 'COMMITMENT_TOO_LOW',
      message: `This commitment is too low: ${formatUnits(open + owed)} coin are promised and owed, and the reward pool and the new commitment hold ${formatUnits(open + owed - 1n)} coin`,
    })
    expect((await coverageOf(db, 'COIN')).committed).toBe(needed)
  })
})
