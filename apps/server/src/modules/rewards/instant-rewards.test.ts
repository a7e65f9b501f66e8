import { ONE } from '@tizara/money'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { testDatabase } from '../../../test/database.ts'
import { balancesOf, post } from '../../ledger/index.ts'
import { DAY_MS } from '../../platform/clock.ts'
import { inTransaction } from '../../platform/database.ts'
import { assertCovered, coverageOf, setRewardPolicy } from './coverage.ts'
import { creditRcm } from './credit-rcm.ts'
import { fundRewardPool } from './fund-reward-pool.ts'
import { onStakeOpened } from './on-stake-opened.ts'
import { addProgramme, currentProgramme } from './programme.ts'
import { forecastByMonth } from './promises.ts'
import { sharedTraces } from './shared-traces.queries.ts'
import { tallyOf } from './tally.ts'
import { testHouse } from './test-house.ts'
import { undoRewards } from './undo-rewards.ts'

const coin = (count: number) => BigInt(count) * ONE
const HOLD = 30 * DAY_MS

describe('rewards of an event', async () => {
  const house = await testHouse(await testDatabase())
  const { clock, db } = house
  await house.fundPool('COIN', coin(10_000_000))
  await house.fundPool('USD', coin(10_000_000))
  const statuses = async (memberId: bigint, kind: string) => (await tallyOf(db, memberId, kind)).byStatus

  it('[RW-01] [MF-17] holds 5 % of bought coin for the direct sponsor, and pays it when the time has come', async () => {
    const top = await house.join()
    const sponsor = await house.join({ sponsor: top })
    const buyer = await house.join({ sponsor })
    await house.buyCoin(buyer, coin(100) + 19n)
    clock.advance(HOLD - 1)
    await house.sweep()
    expect(await house.wallet(sponsor, 'nativeWallet')).toBe(0n)
    expect(await statuses(sponsor.id, 'referral')).toEqual({ held: coin(5) })
    clock.advance(1)
    await house.sweep()
    await house.sweep()
    expect(await house.wallet(sponsor, 'nativeWallet')).toBe(coin(5))
    expect(await house.wallet(top, 'nativeWallet')).toBe(0n)
    expect(await statuses(sponsor.id, 'referral')).toEqual({ paid: coin(5) })
  })

  it('[RW-02] [RW-07] [MF-18] [MF-22] pays five levels of a stake and of an NFT, not a sixth; who earns nothing keeps the place', async () => {
    const line = [await house.join()]
    for (let level = 0; level < 6; level += 1) {
      const sponsor = line.at(-1)
      line.push(await house.join({ sponsor, active: level !== 4 }))
    }
    const bottom = line.at(-1)
    if (bottom === undefined) throw new Error('no line')
    await house.stake(bottom, { amount: coin(1000), apy: ONE, days: 365 })
    await house.buyNft(bottom, { price: coin(200), percent: ONE, months: 12 })
    clock.advance(HOLD)
    await house.sweep('reward-release')
    const above = line.slice(0, -1).toReversed()
    // The member right above was blocked when it happened: the others keep their own levels.
    expect(await Promise.all(above.map((member) => house.wallet(member, 'nativeWallet')))).toEqual([0n, coin(30), coin(20), coin(10), coin(10), 0n])
    expect(await Promise.all(above.map((member) => house.wallet(member, 'nftWallet')))).toEqual([0n, coin(6), coin(4), coin(2), coin(2), 0n])
  })

  it('[RW-12] keeps the rewards of a blocked member until the block ends', async () => {
    const sponsor = await house.join()
    const buyer = await house.join({ sponsor })
    await house.buyCoin(buyer, coin(100))
    await house.setActive(sponsor, false)
    clock.advance(HOLD)
    await house.sweep()
    expect(await statuses(sponsor.id, 'referral')).toEqual({ held: coin(5) })
    await house.setActive(sponsor, true)
    await house.sweep()
    expect(await house.wallet(sponsor, 'nativeWallet')).toBe(coin(5))
  })

  it('[I10] earns each reward of an event once, however often it is told', async () => {
    const sponsor = await house.join()
    const staker = await house.join({ sponsor })
    const stakeId = await house.stake(staker, { amount: coin(1000), apy: ONE, days: 10 })
    await inTransaction(db, (tx) => onStakeOpened(tx, house.deps, { stakeId, memberId: staker.id, amount: coin(1000), isOmega: false, at: clock.now() }))
    expect(await tallyOf(db, sponsor.id, 'level')).toMatchObject({ total: 1, sum: coin(50) })
  })

  it('[I19] takes back pro rata what an undone purchase earned: held rewards shrink, paid ones go back to the pool as far as they are there', async () => {
    const sponsor = await house.join()
    const buyer = await house.join({ sponsor })
    const undo = (id: bigint, undone: bigint) =>
      inTransaction(db, (tx) => undoRewards(tx, { cause: { type: 'coin_purchase', id }, undone, at: clock.now() }))
    const held = await house.buyCoin(buyer, coin(100))
    expect(await undo(held, coin(40))).toMatchObject({ rewards: 1, released: coin(2) })
    const gone = await house.buyCoin(buyer, coin(60))
    await undo(gone, coin(60))
    expect(await statuses(sponsor.id, 'referral')).toEqual({ held: coin(5), reversed: coin(3) })
    clock.advance(HOLD)
    await house.sweep()
    expect(await house.wallet(sponsor, 'nativeWallet')).toBe(coin(3))
    await post(db, {
      kind: 'testSpend',
      cause: { type: 'test', id: '1' },
      at: clock.now(),
      transfers: [{ from: { owner: sponsor.id, kind: 'nativeWallet' }, to: { house: 'SYS-COIN', asset: 'COIN' }, amount: coin(2) }],
    })
    expect(await undo(held, coin(60))).toEqual({ rewards: 1, released: 0n, recovered: coin(1), unrecovered: coin(2) })
    expect(await undo(held, coin(60))).toEqual({ rewards: 0, released: 0n, recovered: 0n, unrecovered: 0n })
    expect(await house.wallet(sponsor, 'nativeWallet')).toBe(0n)
    expect(await house.damage()).toEqual([])
  })

  it('[RW-05] [MF-20] gives every rank that the downline’s stake has reached, once, and writes it to the member', async () => {
    const leader = await house.join()
    const child = await house.join({ sponsor: leader })
    const deep = await house.join({ sponsor: child })
    const rank = async () => (await db.selectFrom('member').select('rank').where('id', '=', leader.id).executeTakeFirstOrThrow()).rank
    await house.stake(leader, { amount: coin(5_000_000), apy: 1n, days: 10 })
    await house.stake(deep, { amount: coin(99_998), apy: 1n, days: 10 })
    await house.sweep()
    expect(await rank()).toBeNull()
    await house.stake(child, { amount: coin(2), apy: 1n, days: 10 })
    await house.sweep()
    expect(await rank()).toBe('bronze')
    await house.stake(deep, { amount: coin(900_000), apy: 1n, days: 10 })
    await house.sweep()
    await house.sweep()
    expect(await rank()).toBe('gold')
    expect(await tallyOf(db, leader.id, 'rank')).toMatchObject({ total: 3, sum: coin(500 + 2500 + 5000) })
  })

  it('[RW-05] gives a rank that was reached while blocked when the block ends', async () => {
    const leader = await house.join({ active: false })
    const child = await house.join({ sponsor: leader })
    await house.stake(child, { amount: coin(100_000), apy: 1n, days: 10 })
    await house.sweep()
    expect(await tallyOf(db, leader.id, 'rank')).toMatchObject({ total: 0 })
    await house.setActive(leader, true)
    await house.sweep()
    expect(await tallyOf(db, leader.id, 'rank')).toMatchObject({ total: 1, sum: coin(500) })
  })

  it('[MF-17] lets rewards wait as owed when the pool is short, and pays them first when it is filled', async () => {
    const short = await testHouse(await testDatabase())
    const sponsor = await short.join()
    const buyer = await short.join({ sponsor })
    await short.buyCoin(buyer, coin(100))
    await short.buyCoin(buyer, coin(40))
    short.clock.advance(HOLD)
    await short.fundPool('COIN', coin(4))
    await short.sweep()
    expect(await short.wallet(sponsor, 'nativeWallet')).toBe(0n)
    expect((await tallyOf(short.db, sponsor.id, 'referral')).byStatus).toEqual({ owed: coin(7) })
    expect(await coverageOf(short.db, 'COIN', short.clock.now())).toMatchObject({ pool: coin(4), owed: coin(7) })
    await short.fundPool('COIN', coin(3))
    await short.sweep()
    expect(await short.wallet(sponsor, 'nativeWallet')).toBe(coin(7))
    expect(await short.pool('COIN')).toBe(0n)
    expect(await short.damage()).toEqual([])
  })
})

