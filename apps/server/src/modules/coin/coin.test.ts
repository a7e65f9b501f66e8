import { settingsValue } from '@tizara/contract/staff-values'
import { parseUnits, type Units } from '@tizara/money'
import { beforeAll, describe, expect, it } from 'vitest'
import { type TestApp, testApp } from '../../../test/app.ts'
import { testDatabase } from '../../../test/database.ts'
import { limitsOf } from '../../../test/limits.ts'
import { createTestMember, fund } from '../../../test/members.ts'
import { movesOf } from '../../../test/moves.ts'
import { balanceOfSystemAccount, balancesOf } from '../../ledger/index.ts'
import { movingClock } from '../../platform/runtime/clock.ts'
import { inTransaction } from '../../platform/db/database.ts'
import { applySettings } from '../settings/index.ts'
import { findPurchaseReceipt } from './coin.receipts.ts'
import { coinTransfers } from './coin.transfers.ts'
import { coinRoutes, spentOnCoin } from './index.ts'

const u = (text: string): Units => parseUnits(text) ?? 0n
let at: TestApp

beforeAll(async () => {
  const { db } = await testDatabase()
  at = await testApp(db, { clock: movingClock('2026-03-02T09:00:00Z'), routes: (bind) => coinRoutes(bind) })
})

async function buyer(usd: string) {
  const created = await createTestMember(at.db)
  await fund(at.db, created.id, 'depositWallet', u(usd))
  return { ...created, token: (await at.signIn(created.id)).token, balances: () => balancesOf(at.db, created.id) }
}

const buy = (token: string, coinAmount: unknown, totalPrice: unknown, coinPrice: unknown = 0.008) =>
  at.call('POST', '/buy-token', { token, body: { coinPrice, coinAmount, totalPrice } })

