import { ONE } from '@tizara/money'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { testApp, type TestApp } from '../../../test/app.ts'
import { testDatabase } from '../../../test/database.ts'
import { limitsOf } from '../../../test/limits.ts'
import { createTestMember, fund, type TestMember } from '../../../test/members.ts'
import { movesOf } from '../../../test/moves.ts'
import { balanceOfSystemAccount, balancesOf, ledgerChecks, runAudit, type WalletKind } from '../../ledger/index.ts'
import { DAY_MS } from '../../platform/runtime/clock.ts'
import { inTransaction, type Tx } from '../../platform/db/database.ts'
import { scheduleSettings } from '../settings/index.ts'
import { auditChecks, buyNft, nftRoutes, nftValues, putNft, scheduleNft } from './index.ts'
import { findNftPurchaseReceipt } from './nft-receipt.ts'
import { setCommitment } from '../../../test/commitment.ts'

const database = await testDatabase()
const { db } = database
let instance: TestApp

const SOLD_OUT = 'NFT sold out'
const addNft = (id: string, kind: string, price: bigint, status = 'ACTIVE') =>
  db
    .insertInto('nft')
    .values({
      public_id: id,
      kind,
      name: `NFT ${id}`,
      title: 'A title',
      price,
      duration_months: 24,
      total_percent: 240n * ONE,
      status,
      created_at: new Date('2026-01-01T00:00:00Z'),
    })
    .execute()

interface Person {
  member: TestMember
  token: string
}
async function person(wallet?: WalletKind, amount = 0n): Promise<Person> {
  const member = await createTestMember(db)
  if (wallet !== undefined) await fund(db, member.id, wallet, amount)
  return { member, token: (await instance.signIn(member.id)).token }
}
const buy = (who: Person, body: object, key?: string, headers: Record<string, string> = {}) =>
  instance.call('POST', '/nft-purchese', {
    token: who.token,
    body: { payby: 'depositwallet', walletName: 'dome', nftId: 'dome', ...body },
    headers,
    ...(key === undefined ? {} : { key }),
  })
const sold = async (kind: string) =>
  (await db.selectFrom('nft_supply').select('sold').where('kind', '=', kind).executeTakeFirstOrThrow()).sold

beforeAll(async () => {
  instance = await testApp(db, { routes: (bind) => nftRoutes(bind) })
  await setCommitment(db)
  await addNft('dome', 'dome', 100n * ONE)
  await addNft('wagon', 'wagon', 33_333_333n)
  await addNft('land', 'land', 7n * ONE)
  await addNft('hotel', 'hotelAndResort', 500n * ONE)
  await addNft('gone', 'dome', 100n * ONE, 'CLOSED')
})

