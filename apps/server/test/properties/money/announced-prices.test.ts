import { formatUnits, ONE, quoteBuy, type Units } from '@tizara/money'
import { describe, expect, it } from 'vitest'
import { testApp } from '../../app.ts'
import { checksOfTests } from '../../audited-instance.ts'
import { testDatabase } from '../../database.ts'
import { createTestMember, fillSalesFund, fund } from '../../members.ts'
import { balancesOf, ledgerChecks, runAudit } from '../../../src/ledger/index.ts'
import { DAY_MS, HOUR_MS } from '../../../src/platform/runtime/clock.ts'
import { inTransaction } from '../../../src/platform/db/database.ts'
import { coinRoutes } from '../../../src/modules/coin/index.ts'
import { nftRoutes } from '../../../src/modules/nfts/index.ts'
import { applySettings, scheduleSettings, settingsRoutes } from '../../../src/modules/settings/index.ts'
import { transferRoutes } from '../../../src/modules/transfers/index.ts'
import { testClock } from '../../../src/platform/runtime/clock.ts'
import { setCommitment } from '../../commitment.ts'

const { db } = await testDatabase()
const clock = testClock('2026-03-02T09:00:00Z')
const at = await testApp(db, {
  clock,
  routes: (bind) => {
    settingsRoutes(bind)
    coinRoutes(bind)
    transferRoutes(bind)
    nftRoutes(bind)
  },
})
const FIRST = 800_000n
const PLANNED = { actorId: null, reason: 'test' }
await inTransaction(db, (tx) => applySettings(tx, at.deps, { changes: { convertRate: 2n * FIRST }, ...PLANNED }))
await setCommitment(db)
await fillSalesFund(db, 1_000_000n * ONE)
const nft = { public_id: 'nft-1', kind: 'dome', name: 'Dome', title: 'Dome', price: 80n * ONE, duration_months: 12 }
await db
  .insertInto('nft')
  .values({ ...nft, total_percent: 0n, status: 'ACTIVE', created_at: clock.now() })
  .execute()

/** Signs in a member with 1,000 USD and 100,000 coin. Sessions expire in the days of a test. */
async function member() {
  const { id } = await createTestMember(db)
  await fund(db, id, 'depositWallet', 1000n * ONE)
  await fund(db, id, 'nftWallet', 1000n * ONE)
  await fund(db, id, 'icoWallet', 100_000n * ONE)
  const sign = async () => (await at.signIn(id)).token
  const call = async (path: string, body: object, quoted?: string) =>
    at.call('POST', path, { token: await sign(), body, headers: quoted === undefined ? {} : { 'quoted-amount': quoted } })
  return {
    id,
    call,
    settings: async () => (await at.call('GET', '/general-settings', { token: await sign() })).body.data,
    buy: async (coinPrice: number, coin = 1000n) => {
      const { totalPrice } = quoteBuy(coin * ONE, BigInt(Math.round(coinPrice * 1e8)))
      return call('/buy-token', { coinPrice, coinAmount: Number(coin), totalPrice: Number(formatUnits(totalPrice)) })
    },
    sell: (quoted: string) => call('/my-wallet/convart-to-usd', { amount: '1000' }, quoted),
    convert: (quoted: string) => call('/tizara-exchagne-and-convart/convart-to-my-wallet', { usd: '32' }, quoted),
    balances: () => balancesOf(db, id),
  }
}
const plan = (changes: { coinPrice: Units; convertRate?: Units }, hours: number) =>
  inTransaction(db, (tx) =>
    scheduleSettings(tx, at.deps, [{ changes, startsAt: new Date(clock.now().getTime() + hours * HOUR_MS), ...PLANNED }]),
  )
const inForce = (coinPrice: Units) => inTransaction(db, (tx) => applySettings(tx, at.deps, { changes: { coinPrice }, ...PLANNED }))

/** Waits until both prices of the last change no longer count. */
async function start() {
  await inTransaction(db, (tx) => scheduleSettings(tx, at.deps, []))
  clock.advance(3 * DAY_MS)
  await inForce(FIRST)
}

