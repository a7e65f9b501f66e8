import { ONE } from '@tizara/money'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { testDatabase } from '../../../../test/database.ts'
import { DAY_MS } from '../../../platform/runtime/clock.ts'
import { readNfts } from '../../nfts/index.ts'
import { progressOf } from '../sources/source.ts'
import { listRewardRuns, payDay, simulateDay } from './reward-runs.ts'
import { testInstance } from '../../../../test/test-instance.ts'

const coin = (count: number) => BigInt(count) * ONE

describe('catching up', async () => {
  const instance = await testInstance(await testDatabase())
  const { clock, db } = instance
  await instance.fundPool('COIN', coin(1_000_000))

  it('[RW-12] [I18] pays up to three missed days automatically, requires approval beyond that, and then continues', async () => {
    const member = await instance.join()
    await instance.stake(member, { amount: coin(1000), apy: 10n * ONE, days: 100 })
    await instance.job('reward-run')
    clock.advance(3 * DAY_MS)
    await instance.job('reward-run')
    const daily = coin(1)
    expect(await instance.wallet(member, 'nativeWallet')).toBe(3n * daily)
    clock.advance(365 * DAY_MS)
    await instance.job('reward-run')
    await instance.job('reward-run')
    expect(await instance.wallet(member, 'nativeWallet')).toBe(6n * daily)
    clock.set('2026-03-15T09:00:00Z')
    await instance.job('reward-run')
    expect(await instance.wallet(member, 'nativeWallet')).toBe(6n * daily)

    // Paid so far: up to and including 8 March. Staff pay the 9th, 10th and 11th; the job catches up on the rest.
    await expect(payDay(db, instance.deps, { day: '2026-03-12', by: 'test' })).rejects.toThrow()
    for (const day of ['2026-03-09', '2026-03-10', '2026-03-11']) await payDay(db, instance.deps, { day, by: 'test' })
    expect(await instance.wallet(member, 'nativeWallet')).toBe(9n * daily)
    await instance.job('reward-run')
    expect(await instance.wallet(member, 'nativeWallet')).toBe(13n * daily)
    const days = await sql<{ day: string }>`select day from reward_day where status = 'DONE' order by day`.execute(db)
    expect(days.rows.map((row) => row.day)).toEqual(
      Array.from({ length: 13 }, (_, index) => `2026-03-${String(index + 2).padStart(2, '0')}`),
    )
    expect(await instance.damage()).toEqual([])
  })

  it('[MF-17] [RW-12] [I18] releases no pending reward after a clock that jumps, until a person has paid the missing days', async () => {
    const jumped = await testInstance(await testDatabase())
    await jumped.fundPool('COIN', coin(1000))
    const sponsor = await jumped.join()
    await jumped.buyCoin(await jumped.join({ sponsor }), coin(100))
    await jumped.pass(20)
    jumped.clock.advance(20 * DAY_MS)
    for (let turn = 0; turn < 3; turn += 1) await jumped.job()
    expect(await jumped.wallet(sponsor, 'nativeWallet')).toBe(0n)
    const open = Date.parse('2026-03-02T00:00:00Z') + 24 * DAY_MS
    for (let day = 0; day < 13; day += 1)
      await payDay(jumped.db, jumped.deps, { day: new Date(open + day * DAY_MS).toISOString().slice(0, 10), by: 'test' })
    await jumped.job()
    expect(await jumped.wallet(sponsor, 'nativeWallet')).toBe(coin(5))
    expect(await jumped.damage()).toEqual([])
  })

  it.each([4, 5, 6, 7, 8, 31])(
    '[RW-12] [I18] pays four days of a clock that jumps %i days, and no more until a person has paid one of the others',
    async (days) => {
      const jumped = await testInstance(await testDatabase())
      await jumped.fundPool('COIN', coin(1_000_000))
      const member = await jumped.join()
      await jumped.stake(member, { amount: coin(1000), apy: 10n * ONE, days: 100 })
      await jumped.job('reward-run')
      jumped.clock.advance(days * DAY_MS)
      for (let turn = 0; turn < 4; turn += 1) await jumped.job('reward-run')
      expect(await jumped.wallet(member, 'nativeWallet')).toBe(coin(3))
      if (days > 8) return
      // Staff pay the next days until three are left.
      for (let day = 4; day <= Math.max(4, days - 3); day += 1)
        await payDay(jumped.db, jumped.deps, { day: `2026-03-${String(2 + day).padStart(2, '0')}`, by: 'test' })
      await jumped.job('reward-run')
      expect(await jumped.wallet(member, 'nativeWallet')).toBe(coin(days))
      expect(await jumped.damage()).toEqual([])
    },
  )

  it('[RW-12] [I18] pays all days when the sandbox moved the clock, which also lifts a halt, and waits after the next jump', async () => {
    const moved = await testInstance(await testDatabase())
    await moved.fundPool('COIN', coin(1_000_000))
    const member = await moved.join()
    await moved.stake(member, { amount: coin(1000), apy: 10n * ONE, days: 100 })
    await moved.job('reward-run')
    const pass = async (days: number, isRecorded: boolean) => {
      moved.clock.advance(days * DAY_MS)
      if (isRecorded) await sql`update clock_offset set seconds = 1, moved_to = ${moved.clock.now()}`.execute(moved.db)
      for (let turn = 0; turn < 3; turn += 1) await moved.job('reward-run')
      return moved.wallet(member, 'nativeWallet')
    }
    expect(await pass(10, true)).toBe(coin(10))
    expect(await pass(10, false)).toBe(coin(13))
    expect(await pass(1, false)).toBe(coin(13))
    expect(await pass(1, true)).toBe(coin(22))
    expect(await pass(3, false)).toBe(coin(25))
    // An offset of zero, as in production, records no move.
    await sql`update clock_offset set seconds = 0, moved_to = ${moved.clock.now()}::timestamptz + interval '1 year'`.execute(moved.db)
    expect(await pass(10, false)).toBe(coin(28))
    expect(await moved.damage()).toEqual([])
  })

  it('[I18] rejects a future day and a day out of order', async () => {
    await expect(payDay(db, instance.deps, { day: '2026-03-16', by: 'test' })).rejects.toThrow()
    await expect(simulateDay(db, instance.deps, '2026-03-14')).rejects.toThrow()
  })

  it('has a dry run that leaves no trace, and the real run has its hash', async () => {
    clock.set('2026-03-16T08:00:00Z')
    await instance.job('reward-run')
    clock.set('2026-03-16T23:00:00Z')
    const before = await sql`select count(*) from reward_accrual`.execute(db)
    const dry = await simulateDay(db, instance.deps, '2026-03-16')
    expect(dry.totals).toMatchObject([
      { kind: 'daily', rows: 1n, amount: coin(1) },
      { kind: 'profit-bounty', rows: 0n, amount: 0n },
    ])
    expect(await sql`select count(*) from reward_accrual`.execute(db)).toEqual(before)
    expect((await simulateDay(db, instance.deps, '2026-03-16')).hash).toBe(dry.hash)
    const member = await instance.join()
    await instance.stake(member, { amount: coin(1000), apy: 10n * ONE, days: 100 })
    await sql`update reward_source set starts_at = starts_at - interval '24 hours' where member_id = ${member.id}`.execute(db)
    await expect(payDay(db, instance.deps, { day: '2026-03-16', hash: dry.hash, by: 'test' })).rejects.toMatchObject({
      code: 'CHANGE_OUTDATED',
    })
    expect(await instance.wallet(member, 'nativeWallet')).toBe(0n)
    const again = await simulateDay(db, instance.deps, '2026-03-16')
    expect(again.hash).not.toBe(dry.hash)
    const paid = await payDay(db, instance.deps, { day: '2026-03-16', hash: again.hash, by: 'test' })
    expect(paid).toEqual(again)
    expect(await instance.wallet(member, 'nativeWallet')).toBe(coin(1))
  })
})