describe('NFT purchase', () => {
  it('[MF-14] [API-48] [ER-39] [EN-29] [EN-39] charges the USD price and raises holdings and quantity', async () => {
    const who = await person('depositWallet', 250n * ONE)
    const before = await sold('dome')
    const sales = await balanceOfSystemAccount(db, 'SYS-SALES', 'USD')
    const reply = await buy(who, {})
    expect(reply.body).toMatchObject({ success: true, message: 'Successfully purchased', data: { receipt: { kind: 'nft-purchase' } } })
    const { id } = reply.body.data.receipt
    expect(await findNftPurchaseReceipt(db, who.member.id, id)).toMatchObject({
      amount: 100n * ONE,
      balanceAfter: 150n * ONE,
      sourceLabel: 'NFT dome',
    })
    expect(await findNftPurchaseReceipt(db, who.member.id + 1n, id)).toBeUndefined()
    expect((await buy(who, {})).status).toBe(200)
    expect((await balancesOf(db, who.member.id)).depositWallet).toBe(50n * ONE)
    expect((await balanceOfSystemAccount(db, 'SYS-SALES', 'USD')) - sales).toBe(200n * ONE)
    expect((await instance.call('GET', '/nft-wallets/my-nft-wallet', { token: who.token })).body.data).toEqual({
      dome: 2,
      domePrice: 200,
      wagon: 0,
      wagonPrice: 0,
      hotelAndResort: 0,
      hotelAndResortPrice: 0,
      land: 0,
      landPrice: 0,
    })
    const shop = (await instance.call('GET', '/nft/active-nft', { token: who.token })).body.data.data
    expect(shop.find((nft: { id: string }) => nft.id === 'dome')).toMatchObject({ quantity: before + 2, remaining: 10_000 - before - 2 })
  })

  it.each([
    ['nativewallet', 'nativeWallet'],
    ['mywallet', 'icoWallet'],
  ] as const)('[VA-72] [I13] [I19] charges the coin price of %s, rounded up', async (payby, wallet) => {
    const who = await person(wallet, 100n * ONE)
    expect((await buy(who, { payby, walletName: 'wagon', nftId: 'wagon' })).status).toBe(200)
    // 0.33333333 USD at 0.008 is 41.66666625 coin exactly.
    expect((await balancesOf(db, who.member.id))[wallet]).toBe(100n * ONE - 4_166_666_625n)
    const row = await db.selectFrom('nft_purchase').selectAll().where('member_id', '=', who.member.id).executeTakeFirstOrThrow()
    expect(row).toMatchObject({ paid_asset: 'coin', coin_price: 800_000n, price: 33_333_333n, paid_amount: 4_166_666_625n })
  })

  it.each([
    ['another kind than that of the NFT', { walletName: 'land' }, 'This NFT is not available'],
    ['an unknown NFT', { nftId: 'nowhere' }, 'This NFT is not available'],
    ['a closed NFT', { nftId: 'gone' }, 'This NFT is not available'],
    ['an unknown kind', { walletName: 'castle' }, 'Invalid NFT kind'],
    ['no wallet', { payby: '' }, 'Please select a wallet to purchase from'],
    ['a wallet that cannot pay', { payby: 'rcmWallet' }, 'Please select a wallet to purchase from'],
    ['a price above the balance', { walletName: 'hotelAndResort', nftId: 'hotel' }, 'Insufficient balance'],
    ['more coin than the balance', { payby: 'nativewallet' }, 'Insufficient balance'],
  ])('[API-49] [ER-40] rejects %s and moves nothing', async (_, change, message) => {
    const who = await person('depositWallet', 499n * ONE)
    const before = await Promise.all(['dome', 'hotelAndResort', 'land'].map(sold))
    expect((await buy(who, change)).body).toMatchObject({ success: false, statusCode: 400, message })
    expect((await balancesOf(db, who.member.id)).depositWallet).toBe(499n * ONE)
    expect(await Promise.all(['dome', 'hotelAndResort', 'land'].map(sold))).toEqual(before)
  })

  it('[GN-22] sells the four kinds, and none under another name', async () => {
    const who = await person('depositWallet', 1000n * ONE)
    const offers = { dome: 'one-dome', wagon: 'one-wagon', hotelAndResort: 'one-hotel', land: 'one-land' }
    onTestFinished(async () => {
      await db.updateTable('nft').set({ status: 'CLOSED' }).where('public_id', 'in', Object.values(offers)).execute()
    })
    for (const [kind, id] of Object.entries(offers)) await addNft(id, kind, 100n * ONE)
    for (const [walletName, nftId] of Object.entries(offers)) expect((await buy(who, { walletName, nftId })).status, walletName).toBe(200)
    const owned = (await instance.call('GET', '/nft-wallets/my-nft-wallet', { token: who.token })).body.data
    expect(Object.keys(owned).filter((key) => owned[key] === 1)).toEqual(Object.keys(offers))
    const before = (await balancesOf(db, who.member.id)).depositWallet
    for (const walletName of ['castle', 'Dome', 'hotel', ' land', '', null, ['dome']])
      expect((await buy(who, { walletName })).body, JSON.stringify(walletName)).toMatchObject({
        statusCode: 400,
        message: 'Invalid NFT kind',
      })
    expect((await balancesOf(db, who.member.id)).depositWallet).toBe(before)
  })

  it('[MF-14] is rejected while rewards are not covered, and moves nothing', async () => {
    const who = await person('depositWallet', 100n * ONE)
    await setCommitment(db, 0n)
    const reply = await buy(who, {})
    await setCommitment(db)
    expect(reply.body).toMatchObject({ statusCode: 400, message: 'New purchases of this kind are paused until the reward pool is funded' })
    expect((await balancesOf(db, who.member.id)).depositWallet).toBe(100n * ONE)
  })

  it('[MF-14] [VA-89] rejects an amount that differs from the displayed one', async () => {
    const who = await person('nativeWallet', 20_000n * ONE)
    for (const quoted of ['12499.99', '100']) {
      const reply = await buy(who, { payby: 'nativewallet' }, undefined, { 'quoted-amount': quoted })
      expect(reply.body).toMatchObject({ statusCode: 400, message: 'Price has changed, please try again' })
    }
    expect((await balancesOf(db, who.member.id)).nativeWallet).toBe(20_000n * ONE)
    expect((await buy(who, { payby: 'nativewallet' }, undefined, { 'quoted-amount': '12500' })).status).toBe(200)
  })

  it('[I5] buys once per idempotency key', async () => {
    const who = await person('depositWallet', 300n * ONE)
    const first = await buy(who, {}, 'key')
    expect((await buy(who, {}, 'key')).text).toBe(first.text)
    expect((await buy(who, { payby: 'nativewallet' }, 'key')).body.message).toBe('This idempotency key was used for another request')
    expect((await balancesOf(db, who.member.id)).depositWallet).toBe(200n * ONE)
  })

  it('[I4] accepts as many of 24 parallel purchases as the balance can pay', async () => {
    const who = await person('depositWallet', 350n * ONE)
    const replies = await Promise.all(Array.from({ length: 24 }, () => buy(who, {})))
    expect(replies.filter((reply) => reply.status === 200)).toHaveLength(3)
    expect(new Set(replies.map((reply) => reply.status))).toEqual(new Set([200, 400]))
    expect((await balancesOf(db, who.member.id)).depositWallet).toBe(50n * ONE)
  })

  it('[CO-22] [CO-23] [CO-24] [CO-25] has the documented caps of the four kinds', async () => {
    const rows = await db.selectFrom('nft_supply').select(['kind', 'cap']).orderBy('cap').execute()
    expect(rows).toEqual([
      { kind: 'dome', cap: 10_000 },
      { kind: 'wagon', cap: 25_000 },
      { kind: 'hotelAndResort', cap: 55_000 },
      { kind: 'land', cap: 110_000 },
    ])
  })

  it('[I9] sells exactly the last 7 in 200 parallel purchases', async () => {
    const people = await Promise.all(Array.from({ length: 20 }, () => person('depositWallet', 700n * ONE)))
    const before = await sold('land')
    await db
      .updateTable('nft_supply')
      .set({ cap: before + 7 })
      .where('kind', '=', 'land')
      .execute()
    const purchase = async (index: number) => {
      const who = people[index % 20] ?? fail()
      // A busy server refuses some calls with 503; the test sends them again.
      for (;;) {
        const reply = await buy(who, { walletName: 'land', nftId: 'land' })
        if (reply.status !== 503) return reply
      }
    }
    const replies = await Promise.all(Array.from({ length: 200 }, (_, index) => purchase(index)))
    await db.updateTable('nft_supply').set({ cap: 110_000 }).where('kind', '=', 'land').execute()
    expect(replies.filter((reply) => reply.status === 200)).toHaveLength(7)
    expect(new Set(replies.filter((reply) => reply.status !== 200).map((reply) => reply.body.message))).toEqual(new Set([SOLD_OUT]))
    expect(await sold('land')).toBe(before + 7)
    const left = await Promise.all(people.map(async ({ member }) => (await balancesOf(db, member.id)).depositWallet))
    expect(left.reduce((sum, one) => sum + one, 0n)).toBe((20n * 700n - 7n * 7n) * ONE)
  })
})

