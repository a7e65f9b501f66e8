import { ONE } from '@tizara/money'
import { beforeAll, describe, expect, it } from 'vitest'
import { type TestApp, testApp } from '../../../test/app.ts'
import { testDatabase } from '../../../test/database.ts'
import { createTestMember } from '../../../test/members.ts'
import { applySettings, coinPriceDays, currentSettings, settingsRoutes } from './index.ts'

let at: TestApp
let token: string

const change = (changes: Parameters<typeof applySettings>[2]['changes']) =>
  at.db.transaction().execute((tx) => applySettings(tx, at.deps, { changes, actorId: null, reason: 'test' }))

beforeAll(async () => {
  const { db } = await testDatabase()
  at = await testApp(db, { routes: (bind) => settingsRoutes(bind) })
  token = (await at.signIn((await createTestMember(db)).id)).token
})

describe('settings', () => {
  it('[API-50] [EN-13] [EN-14] [EN-15] [CO-14] return the documented defaults', async () => {
    const { body } = await at.call('GET', '/general-settings', { token })
    expect(body).toMatchObject({ success: true, statusCode: 200 })
    expect(body.data).toMatchObject({ coinPrice: 0.008, minCoin: 1, maxCoin: 10_000_000, convertRate: 0.008 })
    expect(body.data).toMatchObject({ platformFeePercent: 5, networkFeePercent: 2 })
  })

  it('[API-51] [EN-16] return the exchange settings as a list', async () => {
    const { body } = await at.call('GET', '/exchange-settings', { token })
    expect(body.data).toEqual([{ exchangeLimit: 100, cooldownHours: 0 }])
  })

  it('return to visitors the values that the pages need', async () => {
    const { body } = await at.call('GET', '/config')
    expect(body.data).toMatchObject({ brandName: 'Tizara', tokenSymbol: 'TIZARA', sandbox: true })
  })

  it('[CO-15] reject a convert rate below the coin price, and a price above the convert rate', async () => {
    await expect(change({ convertRate: 700_000n })).rejects.toMatchObject({ code: 'CONVERT_RATE_TOO_LOW' })
    await expect(change({ coinPrice: 900_000n })).rejects.toMatchObject({ code: 'CONVERT_RATE_TOO_LOW' })
    expect((await currentSettings(at.db, at.clock.now())).version).toBe(1)
  })

  it('reject contradictory values', async () => {
    await expect(change({ maxCoin: 1n })).rejects.toMatchObject({ code: 'INVALID_INPUT' })
    await expect(change({ platformFeePercent: 99n * ONE })).rejects.toMatchObject({ code: 'INVALID_INPUT' })
  })

  it('accept shares and fees of exactly 100 percent, and store no version above', async () => {
    const all = 100n * ONE
    const { version } = await currentSettings(at.db, at.clock.now())
    const above = [{ platformFeePercent: all - 2n * ONE + 1n }, { exchangeLimit: all + 1n }, { bridgeFeePercent: all + 1n }]
    for (const changes of above) await expect(change(changes)).rejects.toThrow()
    expect((await currentSettings(at.db, at.clock.now())).version).toBe(version)
    at.clock.advance(1)
    const exact = { platformFeePercent: all - 2n * ONE, exchangeLimit: all, bridgeFeePercent: all }
    await change(exact)
    expect(await currentSettings(at.db, at.clock.now())).toMatchObject(exact)
    at.clock.advance(1)
    await change({ platformFeePercent: 5n * ONE, exchangeLimit: 10n * ONE, bridgeFeePercent: 0n })
  })

  it('keep each version with its start, and return the price of each day', async () => {
    at.clock.advance(86_400_000)
    const version = await change({ coinPrice: 1_000_000n, convertRate: 1_000_000n })
    expect(await currentSettings(at.db, at.clock.now())).toMatchObject({ version, coinPrice: 1_000_000n, exchangeLimit: 10n * ONE })
    expect((await currentSettings(at.db, new Date(at.clock.now().getTime() - 1))).coinPrice).toBe(800_000n)
    expect((await coinPriceDays(at.db, at.clock.now(), 3)).map((row) => row.coinPrice)).toEqual([800_000n, 800_000n, 1_000_000n])
  })

  it('are append-only in the database', async () => {
    await expect(at.db.updateTable('setting').set({ coin_price: 1n }).execute()).rejects.toThrow(/append-only/)
  })
})