describe('NFT months', async () => {
  const instance = await testInstance(await testDatabase(), '2027-10-31T10:00:00Z')
  const { clock, db } = instance
  await instance.fundPool('USD', coin(1_000_000))

  it('[RW-06] [MF-21] [RW-08] [MF-23] are paid on the purchase day of the month, or its last day if it is shorter, until the term ends', async () => {
    const sponsor = await instance.join()
    const member = await instance.join({ sponsor })
    const id = await instance.buyNft(member, { price: coin(100), percent: 60n * ONE, months: 6 })
    const paidOn: string[] = []
    for (let day = 0; day < 200; day += 1) {
      clock.advance(DAY_MS)
      const before = await instance.wallet(member, 'nftWallet')
      await instance.job('reward-run')
      if ((await instance.wallet(member, 'nftWallet')) > before) paidOn.push(clock.now().toISOString().slice(0, 10))
    }
    expect(paidOn).toEqual(['2027-11-30', '2027-12-31', '2028-01-31', '2028-02-29', '2028-03-31', '2028-04-30'])
    expect(await instance.wallet(member, 'nftWallet')).toBe(coin(60))
    expect(await instance.wallet(sponsor, 'nftWallet')).toBe(coin(6))
    const purchase = await db.selectFrom('nft_purchase').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    const { public_id: publicId } = purchase
    expect((await progressOf(db, [publicId]))(publicId)).toMatchObject({
      processed: 6,
      steps: 6,
      distributed: coin(60),
      distributedAt: new Date('2028-04-30T10:00:00.000Z'),
    })
    expect((await readNfts(db, [publicId]))(publicId)).toMatchObject({ status: 'CLOSED', totalRoi: coin(60) })
    expect(await instance.damage()).toEqual([])
  })
})

