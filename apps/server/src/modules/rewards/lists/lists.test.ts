import { ONE } from '@tizara/money'
import { describe, expect, it } from 'vitest'
import { testApp } from '../../../../test/app.ts'
import { testDatabase } from '../../../../test/database.ts'
import { DAY_MS } from '../../../platform/runtime/clock.ts'
import { findReceipt } from '../../histories/index.ts'
import { rewardHistories } from '../history.ts'
import { rewardTotals } from './reward-totals.ts'
import { rewardRoutes } from '../rewards.routes.ts'
import { readNfts } from '../../nfts/index.ts'
import { testInstance } from '../../../../test/test-instance.ts'

const coin = (count: number) => BigInt(count) * ONE

describe('reward lists', async () => {
  const database = await testDatabase()
  const instance = await testInstance(database)
  const { db, clock } = instance
  await instance.fundPool('COIN', coin(10_000_000))
  await instance.fundPool('USD', coin(10_000_000))
  const app = await testApp(db, { routes: (bind) => rewardRoutes(bind, { readNfts }), clock })

  const leader = await instance.join()
  const child = await instance.join({ sponsor: leader })
  const deep = await instance.join({ sponsor: child })
  await instance.buyCoin(child, coin(1000))
  await instance.stake(leader, { amount: coin(1000), apy: 100n * ONE, days: 100 })
  await instance.stake(child, { amount: coin(3000), apy: 100n * ONE, days: 100 })
  await instance.stake(deep, { amount: coin(5000), apy: 100n * ONE, days: 100, omega: true })
  await instance.buyNft(deep, { price: coin(120), percent: 100n * ONE, months: 12 })
  await instance.stake(leader, { amount: coin(2000), apy: 100n * ONE, days: 100, omega: true })
  await instance.buyNft(leader, { price: coin(240), percent: 100n * ONE, months: 12 })
  for (let day = 1; day <= 31; day += 1) {
    clock.advance(DAY_MS)
    await instance.job()
  }
  const get = async (path: string) => (await app.call('GET', path, { token: (await app.signIn(leader.id)).token })).body.data

  it('[API-62] [EN-22] [LS-13] show referral rewards', async () => {
    const { data, meta } = await get('/transaction-history?page=1&limit=25')
    expect(data).toMatchObject([{ amount: 50, bonusFrom: child.email, createdAt: '2026-03-02T09:00:00.000Z', status: 'paid' }])
    expect(meta).toEqual({ total: 1, page: 1, limit: 25, sum: 50, sumByStatus: { paid: 50 } })
  })

  it('[RW-01] [RW-02] [RW-04] [RW-05] [RW-08] return the percentages and ranks of the programme', async () => {
    expect(await get('/rewards/programme')).toMatchObject({
      version: 1,
      referralPercent: 5,
      levelPercents: [5, 3, 2, 1, 1],
      bountyPercents: [10, 5, 3, 2, 1],
      nftBountyPercents: [10, 5, 3, 2, 1],
      ranks: [
        { rank: 'bronze', teamStake: 100_000, bonus: 500 },
        { rank: 'silver', teamStake: 500_000, bonus: 2_500 },
        { rank: 'gold', teamStake: 1_000_000, bonus: 5_000 },
        { rank: 'platinum', teamStake: 5_000_000, bonus: 25_000 },
        { rank: 'diamond', teamStake: 10_000_000, bonus: 50_000, filled: 0 },
      ],
      rankStake: 0,
    })
    expect((await app.call('GET', '/rewards/programme')).status).toBe(401)
  })

  it('[API-61] [EN-24] [LS-24] [UI-DASH-22] show level rewards with the staker and the level', async () => {
    const { data, meta } = await get('/stack-bonus-history')
    expect(data).toMatchObject([
      { bonusAmount: 41.09589041, email: deep.email, level: 2 },
      { bonusAmount: 41.09589041, email: child.email, level: 1 },
    ])
    expect(meta).toMatchObject({ total: 2, sum: 82.19178082 })
  })

  it('[API-64] [EN-32] [EN-33] [LS-17] show daily rewards newest first, page by page', async () => {
    const { data, meta } = await get('/roy-bonus-historys?page=2&limit=10')
    expect(meta).toMatchObject({ total: 31, page: 2, limit: 10, sum: 310 })
    expect(data).toHaveLength(10)
    expect(data[0]).toMatchObject({
      createdAt: '2026-03-23T09:00:00.000Z',
      dailyRoy: 10,
      day: 21,
      userStake: { planName: 'Test plan', stakeAmount: 1000, apy: 100, duration: 100 },
      status: 'paid',
    })
    const ranged = await get('/roy-bonus-historys?page=1&limit=10&from=2026-03-05&to=2026-03-06')
    expect(ranged.meta).toMatchObject({ total: 2, sum: 20 })
  })

  it('[API-79] [EN-33] [LS-40] show stake-log rewards separately', async () => {
    const { data, meta } = await get('/stake-logs/reward-history?page=1&limit=5')
    expect(meta).toMatchObject({ total: 31, sum: 620 })
    expect(data[0]).toMatchObject({ dailyRoy: 20, userStake: { stakeAmount: 2000 } })
  })

  it('[API-63] [EN-34] [LS-15] show profit bounties with the reward behind them', async () => {
    const { data, meta } = await get('/profit-bounty/my-bounty-historys?page=1&limit=25')
    expect(meta).toMatchObject({ total: 31, sum: 93 })
    expect(data[0]).toMatchObject({
      profit: 3,
      level: 1,
      dailyBonus: {
        dailyRoy: 30,
        userStake: { user: { email: child.email }, planName: 'Test plan', duration: 100 },
        planName: 'Test plan',
        duration: 100,
      },
    })
  })

  it('[API-78] [EN-35] [LS-38] show stake-log bounties', async () => {
    const { data, meta } = await get('/stake-logs/my-bounty-historys')
    expect(meta).toMatchObject({ total: 31, sum: 77.5 })
    expect(data[30]).toMatchObject({ profit: 2.5, level: 2, dailyBonus: { dailyRoy: 50, userStake: { user: { email: deep.email } } } })
  })

  it('[API-70] [EN-37] [LS-41] [LS-42] show NFT rewards with the purchase', async () => {
    const { data, meta } = await get('/nft-monthly-roi-history')
    expect(meta).toMatchObject({ total: 1, sum: 20 })
    expect(data[0]).toMatchObject({
      createdAt: '2026-04-02T09:00:00.000Z',
      amount: 20,
      month: 1,
      myNft: {
        name: 'Test dome',
        walletName: 'dome',
        price: 240,
        duration: 12,
        dailyRoi: 100,
        monthlyRoi: 20,
        totalRoi: 20,
        status: 'ACTIVE',
      },
    })
  })

  it('[API-71] [API-72] [EN-40] [EN-41] [LS-25] nest the NFT bonus lists one level deeper', async () => {
    const level = await get('/nft-level-bonus')
    expect(level.data.data).toMatchObject([{ email: deep.email, bonusAmount: 3.6, level: 2, duration: 12, dailyRoi: 100 }])
    const bounty = await get('/nft-monthly-roi-history/my-profit-bounty-history')
    expect(bounty.data.data).toMatchObject([
      {
        profit: 0.5,
        level: 2,
        duration: 12,
        dailyRoi: 100,
        nftDailyRoiHistory: { user: { email: deep.email }, myNft: { name: 'Test dome' }, dailyRoi: 10 },
      },
    ])
    expect(bounty.data.meta).toMatchObject({ total: 1, sum: 0.5 })
  })

  it("[I12] show only the member's rewards", async () => {
    const { token } = await app.signIn((await instance.join()).id)
    for (const path of [
      '/transaction-history',
      '/stack-bonus-history',
      '/roy-bonus-historys',
      '/profit-bounty/my-bounty-historys',
      '/rank/my-ranked-bonus',
    ]) {
      expect((await app.call('GET', path, { token })).body.data).toMatchObject({ data: [], meta: { total: 0 } })
    }
  })

  it("[EN-27] [UI-DASH-23] [UI-DASH-24] [UI-DASH-25] sum the dashboard's three figures", async () => {
    expect(await rewardTotals(db, leader.id)).toEqual({
      dailyBonusCount: coin(310),
      transactionHistoryCount: coin(50),
      dailyStakeLogsBonus: coin(620),
    })
  })

  it('sum by ISO week and kind', async () => {
    const { weeks } = await get('/rewards/weekly?weeks=6')
    expect(weeks.map((one: { week: string }) => one.week)).toEqual(['2026-W09', '2026-W10', '2026-W11', '2026-W12', '2026-W13', '2026-W14'])
    expect(weeks[1]).toMatchObject({ startsOn: '2026-03-02' })
    expect(weeks[1].sums).toContainEqual({ kind: 'daily', asset: 'coin', amount: 60 })
    expect(weeks[1].sums).toContainEqual({ kind: 'referral', asset: 'coin', amount: 50 })
    expect(weeks[0].sums).toEqual([])
  })

  it('explain every row: source, base, rate, version, rounding, ledger transfer', async () => {
    const bounty = (await get('/profit-bounty/my-bounty-historys?page=1&limit=1')).data[0]
    expect(await findReceipt(rewardHistories, db, leader.id, bounty.receipt)).toMatchObject({
      status: 'paid',
      amount: coin(3),
      base: coin(30),
      rate: 10n * ONE,
      level: 1,
      sourceMember: child.email,
      ruleVersion: '1',
      rounding: 'down to 8 decimals',
      transferId: expect.stringMatching(/^\d+$/),
    })
    const daily = (await get('/roy-bonus-historys?page=1&limit=1')).data[0]
    expect(await findReceipt(rewardHistories, db, leader.id, daily.receipt)).toMatchObject({
      amount: coin(10),
      base: coin(1000),
      rate: 100n * ONE,
    })
    const referral = (await get('/transaction-history')).data[0]
    expect(await findReceipt(rewardHistories, db, leader.id, referral.receipt)).toMatchObject({
      amount: coin(50),
      base: coin(1000),
      rate: 5n * ONE,
    })
    for (const row of [bounty, daily, referral]) {
      expect(await findReceipt(rewardHistories, db, deep.id, row.receipt)).toBeUndefined()
    }
    expect(await findReceipt(rewardHistories, db, leader.id, { kind: 'daily-reward', id: '99999-1' })).toBeUndefined()
    expect(await findReceipt(rewardHistories, db, leader.id, { kind: 'daily-reward', id: "1'--" })).toBeUndefined()
  })

  it('[API-81] [EN-46] [LS-39] show rank bonuses', async () => {
    const other = await instance.join({ sponsor: leader })
    for (const member of [deep, other]) await instance.stake(member, { amount: coin(21_900_000), apy: 1n, days: 5 })
    await instance.pass(5)
    await instance.mature()
    const { data, meta } = await get('/rank/my-ranked-bonus')
    expect(data).toMatchObject([
      { user: { email: leader.email }, rank: 'silver', bonus: 2500, status: 'held' },
      { user: { email: leader.email }, rank: 'bronze', bonus: 500, status: 'held' },
    ])
    expect(meta).toMatchObject({ sum: 3000, sumByStatus: { held: 3000 } })
    expect(data[0].desc).toContain('43,800,000')
  })

  it('[GN-24] [EN-21] [API-11] cover every kind of reward, each with data and meta', async () => {
    for (const [kind, path, nested] of [
      ['referral', '/transaction-history', false],
      ['level', '/stack-bonus-history', false],
      ['daily staking', '/roy-bonus-historys', false],
      ['profit bounty', '/profit-bounty/my-bounty-historys', false],
      ['rank bonus', '/rank/my-ranked-bonus', false],
      ['NFT monthly reward', '/nft-monthly-roi-history', false],
      ['NFT level bonus', '/nft-level-bonus', true],
      ['NFT profit bounty', '/nft-monthly-roi-history/my-profit-bounty-history', true],
    ] as const) {
      const answer = await get(`${path}?page=1&limit=3`)
      const { data, meta } = nested ? answer.data : answer
      expect(meta, kind).toMatchObject({ total: expect.any(Number), page: 1, limit: 3 })
      expect(data.length, kind).toBeGreaterThan(0)
      expect(data.length, kind).toBe(Math.min(3, meta.total))
    }
  })
})
