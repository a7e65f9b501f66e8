import { ONE } from '@tizara/money'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { testDatabase } from '../../../../test/database.ts'
import { DAY_MS } from '../../../platform/runtime/clock.ts'
import { inTransaction } from '../../../platform/db/database.ts'
import { coverageOf } from './coverage.ts'
import { currentProgramme } from '../programme/programme.ts'
import { addProgramme } from './add-programme.ts'
import type { ProgrammeRules } from '../programme/rewards.rules.ts'
import { testInstance } from '../../../../test/test-instance.ts'
import { setCommitment } from '../../../../test/commitment.ts'

const coin = (count: number) => BigInt(count) * ONE
const five = (...percents: [bigint, bigint, bigint, bigint, bigint]) => percents.map((percent) => percent * ONE)

describe('coverage of a new programme version', async () => {
  const instance = await testInstance(await testDatabase())
  const { clock, db } = instance
  const add = async (rules: Partial<ProgrammeRules>) => {
    clock.advance(1000)
    return inTransaction(db, (tx) => addProgramme(tx, { rules, startsAt: clock.now(), at: clock.now(), reason: 'test', by: null }))
  }
  const spare = async (asset: 'COIN' | 'USD') => {
    const { pool, promised, owed } = await coverageOf(db, asset)
    return pool - promised - owed
  }
  const leader = await instance.join()
  const sponsor = await instance.join({ sponsor: leader })
  const staker = await instance.join({ sponsor })
  await instance.stake(staker, { amount: coin(50_000), apy: 10n * ONE, days: 10 })
  await instance.buyCoin(staker, coin(1000))
  await instance.job()
  await setCommitment(db, 0n)

  const promisedOf = async (kind: string) =>
    (
      await sql<{ amount: bigint }>`select coalesce(sum(amount), 0)::bigint as amount from (
        select amount from reward_liability where kind = ${kind} union all select amount * steps from reward_liability_pending where kind = ${kind}) p`.execute(
        db,
      )
    ).rows[0]?.amount ?? 0n

  it('rejects a more expensive version while liabilities are not covered, and accepts a cheaper one', async () => {
    await instance.fundPool('COIN', -(await spare('COIN')) - 1n)
    for (const rules of [
      { levelPercents: five(6n, 3n, 2n, 1n, 1n) },
      { bountyPercents: five(10n, 5n, 3n, 2n, 2n) },
      { stakeLogLevelPercents: five(5n, 4n, 2n, 1n, 1n) },
      { stakeLogBountyPercents: five(10n, 5n, 4n, 2n, 1n) },
      { ranks: [{ rank: 'starter', teamStake: coin(50_000), bonus: coin(700) }] },
    ])
      await expect(add(rules)).rejects.toMatchObject({ code: 'PROGRAMME_NOT_COVERED' })
    await expect(add({ levelPercents: five(4n, 3n, 2n, 1n, 1n) })).resolves.toMatchObject({ version: 2 })
    await instance.fundPool('COIN', 1n)
    await expect(add({ levelPercents: five(5n, 3n, 2n, 1n, 1n) })).resolves.toMatchObject({ version: 3 })
  })

  it('[RW-05] promises nothing at once for a new ladder, as each later stake is covered with its rank budget', async () => {
    const { ranks } = await currentProgramme(db, clock.now())
    const early = { ranks: [{ rank: 'starter', teamStake: coin(50_000), bonus: coin(700) }, ...ranks] }
    // The teams of the leader and the sponsor have both staked over 50,000 coin.
    await expect(add(early)).resolves.toMatchObject({ version: 4 })
    await instance.job()
    expect(await spare('COIN')).toBe(0n)
    const newcomer = await instance.join({ sponsor: staker })
    const before = await promisedOf('rank')
    await instance.stake(newcomer, { amount: coin(25_000), apy: 1n, days: 1 })
    expect((await promisedOf('rank')) - before).toBe(coin(350) / 365n)
    await instance.fundPool('COIN', -(await spare('COIN')))
    await expect(add({ ranks })).resolves.toMatchObject({ version: 5 })
    expect(await spare('COIN')).toBe(0n)
  })

  it('assumes as many coin purchases as in the last hold period, at the higher share', async () => {
    await expect(add({ referralPercent: 6n * ONE })).rejects.toMatchObject({ code: 'PROGRAMME_NOT_COVERED' })
    await instance.fundPool('COIN', coin(10) - 1n)
    await expect(add({ referralPercent: 6n * ONE })).rejects.toMatchObject({ code: 'PROGRAMME_NOT_COVERED' })
    await instance.fundPool('COIN', 1n)
    await expect(add({ referralPercent: 6n * ONE })).resolves.toMatchObject({ version: 6 })
  })

  it('[RW-07] [RW-08] checks the USD pool for NFTs only', async () => {
    await instance.buyNft(staker, { price: coin(100), percent: 60n * ONE, months: 6 })
    await expect(add({ nftLevelPercents: five(6n, 3n, 2n, 1n, 1n) })).rejects.toMatchObject({
      code: 'PROGRAMME_NOT_COVERED',
      message: expect.stringMatching(/USD$/),
    })
    await expect(add({ nftBountyPercents: five(10n, 5n, 3n, 2n, 2n) })).rejects.toMatchObject({ code: 'PROGRAMME_NOT_COVERED' })
    await expect(add({ nftLevelPercents: five(4n, 3n, 2n, 1n, 1n) })).resolves.toMatchObject({ version: 7 })
    await expect(add({ bountyPercents: five(11n, 5n, 3n, 2n, 1n) })).resolves.toMatchObject({ version: 8 })
    await instance.fundPool('USD', -(await spare('USD')))
    await expect(add({ nftLevelPercents: five(5n, 3n, 2n, 1n, 1n) })).resolves.toMatchObject({ version: 9 })
  })

  it('[RW-04] pays the bounties of a running stake by the version of its sale', async () => {
    const before = await instance.wallet(sponsor, 'nativeWallet')
    clock.advance(DAY_MS)
    await instance.job()
    // 10 % of the day's 500 coin, not 11 %; 5 % of the newcomer's 250 units, rounded down; and 3 % of the newcomer's stake for 1 of 365 days.
    expect((await instance.wallet(sponsor, 'nativeWallet')) - before).toBe(coin(50) + 12n + coin(750) / 365n)
    expect(await instance.damage()).toEqual([])
  })
})
