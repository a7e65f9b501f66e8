import { formatUnits, ONE, parseUnits, quoteBuy, type Units } from '@tizara/money'
import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type TestApp, testApp } from '../../app.ts'
import { checksOfTests } from '../../audited-instance.ts'
import { testDatabase } from '../../database.ts'
import { createTestMember, fillSalesFund, fund, setSalesFund } from '../../members.ts'
import { balanceOfSystemAccount, balancesOf, ledgerChecks, runAudit, systemBalances } from '../../../src/ledger/index.ts'
import { movingClock } from '../../../src/platform/runtime/clock.ts'
import { inTransaction } from '../../../src/platform/db/database.ts'
import { buyToken, coinRoutes, reverseCoinPurchase } from '../../../src/modules/coin/index.ts'
import { applySettings } from '../../../src/modules/settings/index.ts'
import { sellAll } from '../../../src/modules/transfers/sell-coin.ts'
import { transferRoutes } from '../../../src/modules/transfers/index.ts'

const u = (text: string): Units => parseUnits(text) ?? 0n
const PRICE = u('0.008')
const SELL = '/my-wallet/convart-to-usd'
const { db } = await testDatabase(8)
let at: TestApp

beforeAll(async () => {
  const routes: Parameters<typeof testApp>[1] = {
    clock: movingClock('2026-03-02T09:00:00Z'),
    routes: (bind) => {
      transferRoutes(bind)
      coinRoutes(bind)
    },
  }
  at = await testApp(db, routes)
  await inTransaction(db, (tx) => applySettings(tx, at.deps, { changes: { maxCoin: 10n ** 18n }, actorId: null, reason: 'test' }))
})

const inFund = () => balanceOfSystemAccount(db, 'SYS-SALES', 'USD')

const setFund = (amount: Units) => setSalesFund(db, amount)

async function seller(coin: Units, wallet: 'icoWallet' | 'rcmWallet' = 'icoWallet') {
  const who = await createTestMember(db, { specialRcm: true })
  await fund(db, who.id, wallet, coin)
  const { token } = await at.signIn(who.id)
  return { ...who, sell: (amount: string) => at.call('POST', SELL, { token, body: { amount } }), token }
}

const short = (available: string) => ({
  statusCode: 400,
  message: `The sales fund has ${available} USD now, which is less than this needs`,
})

