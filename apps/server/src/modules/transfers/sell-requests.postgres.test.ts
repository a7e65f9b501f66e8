import { MAX_UNITS, ONE, parseUnits, type Units } from '@tizara/money'
import { afterEach, describe, expect, it } from 'vitest'
import { testApp } from '../../../test/app.ts'
import { testDatabase } from '../../../test/database.ts'
import { createTestMember, fund, setSalesFund } from '../../../test/members.ts'
import { runJob } from '../../jobs/job.ts'
import { balanceOfSystemAccount, balancesOf, post, runAudit } from '../../ledger/index.ts'
import { DAY_MS } from '../../platform/runtime/clock.ts'
import { inTransaction } from '../../platform/db/database.ts'
import { applySettings } from '../settings/index.ts'
import { noticeJobs } from '../notices/index.ts'
import { auditChecks, closeOpenRequests, readOpenRequests, transferJobs, transferRoutes } from './index.ts'
import { serveOldest } from './serve-sell-requests.ts'

const u = (text: string): Units => parseUnits(text) ?? 0n
const PRICE = u('0.008')
const { db } = await testDatabase(8)
const at = await testApp(db, { routes: transferRoutes, jobs: transferJobs })
/** Closes all requests and checks the books, because the requests of one test are served before those of the next. */
afterEach(async () => {
  expect((await runAudit(db, auditChecks)).filter((result) => result.broken > 0)).toEqual([])
  await inTransaction(db, (tx) => closeOpenRequests(tx, at.clock.now()))
  await setFund(0n)
})

const inFund = () => balanceOfSystemAccount(db, 'SYS-SALES', 'USD')
const setFund = (amount: Units) => setSalesFund(db, amount)
const serve = async () => {
  for (const job of transferJobs) await runJob(db, at.deps, job, 'test')
}

async function seller(coin: string) {
  const member = await createTestMember(db, { specialRcm: true })
  if (u(coin) > 0n) await fund(db, member.id, 'icoWallet', u(coin))
  const { token } = await at.signIn(member.id)
  const call = (path: string, body: object) => at.call('POST', path, { token, body })
  return {
    ...member,
    leave: (amount: number | string, more: object = {}) =>
      call('/my-wallet/sell-requests', { amount, lowestPrice: '0.008', days: 30, ...more }),
    withdraw: (id: string) => call('/my-wallet/sell-requests/withdraw', { id }),
    sell: (amount: number) => call('/my-wallet/convart-to-usd', { amount }),
    fund: async (): Promise<number> => (await at.call('GET', '/my-wallet/sales-fund', { token })).body.data.available,
    list: async () => (await at.call('GET', '/my-wallet/sell-requests', { token })).body.data.data,
    notices: async () => {
      for (const job of noticeJobs) await runJob(db, at.deps, job, 'test')
      const rows = await db.selectFrom('notice').selectAll().where('member_id', '=', member.id).orderBy('id').execute()
      return rows.map(({ event, amount, asset, facts }) => [event, amount, asset, facts])
    },
    wallets: async () => {
      const { icoWallet, depositWallet } = await balancesOf(db, member.id)
      return [icoWallet, depositWallet]
    },
  }
}
const price = (coinPrice: Units) =>
  inTransaction(db, (tx) => applySettings(tx, at.deps, { changes: { coinPrice, convertRate: coinPrice }, actorId: null, reason: 'test' }))