describe('an announced price', () => {
  it.each([
    ['rise', 1_200_000n],
    ['fall', 400_000n],
  ])('[MF-10] [MF-12] brings nothing to members who know of the %s, from its approval until 24 hours after its start', async (_, next) => {
    await start()
    const who = await member()
    await plan({ coinPrice: next }, 48)
    const [high, low] = next > FIRST ? [next, FIRST] : [FIRST, next]
    for (const hours of [0, 47, 1, 23]) {
      clock.advance(hours * HOUR_MS)
      const settings = await who.settings()
      expect(settings).toMatchObject({ buyPrice: Number(high) / 1e8, sellPrice: Number(low) / 1e8 })
      expect(settings.bothPricesUntil).toBeTypeOf('string')
      const before = await who.balances()
      expect((await who.buy(Number(high) / 1e8)).status).toBe(200)
      expect((await who.sell(formatUnits(low * 1000n))).status).toBe(200)
      const after = await who.balances()
      expect(before.depositWallet - after.depositWallet).toBe((high - low) * 1000n)
      // The better prices are refused.
      expect((await who.buy(Number(low) / 1e8)).body.message).toBe('Price has changed, please try again')
      expect((await who.sell(formatUnits(high * 1000n))).body.message).toBe('Price has changed, please try again')
    }
    clock.advance(HOUR_MS)
    expect(await who.settings()).toMatchObject({
      coinPrice: Number(next) / 1e8,
      buyPrice: Number(next) / 1e8,
      sellPrice: Number(next) / 1e8,
    })
    expect((await who.settings()).bothPricesUntil).toBeUndefined()
    expect((await who.buy(Number(next) / 1e8)).status).toBe(200)
  })

  it('[MF-06] [MF-14] counts for the NFT wallet and for NFTs that are paid in coin', async () => {
    await start()
    const who = await member()
    await plan({ coinPrice: 400_000n, convertRate: 4n * FIRST }, 30)
    expect((await who.convert('2000')).status).toBe(400)
    const before = await who.balances()
    expect((await who.convert('1000')).status).toBe(200)
    expect((await who.balances()).icoWallet - before.icoWallet).toBe(1000n * ONE)
    const buyNft = (quoted: string) => who.call('/nft-purchese', { nftId: 'nft-1', walletName: 'dome', payby: 'mywallet' }, quoted)
    expect((await buyNft('10000')).status).toBe(400)
    expect((await buyNft('20000')).body).toMatchObject({ statusCode: 200 })
  })

  it('[MF-10] counts again at once when it is cancelled, replaced, or followed by a change without notice', async () => {
    await start()
    const who = await member()
    const prices = async () => {
      const { coinPrice, buyPrice, sellPrice } = await who.settings()
      return [coinPrice, buyPrice, sellPrice].map((price) => Math.round(price * 1e8))
    }
    await plan({ coinPrice: 1_200_000n }, 48)
    await inTransaction(db, (tx) => scheduleSettings(tx, at.deps, []))
    expect(await prices()).toEqual([800_000, 800_000, 800_000])
    await plan({ coinPrice: 1_200_000n }, 48)
    await plan({ coinPrice: 600_000n }, 47)
    expect(await prices()).toEqual([800_000, 800_000, 600_000])
    clock.advance(48 * HOUR_MS)
    await inForce(630_000n)
    expect(await prices()).toEqual([630_000, 800_000, 600_000])
    clock.advance(23 * HOUR_MS)
    expect(await prices()).toEqual([630_000, 630_000, 630_000])
  })

  it.each([
    ['fall', 'behind', 760_000n],
    ['fall', 'ahead', 760_000n],
    ['rise', 'behind', 840_000n],
    ['rise', 'ahead', 840_000n],
  ])('[MF-10] [MF-12] a %s without notice brings nothing on two servers when the clock of one is 20 s %s', async (_, side, next) => {
    await start()
    const [skew, elsewhere] = [side === 'behind' ? -20_000 : 20_000, testClock(clock.now())]
    elsewhere.set(new Date(clock.now().getTime() + skew))
    const other = await testApp(db, {
      clock: elsewhere,
      routes: (bind) => {
        settingsRoutes(bind)
        coinRoutes(bind)
        transferRoutes(bind)
      },
    })
    const who = await member()
    const { token } = await other.signIn(who.id)
    // The other server decides the change. This one learns of it by its commit.
    await inTransaction(db, (tx) => applySettings(tx, other.deps, { changes: { coinPrice: next }, ...PLANNED }))
    const price = Number(next) / 1e8
    for (const seconds of [0, 1, 19, 20]) {
      for (const one of [clock, elsewhere]) one.advance(seconds * 1000)
      const before = (await who.balances()).depositWallet
      const body = { amount: '1000' }
      const headers = { 'quoted-amount': formatUnits(next * 1000n) }
      expect((await who.buy(price)).status).toBe(200)
      expect((await other.call('POST', '/my-wallet/convart-to-usd', { token, body, headers })).status).toBe(200)
      const { totalPrice } = quoteBuy(1000n * ONE, next)
      const purchase = { coinPrice: price, coinAmount: 1000, totalPrice: Number(formatUnits(totalPrice)) }
      expect((await other.call('POST', '/buy-token', { token, body: purchase })).status).toBe(200)
      expect((await who.sell(formatUnits(next * 1000n))).status).toBe(200)
      expect((await who.balances()).depositWallet).toBe(before)
      expect((await other.call('GET', '/general-settings', { token })).body.data).toMatchObject({ coinPrice: price, buyPrice: price })
    }
  })

  it('is traded, and has receipts, as the audit recomputes it', async () => {
    expect((await runAudit(db, [...ledgerChecks, ...checksOfTests])).filter((result) => result.broken > 0)).toEqual([])
  })
})