describe('the sales fund', () => {
  beforeEach(() => setFund(0n))

  it('[MF-10] rejects a sale above its balance with the available amount, and changes nothing', async () => {
    const who = await seller(u('5000'))
    await setFund(u('15.99999999'))
    const state = async () => [await balancesOf(db, who.id), await systemBalances(db)]
    const before = await state()
    expect((await who.sell('2000')).body).toMatchObject(short('15.99999999'))
    expect(await state()).toEqual(before)
    await setFund(u('16'))
    expect((await who.sell('2000')).status).toBe(200)
    expect([await inFund(), (await balancesOf(db, who.id)).depositWallet]).toEqual([0n, u('16')])
    expect((await who.sell('1000')).body).toMatchObject(short('0'))
  })

  it('[MF-11] pays for RCM coin up to its balance', async () => {
    const who = await seller(u('200'), 'rcmWallet')
    await setFund(u('0.4'))
    const withdraw = (amount: number) => at.call('POST', '/special-rcm/withdraw-rcm-coin', { token: who.token, body: { amount } })
    expect((await withdraw(51)).body).toMatchObject(short('0.4'))
    expect((await withdraw(50)).status).toBe(200)
    expect((await withdraw(0.0000013)).body).toMatchObject(short('0'))
  })

  it("[MF-06] [MF-12] receives the members' payments for coin, and shows members its balance", async () => {
    const who = await seller(0n + ONE)
    await fund(db, who.id, 'nftWallet', u('5'))
    await fund(db, who.id, 'depositWallet', u('8'))
    const body = { coinPrice: '0.008', coinAmount: '1000', totalPrice: '8' }
    expect((await at.call('POST', '/buy-token', { token: who.token, body })).status).toBe(200)
    expect(await inFund()).toBe(u('8'))
    const convert = '/tizara-exchagne-and-convart/convart-to-my-wallet'
    expect((await at.call('POST', convert, { token: who.token, body: { usd: 5 } })).status).toBe(200)
    expect(await inFund()).toBe(u('13'))
    const shown = await at.call('GET', '/my-wallet/sales-fund', { token: who.token })
    expect(shown.body.data).toEqual({ available: 13 })
  })

  it('[MF-10] decides the sales of a batch in order, each by the balance after the earlier ones', async () => {
    const sellers = await Promise.all(Array.from({ length: 4 }, () => seller(u('5000'))))
    await setFund(u('20'))
    const amounts = ['2000', '1500', '500', '1']
    const sold = await inTransaction(db, (tx) =>
      sellAll(
        tx,
        at.deps,
        sellers.map(({ id }, index) => ({ memberId: id, wallet: 'icoWallet' as const, amount: u(amounts[index] ?? '0') })),
      ),
    )
    const outcome = (one: bigint | Error) => (typeof one === 'bigint' ? 'sold' : one.message)
    expect(sold.map(outcome)).toEqual(['sold', short('4').message, 'sold', short('0').message])
    expect(await inFund()).toBe(0n)
    const usd = await Promise.all(sellers.map(async ({ id }) => formatUnits((await balancesOf(db, id)).depositWallet)))
    expect(usd).toEqual(['16', '0', '4', '0'])
  })

  it.each([
    ['one unit of USD', 1n, 125n],
    ['9,223,372,036 coin', (9_223_372_036_000_000_00n * PRICE) / ONE, 9_223_372_036_000_000_00n],
  ])('[MF-10] pays %s exactly, and rejects it with one unit less in the fund', async (_, usd, coin) => {
    const who = await seller(coin)
    await setFund(usd - 1n)
    const sale = () => inTransaction(db, (tx) => sellAll(tx, at.deps, [{ memberId: who.id, wallet: 'icoWallet', amount: coin }]))
    expect(await sale()).toMatchObject([{ code: 'SALES_FUND_SHORT', message: short(formatUnits(usd - 1n)).message }])
    await setFund(usd)
    expect(await sale()).toEqual([expect.any(BigInt)])
    expect([await inFund(), (await balancesOf(db, who.id)).depositWallet]).toEqual([0n, usd])
  })

  it('[MF-12] refuses to reverse a purchase whose USD was sold out, and reverses it when the fund is filled again', async () => {
    const [buyer, other] = [await seller(ONE), await seller(u('1000'))]
    await fund(db, buyer.id, 'depositWallet', u('8'))
    const coinAmount = u('1000')
    const order = { memberId: buyer.id, coinAmount, coinPrice: PRICE, totalPrice: quoteBuy(coinAmount, PRICE).totalPrice }
    const purchase = await inTransaction(db, (tx) => buyToken(tx, at.deps, order))
    expect((await other.sell('1000')).status).toBe(200)
    const undo = () => inTransaction(db, (tx) => reverseCoinPurchase(tx, at.deps, purchase))
    const before = await balancesOf(db, buyer.id)
    await expect(undo()).rejects.toMatchObject({ code: 'SALES_FUND_SHORT', message: short('0').message })
    expect(await balancesOf(db, buyer.id)).toEqual(before)
    await fillSalesFund(db, u('8'))
    await undo()
    expect((await balancesOf(db, buyer.id)).depositWallet).toBe(u('8'))
  })

  it('[RW-13] has a floor of zero in the database, as has every USD account inside the platform', async () => {
    const { rows } = await sql<{ kind: string }>`
      select distinct kind from ledger_account where asset = 'USD' and min_balance <> 0 order by kind`.execute(db)
    expect(rows.map(({ kind }) => kind)).toEqual(['SYS-DEPOSIT', 'SYS-IMPORT', 'SYS-LOSS', 'SYS-OPERATOR'])
    const past = sql`update ledger_account set balance = -1 where kind = 'SYS-SALES' and asset = 'USD' and shard = 0`
    await expect(past.execute(db)).rejects.toThrow(/ledger_account_covered/)
  })

  it('leaves an audit without differences', async () => {
    const results = await runAudit(db, [...ledgerChecks, ...checksOfTests])
    expect(results.filter((result) => result.broken > 0)).toEqual([])
  })
})