const fail = (): never => {
  throw new Error('no such person')
}

// The embedded database runs one statement at a time, so transactions never overlap.
if (database.url !== undefined)
  it('[MF-14] [RW-07] locks the NFT, so that its figures stay the same until the purchase commits', async () => {
    const who = await person('depositWallet', 100n * ONE)
    const input = { memberId: who.member.id, nftId: 'dome', walletName: 'dome', payby: 'depositwallet' } as const
    const hasty = (tx: Tx) => sql`set local lock_timeout = '20ms'`.execute(tx)
    await inTransaction(db, async (tx) => {
      await buyNft(tx, instance.deps, input)
      const change = inTransaction(db, async (other) => {
        await hasty(other)
        await putNft(other, instance.deps, 'dome', { ...(await nftValues(other, 'dome', instance.clock.now())), price: ONE })
      })
      await expect(change).rejects.toMatchObject({ code: '55P03' })
    })
    expect(await movesOf(db, who.member.id)).toEqual(['nftPurchase: depositWallet → SYS-SALES 100 USD'])
  })

it('[MF-14] changes only the named NFT, and closes one that is no longer on sale', async () => {
  const all = () => db.selectFrom('nft').selectAll().orderBy('public_id').execute()
  const before = await all()
  const values = await nftValues(db, 'land', instance.clock.now())
  expect(values).toMatchObject({ walletName: 'land', price: 7n * ONE, status: 'ACTIVE' })
  await inTransaction(db, (tx) => putNft(tx, instance.deps, 'land', { ...values, price: 8n * ONE, status: 'INACTIVE' }))
  expect(await all()).toEqual(before.map((nft) => (nft.public_id === 'land' ? { ...nft, price: 8n * ONE, status: 'CLOSED' } : nft)))
  await inTransaction(db, (tx) => putNft(tx, instance.deps, 'land', values))
  expect(await all()).toEqual(before)
  const added = await inTransaction(db, (tx) => putNft(tx, instance.deps, undefined, { ...values, name: 'Added', status: 'INACTIVE' }))
  expect(await db.selectFrom('nft').selectAll().where('public_id', '=', added).execute()).toMatchObject([
    { name: 'Added', kind: 'land', price: 7n * ONE, status: 'CLOSED', created_at: instance.clock.now() },
  ])
})

