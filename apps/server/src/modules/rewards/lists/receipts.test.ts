import type { ReceiptKind } from '@tizara/contract/wallets'
import { ONE, type Units } from '@tizara/money'
import { describe, expect, it } from 'vitest'
import { testDatabase } from '../../../../test/database.ts'
import { DAY_MS } from '../../../platform/runtime/clock.ts'
import { inTransaction } from '../../../platform/db/database.ts'
import {
  listDailyRewards,
  listLevelRewards,
  listNftBounties,
  listNftLevelBonuses,
  listNftRewards,
  listProfitBounties,
  listRankBonuses,
  listReferrals,
} from './list-rows.ts'
import { findReceipt } from '../../histories/index.ts'
import { rewardHistories } from '../history.ts'
import { readNfts } from '../../nfts/index.ts'
import { testInstance } from '../../../../test/test-instance.ts'
import { onCoinSold } from '../instant/new-money.ts'

const coin = (count: number) => BigInt(count) * ONE

describe('reward receipts', async () => {
  const instance = await testInstance(await testDatabase())
  const { db, clock } = instance
  for (const asset of ['COIN', 'USD'] as const) await instance.fundPool(asset, coin(10_000_000))
  const leader = await instance.join()
  const child = await instance.join({ sponsor: leader })
  const deep = await instance.join({ sponsor: child })
  const stakeId = await instance.stake(deep, { amount: coin(120_000) + 7n, apy: 37n * ONE, days: 365 })
  for (const omega of [false, true]) {
    await instance.stake(leader, { amount: coin(1000) + 3n, apy: 37n * ONE, days: 365, omega })
    await instance.stake(child, { amount: coin(333), apy: 41n * ONE, days: 90, omega })
  }
  for (const who of [leader, child, deep]) await instance.buyNft(who, { price: coin(77), percent: 31n * ONE, months: 18 })
  await instance.buyCoin(child, coin(1234) + 9n)
  for (let index = 0; index < 2; index += 1)
    await instance.stake(await instance.join({ sponsor: leader }), { amount: coin(650_000), apy: 1n, days: 30 })
  for (let day = 0; day < 33; day += 3) {
    clock.advance(3 * DAY_MS)
    await instance.job()
    await instance.mature()
  }
  await instance.buyCoin(child, coin(100))
  await inTransaction(db, (tx) => onCoinSold(tx, clock.now(), [{ memberId: child.id, coin: coin(40), usd: 0n, transferId: 0n }]))

  const query = { page: 1, limit: 500 }
  /** Each row's amount, with its receipt's key. */
  const rows: { amount: Units; status: string; receipt: { kind: ReceiptKind; id: string } }[] = [
    ...(await listReferrals(db, leader.id, query)).data,
    ...(await listLevelRewards(db, leader.id, query)).data.map((row) => ({ ...row, amount: row.bonusAmount })),
    ...(await listDailyRewards(db, leader.id, 0, query)).data.map((row) => ({ ...row, amount: row.dailyRoy })),
    ...(await listDailyRewards(db, leader.id, 1, query)).data.map((row) => ({ ...row, amount: row.dailyRoy })),
    ...(await listProfitBounties(db, leader.id, 0, query)).data.map((row) => ({ ...row, amount: row.profit })),
    ...(await listProfitBounties(db, leader.id, 1, query)).data.map((row) => ({ ...row, amount: row.profit })),
    ...(await listNftLevelBonuses(db, leader.id, query)).data.map((row) => ({ ...row, amount: row.bonusAmount })),
    ...(await listRankBonuses(db, leader.id, query)).data.map((row) => ({ ...row, amount: row.bonus })),
  ]
  const receipts = async () =>
    Promise.all(rows.map(async (row) => ({ row, receipt: await findReceipt(rewardHistories, db, leader.id, row.receipt) })))

  it("[I19] have a base and a rate that give the row's amount, and transfers that add up to it", async () => {
    const seen = await receipts()
    expect(new Set(rows.map((row) => row.receipt.kind)).size).toBe(8)
    const paid = new Map<string, Units>()
    for (const { row, receipt } of seen) {
      expect(receipt).toMatchObject({ amount: row.amount, status: row.status, ruleVersion: '1' })
      if (receipt?.base === undefined) throw new Error('no base')
      if (receipt.rate !== undefined) {
        const days = BigInt(/÷ (\d+) days/.exec(receipt.rule ?? '')?.[1] ?? 1)
        const paidDays = BigInt(/× (\d+) ÷/.exec(receipt.rule ?? '')?.[1] ?? 1)
        expect(row.amount).toBe((receipt.base * receipt.rate * paidDays) / (100n * ONE * days))
      }
      if (receipt.transferId !== undefined) paid.set(receipt.transferId, (paid.get(receipt.transferId) ?? 0n) + row.amount)
    }
    const moved = await db
      .selectFrom('ledger_transfer')
      .select(['id', 'amount'])
      .where('id', 'in', [...paid.keys()].map(BigInt))
      .execute()
    expect(moved.map((transfer) => [String(transfer.id), transfer.amount]).toSorted()).toEqual([...paid].toSorted())
    // Otherwise the comparison above would show little.
    expect([...paid.keys()].length).toBeGreaterThan(30)
  })

  it('[RW-06] [RW-08] show the base and the rate of an NFT month, as of a day', async () => {
    const own = (await listNftRewards(db, leader.id, query, readNfts)).data
    const bounties = (await listNftBounties(db, leader.id, query)).data
    expect([own.length, bounties.length]).toEqual([1, 2])
    for (const { receipt: key } of [...own, ...bounties]) {
      const receipt = await findReceipt(rewardHistories, db, leader.id, key)
      if (receipt?.base === undefined || receipt.rate === undefined) throw new Error('no base')
      const parts = BigInt(/÷ (\d+) months/.exec(receipt.rule ?? '')?.[1] ?? 1)
      expect(receipt.amount).toBe((receipt.base * receipt.rate) / (100n * ONE * parts))
    }
  })

  it('name the purchase by its public id, and the threshold of the rank', async () => {
    const seen = (await receipts()).map(({ receipt }) => receipt)
    const { public_id } = await db.selectFrom('stake').select('public_id').where('id', '=', stakeId).executeTakeFirstOrThrow()
    expect(seen).toContainEqual(expect.objectContaining({ kind: 'level-reward', level: 2, sourceMember: deep.email, sourceId: public_id }))
    const rank = seen.find((receipt) => receipt?.kind === 'rank-bonus')
    expect(rank?.rule).toBe('Rank bronze: 500 coin once, filled by stakes of the team that mature while it stakes 100000 coin or more')
    expect(rank?.base).toBe(coin(1_420_666) + 7n)
    expect(rank).not.toHaveProperty('rounding')
    const level = seen.find((receipt) => receipt?.sourceId === public_id)
    const { plan_name } = await db.selectFrom('stake').select('plan_name').where('id', '=', stakeId).executeTakeFirstOrThrow()
    expect(level).toMatchObject({ sourceLabel: plan_name, rule: 'Level 2 of the upline: 3 % of the stake', to: { label: 'Native Wallet' } })
    expect(level?.lines[0]).toEqual({ label: 'Paid', value: 'when the stake matures' })
  })

  it('show the reversed and the remaining amount', async () => {
    const seen = (await receipts()).map(({ receipt }) => receipt)
    const held = seen.find((receipt) => receipt?.kind === 'referral-reward' && receipt.status === 'held')
    expect(held?.lines).toEqual([
      { label: 'Sold or sent away before the hold ended', value: '40', amount: coin(40) },
      { label: 'Held for', value: '30 days, because its purchase can be reversed until then' },
      { label: 'Held until', value: expect.any(String), at: expect.any(Date) },
      { label: 'Reversed with the returned coin', value: '2', amount: coin(2) },
      { label: 'Left', value: '3', amount: coin(3) },
    ])
  })
})