describe('programme versions', async () => {
  const { db, clock } = await testHouse(await testDatabase())
  const add = (rules: Parameters<typeof addProgramme>[1]['rules'], startsAt = clock.now()) =>
    inTransaction(db, (tx) => addProgramme(tx, { rules, startsAt, at: clock.now(), reason: 'test', by: null }))

  it('[RW-01] opens with the documented figures', async () => {
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

  it('refuses figures that make no sense, and starts in the past', async () => {
    await expect(add({ referralPercent: 101n * ONE })).rejects.toMatchObject({ code: 'INVALID_INPUT' })
    await expect(add({ referralPercent: 1n })).rejects.toMatchObject({ code: 'INVALID_INPUT' })
    await expect(add({ levelPercents: [ONE] })).rejects.toMatchObject({ code: 'INVALID_INPUT' })
    await expect(add({ ranks: [{ rank: 'a', teamStake: 2n, bonus: 1n }, { rank: 'b', teamStake: 2n, bonus: 1n }] })).rejects.toMatchObject({ code: 'INVALID_INPUT' })
    await expect(add({}, new Date(clock.now().getTime() - 1))).rejects.toMatchObject({ code: 'INVALID_INPUT' })
    await expect(sql`update reward_programme set referral_percent = 0`.execute(db)).rejects.toThrow(/append-only/)
  })

  it('holds from its start on', async () => {
    const start = new Date(clock.now().getTime() + DAY_MS)
    await add({ referralPercent: ONE }, start)
    expect((await currentProgramme(db, new Date(start.getTime() - 1))).version).toBe(1)
    expect(await currentProgramme(db, start)).toMatchObject({ version: 2, referralPercent: ONE })
  })
})

describe('coverage', async () => {
  const house = await testHouse(await testDatabase())
  const { clock, db, deps } = house
  const sale = { kind: 'stake', amount: coin(1000), apy: 10n * ONE, durationDays: 10 } as const
  const ask = () => inTransaction(db, (tx) => assertCovered(tx, deps, { ...sale, at: clock.now() }))
  const policy = (change: Partial<Parameters<typeof setRewardPolicy>[1]>) =>
    inTransaction(db, (tx) => setRewardPolicy(tx, { at: clock.now(), by: null, reason: 'test', ...change }))
  // 100 coin of rewards, 21 % of bounties on them, 12 % of level rewards.
  const promised = coin(100 + 21 + 120)

  it('refuses a stake whose whole promise is not covered by pool and commitment, to the unit', async () => {
    await policy({ coverageMode: 'enforce' })
    await expect(ask()).rejects.toMatchObject({ code: 'NOT_COVERED' })
    await house.fundPool('COIN', promised - 1n)
    await expect(ask()).rejects.toMatchObject({ code: 'NOT_COVERED' })
    await policy({ committed: { COIN: 1n, USD: 0n } })
    await expect(ask()).resolves.toBeUndefined()
  })

  it('refuses an NFT the same way, in USD', async () => {
    const nft = { kind: 'nft', price: coin(100), totalPercent: 60n * ONE, durationMonths: 6, at: clock.now() } as const
    const askNft = () => inTransaction(db, (tx) => assertCovered(tx, deps, nft))
    await expect(askNft()).rejects.toMatchObject({ code: 'NOT_COVERED' })
    await house.fundPool('USD', coin(60) + 1_260_000_000n + coin(12))
    await expect(askNft()).resolves.toBeUndefined()
  })

  it('counts what was sold before, folded into the forecast or not, until its day is over', async () => {
    const top = await house.join()
    const member = await house.join({ sponsor: top })
    await house.stake(member, { amount: coin(1000), apy: 10n * ONE, days: 10 })
    const now = clock.now()
    expect((await coverageOf(db, 'COIN', now)).promised).toBe(coin(121 + 50))
    await expect(ask()).rejects.toMatchObject({ code: 'NOT_COVERED' })
    await house.sweep('reward-fold')
    expect((await coverageOf(db, 'COIN', now)).promised).toBe(coin(121 + 50))
    expect(await forecastByMonth(db, '2026-03-02')).toEqual([
      { month: '2026-03', kind: 'daily', amount: coin(100) },
      { month: '2026-03', kind: 'profit-bounty', amount: coin(21) },
      { month: '2026-04', kind: 'level', amount: coin(50) },
    ])
    clock.advance(5 * DAY_MS)
    expect((await coverageOf(db, 'COIN', clock.now())).promised).toBe((coin(121) * 6n) / 10n + coin(50))
  })

  it('only shows it when the operator observes', async () => {
    await policy({ coverageMode: 'observe', committed: { COIN: 0n, USD: 0n } })
    await expect(ask()).resolves.toBeUndefined()
  })
})

describe('the pool', async () => {
  const house = await testHouse(await testDatabase())
  const { db, deps } = house
  const staff = await house.join()
  const act = { by: { memberId: staff.id, role: 'ADMIN' }, reason: 'because' }

  it('[MF-25] [RW-10] credits RCM from the pool, never beyond it, on record with the reason', async () => {
    const member = await house.join()
    const credit = (amount: bigint) => inTransaction(db, (tx) => creditRcm(tx, deps, { ...act, memberId: member.id, amount }))
    await expect(credit(coin(1))).rejects.toMatchObject({ code: 'NOT_COVERED' })
    await inTransaction(db, (tx) => fundRewardPool(tx, deps, { ...act, asset: 'COIN', amount: coin(5), source: 'stock' }))
    await credit(coin(3))
    await expect(credit(coin(3))).rejects.toMatchObject({ code: 'NOT_COVERED' })
    expect((await balancesOf(db, member.id)).rcmWallet).toBe(coin(3))
    const trail = await sql<{ action: string; reason: string }>`select action, reason from audit_event order by id`.execute(db)
    expect(trail.rows).toEqual([
      { action: 'rewards.fund-pool', reason: 'because' },
      { action: 'rewards.credit-rcm', reason: 'because' },
    ])
    expect(await house.damage()).toEqual([])
  })

  it('is filled with USD of sales only as far as there are any', async () => {
    const fund = (source: 'stock' | 'operator') =>
      inTransaction(db, (tx) => fundRewardPool(tx, deps, { ...act, asset: 'USD', amount: coin(5), source }))
    await expect(fund('stock')).rejects.toMatchObject({ code: 'INSUFFICIENT_BALANCE' })
    await fund('operator')
    expect(await house.pool('USD')).toBe(coin(5))
  })
})

describe('who may have referred themselves', async () => {
  const house = await testHouse(await testDatabase())
  const { db, clock } = house

  it('names members who share a device or a payout address with somebody who earns from them', async () => {
    const top = await house.join()
    const middle = await house.join({ sponsor: top })
    const bottom = await house.join({ sponsor: middle })
    const stranger = await house.join()
    const signIn = (memberId: bigint, ip: string) =>
      sql`insert into session (public_id, member_id, created_at, last_seen_at, idle_seconds, expires_at, ip, user_agent, device)
        values (${`${memberId}-${ip}`}, ${memberId}, ${clock.now()}, ${clock.now()}, 60, ${clock.now()}, ${ip}, 'browser', 'Browser')`.execute(db)
    for (const member of [top, bottom, stranger]) await signIn(member.id, '192.0.2.7')
    await signIn(middle.id, '192.0.2.8')
    expect(await sharedTraces(db, [middle.id, bottom.id, stranger.id])).toEqual([
      { memberId: bottom.id, uplineId: top.id, uplineEmail: top.email, level: 2, sameDevice: true, samePayoutAddress: false },
    ])
  })
})