it('replaces the planned values of the named NFT only', async () => {
  const day = (n: number) => new Date(instance.clock.now().getTime() + n * DAY_MS)
  const plan = async (id: string, ...steps: [number, bigint][]) => {
    const values = await nftValues(db, id, instance.clock.now())
    const planned = steps.map(([n, price]) => ({ startsAt: day(n), values: { ...values, price } }))
    await inTransaction(db, (tx) => scheduleNft(tx, instance.deps, id, planned))
  }
  const planned = async () =>
    (
      await db
        .selectFrom('nft_next')
        .innerJoin('nft', 'nft.id', 'nft_next.nft_id')
        .select(['nft.public_id', 'nft_next.starts_at', 'nft_next.price'])
        .orderBy('nft.public_id')
        .orderBy('nft_next.starts_at')
        .execute()
    ).map((row) => [row.public_id, row.starts_at, row.price])
  await plan('dome', [1, 11n], [2, 12n])
  await plan('land', [1, 21n])
  await plan('dome', [3, 13n])
  const land = ['land', day(1), 21n]
  expect(await planned()).toEqual([['dome', day(3), 13n], land])
  await plan('dome')
  expect(await planned()).toEqual([land])
  await plan('land')
  expect(await planned()).toEqual([])
})

it('[CO-47] [MF-14] uses the newest of two planned prices that have both begun', async () => {
  const began = instance.clock.now()
  onTestFinished(async () => {
    instance.clock.set(began)
    await db.updateTable('nft').set({ status: 'CLOSED' }).where('public_id', '=', 'twice').execute()
    await sql`delete from nft_next`.execute(db)
  })
  await addNft('twice', 'dome', 100n * ONE)
  const values = await nftValues(db, 'twice', began)
  const [older, newer] = [10_312_345_678n, 20_612_345_679n]
  const planned = [older, newer].map((price, day) => ({
    startsAt: new Date(began.getTime() + (day + 1) * DAY_MS),
    values: { ...values, price },
  }))
  await inTransaction(db, (tx) => scheduleNft(tx, instance.deps, 'twice', planned))
  instance.clock.advance(3 * DAY_MS)
  const who = await person('depositWallet', 1000n * ONE)
  const shop = (await instance.call('GET', '/nft/active-nft', { token: who.token })).body.data.data
  expect(shop.find((nft: { id: string }) => nft.id === 'twice')).toMatchObject({ price: 206.12345679 })
  expect((await buy(who, { nftId: 'twice' }, undefined, { 'quoted-amount': '103.12345678' })).status).toBe(400)
  expect((await buy(who, { nftId: 'twice' }, undefined, { 'quoted-amount': '206.12345679' })).status).toBe(200)
  expect((await balancesOf(db, who.member.id)).depositWallet).toBe(1000n * ONE - newer)
  const kept = db.selectFrom('nft_purchase').select(['price', 'paid_amount']).where('member_id', '=', who.member.id)
  expect(await kept.execute()).toEqual([{ price: newer, paid_amount: newer }])
})