describe('sell request', () => {
  it('[MF-10] is served in order of time when the fund is filled, before new sales', async () => {
    const [first, second, late] = [await seller('1000'), await seller('2000'), await seller('1000')]
    expect((await first.sell(1000)).body.message).toMatch(/The sales fund has 0 USD now/)
    const left = await first.leave(1000)
    expect(left.body).toMatchObject({ statusCode: 200, message: 'Your sell request was saved' })
    await second.leave(2000)
    await serve()
    expect(await first.list()).toMatchObject([{ amount: 1000, sold: 0, received: 0, lowestPrice: 0.008, status: 'OPEN' }])
    await setFund(u('25'))
    // 24 of 25 USD are needed by the requests.
    expect(await late.fund()).toBe(1)
    expect((await late.sell(1000)).body.message).toMatch(/The sales fund has 1 USD now/)
    expect(await readOpenRequests(db, at.clock.now())).toMatchObject({ count: 2, coin: 3000n * ONE, needed: 24n * ONE })
    await setFund(u('20'))
    await serve()
    expect(await first.list()).toMatchObject([{ id: left.body.data.id, sold: 1000, received: 8, status: 'SOLD' }])
    expect(await second.list()).toMatchObject([{ sold: 1500, received: 12, status: 'OPEN' }])
    expect([await first.wallets(), await second.wallets()]).toEqual([
      [0n, 8n * ONE],
      [500n * ONE, 12n * ONE],
    ])
    expect(await inFund()).toBe(0n)
    await setFund(u('12'))
    expect((await late.sell(1000)).body.statusCode).toBe(200)
    await serve()
    expect(await second.list()).toMatchObject([{ sold: 2000, received: 16, status: 'SOLD' }])
    expect(await inFund()).toBe(0n)
  })

  it('[MF-10] notifies its member of each part, of the last one, and when it expires', async () => {
    const who = await seller('3000')
    const { id: request } = (await who.leave(2000)).body.data
    await setFund(u('4'))
    await serve()
    await serve()
    await setFund(u('12'))
    await serve()
    const sales = await db.selectFrom('sell_request_sale').select('transfer_id').orderBy('transfer_id', 'desc').limit(2).execute()
    const [last, first] = sales.map((sale) => String(sale.transfer_id))
    const served = [
      ['sell-request', 4n * ONE, 'usd', { step: 'part', request, transfer: first }],
      ['sell-request', 12n * ONE, 'usd', { step: 'sold', request, transfer: last }],
    ]
    expect(await who.notices()).toEqual(served)
    const { id: late } = (await who.leave(1000, { days: 1 })).body.data
    at.clock.advance(DAY_MS)
    await serve()
    await serve()
    expect(await who.notices()).toEqual([...served, ['sell-request', 1000n * ONE, 'coin', { step: 'expired', request: late }]])
  })

  it('[MF-10] notifies of nothing when it is withdrawn, or when a sale is rolled back', async () => {
    const who = await seller('1000')
    const { id } = (await who.leave(1000)).body.data
    await who.withdraw(id)
    await serve()
    expect(await who.notices()).toEqual([])
    await who.leave(1000)
    await setFund(u('8'))
    const undo = new Error('undo')
    await expect(
      inTransaction(db, async (tx) => {
        expect(await serveOldest(tx, at.deps)).toBe(1)
        throw undo
      }),
    ).rejects.toBe(undo)
    expect(await who.notices()).toEqual([])
  })

  it('[MF-10] waits while the price is below its lowest price, and delays no sale meanwhile', async () => {
    const [careful, other] = [await seller('1000'), await seller('1000')]
    await careful.leave(1000, { lowestPrice: '0.008' })
    await price(u('0.0079'))
    await setFund(u('8'))
    await serve()
    expect(await careful.list()).toMatchObject([{ sold: 0, status: 'OPEN' }])
    expect((await other.sell(1000)).body.statusCode).toBe(200)
    await price(u('0.0081'))
    await setFund(u('8.1'))
    await serve()
    expect(await careful.list()).toMatchObject([{ received: 8.1, status: 'SOLD' }])
    await price(PRICE)
  })

  it('[MF-10] expires at its time and is then served no more', async () => {
    const who = await seller('1000')
    await who.leave(1000, { days: 1 })
    await setFund(u('8'))
    at.clock.advance(DAY_MS)
    const again = await seller('1000')
    expect((await again.sell(1000)).body.statusCode).toBe(200)
    await setFund(u('8'))
    await serve()
    expect(await db.selectFrom('sell_request').select('status').where('member_id', '=', who.id).execute()).toEqual([{ status: 'EXPIRED' }])
    expect(await who.wallets()).toEqual([1000n * ONE, 0n])
  })

  it('[MF-10] of a blocked member waits, delays no one, and is served after the member is unblocked', async () => {
    const [blocked, other] = [await seller('1000'), await seller('1000')]
    await blocked.leave(1000)
    const setActive = (active: boolean) => db.updateTable('member').set({ is_active: active }).where('id', '=', blocked.id).execute()
    await setActive(false)
    await setFund(u('8'))
    await serve()
    expect(await blocked.wallets()).toEqual([1000n * ONE, 0n])
    expect((await other.sell(1000)).body.statusCode).toBe(200)
    await setActive(true)
    await setFund(u('8'))
    await serve()
    expect(await blocked.wallets()).toEqual([0n, 8n * ONE])
  })

  it('[MF-10] sells the remaining coin of the wallet, because the coin is not on hold', async () => {
    const who = await seller('2000')
    await who.leave(2000)
    await setFund(u('4'))
    await post(db, {
      kind: 'testFunds',
      cause: { type: 'test', id: 'spent' },
      at: at.clock.now(),
      transfers: [{ from: { owner: who.id, kind: 'icoWallet' }, to: { system: 'SYS-COIN', asset: 'COIN' }, amount: 1500n * ONE }],
    })
    await setFund(u('16'))
    expect(await who.fund()).toBe(12)
    await serve()
    expect(await who.wallets()).toEqual([0n, 4n * ONE])
    expect(await who.list()).toMatchObject([{ sold: 500, received: 4, status: 'OPEN' }])
    expect(await who.fund()).toBe(12)
  })

  it('[MF-10] rejects a second open request, coin that is not there, and values outside the limits', async () => {
    const [who, stranger] = [await seller('1000'), await seller('1000')]
    const { id } = (await who.leave(1000)).body.data
    expect((await who.leave(1000)).body.message).toMatch(/You already have an open sell request/)
    expect((await stranger.leave(1001)).body.message).toBe('Insufficient balance')
    for (const [amount, more] of [
      [1000, { lowestPrice: 0 }],
      [1000, { days: 0 }],
      [1000, { days: 91 }],
      [1000, { days: 1.5 }],
      ['0.00000001', {}],
      [999, {}],
    ] as const)
      expect((await stranger.leave(amount, more)).status).toBe(400)
    const huge = String(MAX_UNITS / ONE)
    expect((await stranger.leave(huge)).status).toBe(400)
    expect((await stranger.leave(1000, { lowestPrice: huge })).status).toBe(200)
    expect((await stranger.withdraw(id)).status).toBe(404)
    expect((await who.withdraw(id)).body.message).toBe('Your sell request was withdrawn')
    expect((await who.withdraw(id)).body.message).toBe('This request has already been decided')
    expect((await who.leave(1000)).status).toBe(200)
    await setFund(u('8'))
    await serve()
    expect(await who.list()).toMatchObject([{ status: 'SOLD' }, { id, status: 'WITHDRAWN', sold: 0 }])
  })

  it('[MF-10] is either served or withdrawn when both happen at the same moment', async () => {
    for (let round = 0; round < 8; round += 1) {
      const who = await seller('1000')
      const { id } = (await who.leave(1000)).body.data
      await setFund(u('8'))
      const [reply] = await Promise.all([who.withdraw(id), serve()])
      const [row] = await who.list()
      expect(row.status).toBe(reply.status === 200 ? 'WITHDRAWN' : 'SOLD')
      expect(await who.wallets()).toEqual(reply.status === 200 ? [1000n * ONE, 0n] : [0n, 8n * ONE])
    }
  })

  it('[MF-10] is served alone when new sales and another worker race for the same USD', async () => {
    for (let round = 0; round < 4; round += 1) {
      const [first, second, ...others] = [await seller('1000'), await seller('1000'), await seller('1000'), await seller('1000')]
      await first.leave(1000)
      await second.leave(1000)
      await setFund(u('8'))
      const replies = await Promise.all([...others.map((one) => one.sell(1000)), serve(), serve()])
      expect(replies.slice(0, 2).map((reply) => reply?.body.message)).toEqual(
        others.map(() => expect.stringMatching(/The sales fund has 0 USD/)),
      )
      await serve()
      expect([await first.wallets(), await second.wallets()]).toEqual([
        [0n, 8n * ONE],
        [1000n * ONE, 0n],
      ])
      await second.withdraw((await second.list())[0].id)
    }
  })
})

it('[I13] the audit reports a sell request whose figures do not follow from its sales', async () => {
  const who = await seller('2000')
  await who.leave(2000)
  await setFund(u('8'))
  await serve()
  const broken = async () => (await runAudit(db, auditChecks)).filter((result) => result.broken > 0).map(({ check }) => check.title)
  const plant = (change: object) => db.updateTable('sell_request').set(change).where('member_id', '=', who.id).execute()
  const {
    lowest_price: lowestPrice,
    sold,
    received,
  } = await db.selectFrom('sell_request').selectAll().where('member_id', '=', who.id).executeTakeFirstOrThrow()
  for (const [bad, right] of [
    [{ sold: sold + 1n }, { sold }],
    [{ received: received - 1n }, { received }],
    [{ lowest_price: PRICE + 1n }, { lowest_price: lowestPrice }],
  ] as const) {
    await plant(bad)
    expect(await broken()).toEqual([expect.stringContaining('each sell request was sold by its sales')])
    await plant(right)
  }
})