describe('short pool', async () => {
  const instance = await testInstance(await testDatabase())
  const { clock, db } = instance

  it('[MF-15] leaves rewards owed in order, pays them after funding, and never goes below zero', async () => {
    const members = [await instance.join(), await instance.join(), await instance.join()]
    for (const member of members) await instance.stake(member, { amount: coin(1000), apy: 10n * ONE, days: 100 })
    await instance.fundPool('COIN', coin(2) + 5n)
    const wallets = () => Promise.all(members.map((member) => instance.wallet(member, 'nativeWallet')))
    clock.advance(DAY_MS)
    await instance.job('reward-run')
    expect(await wallets()).toEqual([coin(1), coin(1), 0n])
    expect(await instance.pool('COIN')).toBe(5n)
    clock.advance(DAY_MS)
    await instance.job('reward-run')
    expect(await wallets()).toEqual([coin(1), coin(1), 0n])
    const owed = await sql<{ owed: bigint }>`select sum(total - paid)::bigint as owed from reward_payment`.execute(db)
    expect(owed.rows).toEqual([{ owed: coin(4) }])
    await instance.fundPool('COIN', coin(1))
    await instance.job('reward-run')
    expect(await wallets()).toEqual([coin(1), coin(1), coin(1)])
    await instance.fundPool('COIN', coin(10))
    await instance.job('reward-run')
    expect(await wallets()).toEqual([coin(2), coin(2), coin(2)])
    // Runs that were owed keep their shortfall after payment. A run that never waited has none.
    clock.advance(DAY_MS)
    await instance.job('reward-run')
    const { data } = await listRewardRuns(db, {})
    expect(data.map((run) => [run.phase, run.owed, run.wasOwed.map((part) => part.amount)])).toEqual([
      ['DONE', [], []],
      ['DONE', [], [coin(3)]],
      ['DONE', [], [coin(1)]],
    ])
    expect(await instance.damage()).toEqual([])
  })
})