describe('NFT lists', () => {
  it('[API-68] [EN-36] [EN-38] [EN-39] show the NFTs on sale, newest first', async () => {
    const who = await person()
    const list = (await instance.call('GET', '/nft/active-nft', { token: who.token })).body.data
    expect(list.data.map((nft: { id: string }) => nft.id)).toEqual(['hotel', 'land', 'wagon', 'dome'])
    expect(list.meta).toEqual({ total: 4, page: 1, limit: 1000 })
    const of = async (days: string) => (await instance.call('GET', `/nft/active-nft?${days}`, { token: who.token })).body.data.meta.total
    expect(await of('from=2026-01-01&to=2026-01-01')).toBe(4)
    expect([await of('from=2026-01-02&to=2026-01-03'), await of('from=2025-12-30&to=2025-12-31')]).toEqual([0, 0])
    const quantity = await sold('hotelAndResort')
    expect(list.data[0]).toEqual({
      id: 'hotel',
      name: 'NFT hotel',
      title: 'A title',
      walletName: 'hotelAndResort',
      quantity,
      remaining: 55_000 - quantity,
      price: 500,
      duration: 24,
      dailyRoi: 240,
      monthlyRoi: null,
      totalRoi: null,
      paidBy: null,
      lastDistributionDate: null,
      status: 'ACTIVE',
      createdAt: '2026-01-01T00:00:00.000Z',
    })
  })

  it("[API-69] [LS-43] [LS-44] [VA-73] [RO-14] show the member's purchases with their figures", async () => {
    const who = await person('depositWallet', 600n * ONE)
    await buy(who, { walletName: 'hotelAndResort', nftId: 'hotel' })
    const list = (await instance.call('GET', '/nft-purchese/history?page=1&limit=25', { token: who.token })).body.data
    expect(list.meta).toEqual({ total: 1, page: 1, limit: 25, sum: 500 })
    expect(list.data[0]).toMatchObject({
      name: 'NFT hotel',
      walletName: 'hotelAndResort',
      quantity: 1,
      price: 500,
      duration: 24,
      dailyRoi: 240,
      monthlyRoi: 50,
      totalRoi: 0,
      paidBy: 'depositwallet',
      lastDistributionDate: null,
      status: 'ACTIVE',
      createdAt: '2026-03-02T09:00:00.000Z',
    })
    const other = await person()
    expect((await instance.call('GET', '/nft-purchese/history', { token: other.token })).body.data.data).toEqual([])
    expect((await instance.call('GET', '/nft-purchese/history')).status).toBe(401)
  })
})

it('[I19] [MF-14] sell for coin at the lower price from the approval of a planned one until 24 hours after its start', async () => {
  const startsAt = new Date(instance.clock.now().getTime() + DAY_MS)
  const step = { startsAt, changes: { coinPrice: 1_000_000n, convertRate: 1_000_000n }, actorId: null, reason: 'test' }
  await inTransaction(db, (tx) => scheduleSettings(tx, instance.deps, [step]))
  const paid = async () => {
    const who = await person('nativeWallet', 30_000n * ONE)
    expect((await buy(who, { payby: 'nativewallet' })).status).toBe(200)
    return 30_000n * ONE - (await balancesOf(db, who.member.id)).nativeWallet
  }
  instance.clock.advance(DAY_MS - 1)
  expect(await paid()).toBe(12_500n * ONE)
  instance.clock.advance(DAY_MS)
  expect(await paid()).toBe(12_500n * ONE)
  instance.clock.advance(1)
  expect(await paid()).toBe(10_000n * ONE)
})

it('[I1] [I2] [I9] leave the ledger intact', async () => {
  const results = await runAudit(db, [...ledgerChecks, ...auditChecks])
  expect(results.filter((result) => result.broken > 0)).toEqual([])
})

it('[I2] limit every amount column with a check', async () => {
  expect(await limitsOf(db, 'nft')).toEqual({ price: '1…', duration_months: '1…1200', total_percent: '0…' })
  expect(await limitsOf(db, 'nft_supply')).toEqual({ cap: '0…' })
  expect(await limitsOf(db, 'nft_purchase')).toEqual({ price: '1…', paid_amount: '1…', duration_months: '1…', monthly_reward: '0…' })
})