describe('POST /buy-token', () => {
  it('[API-46] [MF-12] [EN-23] [API-65] [API-11] debits USD, credits the ICO wallet and lists the purchase', async () => {
    const member = await buyer('100')
    const sales = await balanceOfSystemAccount(at.db, 'SYS-SALES', 'USD')
    expect((await buy(member.token, 1000, 8)).body).toMatchObject({ success: true, statusCode: 200 })
    expect(await member.balances()).toMatchObject({ depositWallet: u('92'), newIcoWallet: u('1000') })
    expect((await balanceOfSystemAccount(at.db, 'SYS-SALES', 'USD')) - sales).toBe(u('8'))
    const { created_at: boughtAt } = await at.db
      .selectFrom('coin_purchase')
      .select('created_at')
      .where('member_id', '=', member.id)
      .executeTakeFirstOrThrow()
    const { data, meta } = (await at.call('GET', '/buy-token?page=1&limit=25', { token: member.token })).body.data
    expect(data[0]).toMatchObject({ coinAmount: 1000, coinPrice: 0.008, totalPrice: 8, createdAt: boughtAt.toISOString() })
    expect(await movesOf(at.db, member.id)).toEqual([
      'buyToken: depositWallet → SYS-SALES 8 USD',
      'buyToken: SYS-COIN → newIcoWallet 1000 COIN',
    ])
    expect(meta).toMatchObject({ total: 1, page: 1, limit: 25, sum: 1000 })
  })

  it("[GN-20] sums a member's coin purchases without reversed ones, over a limited number of rows", async () => {
    const member = await buyer('100')
    expect(await spentOnCoin(at.db, member.id)).toBe(0n)
    for (const [amount, total] of [
      [1000, 8],
      [500, 4],
      [250, 2],
    ])
      expect((await buy(member.token, amount, total)).status).toBe(200)
    expect(await spentOnCoin(at.db, member.id)).toBe(u('14'))
    const last = at.db.selectFrom('coin_purchase').select('id').where('member_id', '=', member.id).orderBy('id', 'desc').limit(1)
    await at.db.updateTable('coin_purchase').set({ reversed_at: at.clock.now() }).where('id', '=', last).execute()
    expect(await spentOnCoin(at.db, member.id, 3)).toBe(u('12'))
    expect(await spentOnCoin(at.db, member.id, 2)).toBeUndefined()
  })

  it("[VA-89] [ER-70] rejects a price or total that differs from the server's", async () => {
    const member = await buyer('100')
    for (const [total, price] of [
      [8, 0.0079],
      [7.99, 0.008],
      [0, 0.008],
      [8, 0],
      [0.01, 0.00001],
    ]) {
      expect((await buy(member.token, 1000, total, price)).body).toMatchObject({
        statusCode: 400,
        message: 'Price has changed, please try again',
      })
    }
    expect((await member.balances()).depositWallet).toBe(u('100'))
  })

  it('[VA-60] [VA-24] accepts a total rounded in floating point, and fields as text', async () => {
    const member = await buyer('100')
    // 1.875 × 0.008 is 0.015: rounded half up 0.02, and 0.01 for a client whose product is slightly lower.
    for (const total of [0.02, 0.01, '0.02', 0.015]) expect((await buy(member.token, '1.875', total, '0.00800')).status).toBe(200)
    expect(await member.balances()).toMatchObject({ depositWallet: u('99.94'), newIcoWallet: u('7.5') })
  })

  it('[VA-62] [VA-59] [CO-19] rejects amounts outside minCoin and maxCoin', async () => {
    const member = await buyer('100')
    expect((await buy(member.token, 0.5, 0)).status).toBe(400)
    expect((await buy(member.token, 10_000_001, 80_000.01)).body.message).toBe('Maximum amount is 10000000')
    await at.db.transaction().execute((tx) => applySettings(tx, at.deps, { changes: { minCoin: u('5') }, actorId: null, reason: 'test' }))
    expect((await buy(member.token, 4, 0.03)).body.message).toBe('Minimum amount is 5')
    expect((await buy(member.token, 5, 0.04)).status).toBe(200)
  })

  it.each(settingsValue.entries.buyTokenCreditWallet.wrapped.options)(
    'credits the wallet of the settings, as its kind declares: %s',
    async (wallet) => {
      const credit = (buyTokenCreditWallet: typeof wallet) =>
        inTransaction(at.db, (tx) => applySettings(tx, at.deps, { changes: { buyTokenCreditWallet }, actorId: null, reason: 'test' }))
      await credit(wallet)
      const member = await buyer('100')
      expect((await buy(member.token, 1000, 8)).status).toBe(200)
      await credit('newIcoWallet')
      expect(await movesOf(at.db, member.id)).toContain(`buyToken: SYS-COIN → ${wallet} 1000 COIN`)
      expect(coinTransfers.buyToken.pairs).toContainEqual(['SYS-COIN COIN', wallet])
      expect(coinTransfers.buyTokenReversed.pairs).toContainEqual([wallet, 'SYS-COIN COIN'])
    },
  )

  it('stores the settings version of its price, also after a price change', async () => {
    const member = await buyer('100')
    await at.db
      .transaction()
      .execute((tx) => applySettings(tx, at.deps, { changes: { coinPrice: u('0.007') }, actorId: null, reason: 'test' }))
    expect((await buy(member.token, 100, 0.8)).status).toBe(400)
    expect((await buy(member.token, 100, 0.7, 0.007)).status).toBe(200)
    const [row] = await at.db
      .selectFrom('coin_purchase')
      .innerJoin('setting', 'setting.version', 'coin_purchase.settings_version')
      .select(['coin_purchase.coin_price', 'setting.coin_price as versioned'])
      .where('member_id', '=', member.id)
      .execute()
    expect(row?.coin_price).toBe(row?.versioned)
  })

  it('gives only the buyer a receipt of each purchase, with all inputs of its calculation', async () => {
    const [member, other] = [await buyer('100'), await buyer('100')]
    const [row, second] = [await buy(member.token, 100, 0.7, 0.007), await buy(member.token, 200, 1.4, 0.007)]
    const id = row.body.data.receipt.id
    expect(second.body.data.receipt.id).not.toBe(id)
    expect(await findPurchaseReceipt(at.db, member.id, id)).toMatchObject({
      id,
      kind: 'buy-token',
      title: 'Coin purchase',
      rounding: 'up',
      base: u('100'),
      baseAsset: 'coin',
      rate: u('0.007'),
      rateUnit: 'USD for one coin',
    })
    expect(await findPurchaseReceipt(at.db, member.id, second.body.data.receipt.id)).toMatchObject({ base: u('200') })
    expect(await findPurchaseReceipt(at.db, other.id, id)).toBeUndefined()
  })

  it("[LS-07] lists only the member's purchases, and returns the price of each day", async () => {
    const stranger = await buyer('1')
    expect((await at.call('GET', '/buy-token', { token: stranger.token })).body.data.data).toEqual([])
    const { days } = (await at.call('GET', '/coin/price-history?days=3', { token: stranger.token })).body.data
    expect(days).toHaveLength(3)
    expect(days.at(-1).coinPrice).toBe(0.007)
  })
})

it('[I2] limits every amount column with a check', async () => {
  expect(await limitsOf(at.db, 'coin_purchase')).toEqual({ coin_amount: '1…', charged: '1…' })
})
