import { walletAssets, walletKeys } from '@tizara/contract/wallets'
import { ONE } from '@tizara/money'
import { beforeEach, describe, expect, it } from 'vitest'
import { type TestApp, testApp } from '../../../test/app.ts'
import { testDatabase } from '../../../test/database.ts'
import { byOne, createTestMember, FREE_TRANSFERS, fund, PAYOUT_ADDRESS, confirmPayoutAddress } from '../../../test/members.ts'
import { post } from '../../ledger/index.ts'
import { createPorts } from '../../main/ports.ts'
import { bindRoutes } from '../../main/routes.ts'
import { readConfig } from '../../platform/config/config.ts'
import { inTransaction } from '../../platform/db/database.ts'
import { DAY_MS } from '../../platform/runtime/clock.ts'
import { applySettings } from '../settings/index.ts'
import { approvePayout, cancelPayout, rejectPayout } from '../withdrawals/index.ts'
import { walletJobs } from './index.ts'
import { setCommitment } from '../../../test/commitment.ts'

// Each test has its own database, because the day marks belong to the whole platform.
let db: Awaited<ReturnType<typeof testDatabase>>['db']
let app: TestApp
let staffId: bigint

beforeEach(async () => {
  db = (await testDatabase()).db
  const ports = createPorts(readConfig({ NODE_ENV: 'test' }), 'http://127.0.0.1:9')
  app = await testApp(db, { routes: (bind) => bindRoutes(bind, ports), jobs: walletJobs })
  staffId = (await createTestMember(db, { role: 'ADMIN' })).id
  await inTransaction(db, async (tx) => {
    await applySettings(tx, app.deps, { changes: FREE_TRANSFERS, actorId: null, reason: 'test' })
    await setCommitment(tx)
    await tx
      .insertInto('nft')
      .values({
        public_id: 'dome',
        kind: 'dome',
        name: 'Dome',
        title: 'A title',
        price: 120n * ONE,
        duration_months: 1,
        total_percent: 0n,
        status: 'ACTIVE',
        created_at: app.clock.now(),
      })
      .execute()
  })
})

/** A member with USD in the deposit wallet at the end of yesterday. */
async function person(usd: bigint) {
  const member = await createTestMember(db)
  if (usd > 0n) await fund(db, member.id, 'depositWallet', usd * ONE)
  await confirmPayoutAddress(db, member.id)
  const call = async (method: 'GET' | 'POST', path: string, body?: object) => {
    const reply = await app.call(method, path, { token: (await app.signIn(member.id)).token, ...(body === undefined ? {} : { body }) })
    expect(reply.status, `${path}: ${reply.text}`).toBe(200)
    return reply.body.data
  }
  return {
    ...member,
    call,
    history: () => call('GET', '/wallets/history?days=90'),
    holdings: () => call('GET', '/wallets/holdings'),
    withdraw: async (amount: number): Promise<string> =>
      (await call('POST', '/deposit-wallet/transfer-deposit-wallet', { amount, address: PAYOUT_ADDRESS })).receipt.id,
    send: (to: { email: string }, amount: number) => call('POST', '/usd-transfer/user-to-user-deposit', { amount, email: to.email }),
  }
}
const endDay = async (days = 1) => {
  app.clock.advance(days * DAY_MS)
  await app.runJobs()
}
const decide = (work: typeof approvePayout | typeof rejectPayout, payoutId: string) =>
  inTransaction(db, async (tx) => {
    await work(tx, app.deps, { payoutId, staffId, reason: 'checked', ...byOne })
  })
/** Pays a reward in coin from the reward budget. */
const reward = async (memberId: bigint, coin: bigint) => {
  const budget = { system: 'SYS-REWARD', asset: 'COIN' } as const
  const cause = { type: 'test', id: String(memberId) }
  const wallet = { owner: memberId, kind: 'nativeWallet' } as const
  for (const [from, to] of [
    [{ system: 'SYS-COIN', asset: 'COIN' } as const, budget],
    [budget, wallet],
  ] as const) {
    await post(db, { kind: 'test', cause, at: app.clock.now(), transfers: [{ from, to, amount: coin * ONE }] })
  }
}
type Day = Record<string, number>
const PRICE = 0.008
const totalOf = (day: Day): number =>
  walletKeys.reduce((sum, key) => sum + (walletAssets[key] === 'usd' ? 1 : PRICE) * (day[key] ?? 0), 0) +
  (day['heldUsd'] ?? 0) +
  PRICE * (day['heldCoin'] ?? 0) +
  (day['nfts'] ?? 0)

describe('balance history', () => {
  it('contains open holds and running NFTs at the price paid, and keeps its total when they are bought or held', async () => {
    const ann = await person(500n)
    await endDay()
    await ann.call('POST', '/nft-purchese', { nftId: 'dome', walletName: 'dome', payby: 'depositwallet' })
    await ann.withdraw(50)
    expect(await ann.holdings()).toEqual({ heldUsd: 50, heldCoin: 0, nfts: 120, newMoney: 330 })
    await endDay()
    const { days } = await ann.history()
    expect(days.map(totalOf)).toEqual([500, 500, 500])
    expect(days[1]).toMatchObject({ depositWallet: 330, heldUsd: 50, nfts: 120 })
    await endDay(32)
    expect(await ann.holdings()).toMatchObject({ nfts: 0 })
  })

  it('shows past holds as they were on each day', async () => {
    const ann = await person(500n)
    const [paid, rejected] = [await ann.withdraw(40), await ann.withdraw(30)]
    await endDay()
    await decide(approvePayout, paid)
    await endDay()
    await decide(rejectPayout, rejected)
    await endDay()
    expect((await ann.history()).days.map((day: Day) => day['heldUsd'])).toEqual([70, 30, 0, 0])
  })

  it("leaves out another member's holds and NFTs", async () => {
    const [ann, bob] = [await person(500n), await person(0n)]
    await ann.withdraw(40)
    await ann.call('POST', '/nft-purchese', { nftId: 'dome', walletName: 'dome', payby: 'depositwallet' })
    expect(await bob.holdings()).toEqual({ heldUsd: 0, heldCoin: 0, nfts: 0, newMoney: 0 })
  })
})

describe('the change over 30 days', () => {
  it('is paid in, taken out and earned, which add up while the price stays', async () => {
    const [ann, bob] = [await person(500n), await person(500n)]
    await endDay()
    await fund(db, ann.id, 'depositWallet', 200n * ONE)
    await bob.send(ann, 40)
    await ann.send(bob, 30)
    await decide(approvePayout, await ann.withdraw(100))
    await decide(rejectPayout, await ann.withdraw(60))
    await ann.withdraw(50)
    await reward(ann.id, 1000n)
    await ann.call('POST', '/nft-purchese', { nftId: 'dome', walletName: 'dome', payby: 'depositwallet' })
    await ann.call('POST', '/buy-token', { coinAmount: 1000, coinPrice: PRICE, totalPrice: 8 })
    const { days, change } = await ann.history()
    expect(change).toMatchObject({ since: days[0].day, earned: 8, takenOut: 130 })
    expect(totalOf(days.at(-1)) - totalOf(days[0])).toBeCloseTo(change.paidIn - change.takenOut + change.earned, 6)
    expect(change.paidIn).toBe(240)
  })

  it('counts a held transfer between members on its release, for both of them', async () => {
    await inTransaction(db, (tx) =>
      applySettings(tx, app.deps, { changes: { unconfirmedTransferDayUsd: 10n * ONE }, actorId: null, reason: 'test' }),
    )
    const [ann, bob] = [await person(500n), await person(0n)]
    await endDay()
    await ann.send(bob, 80)
    await ann.send(bob, 70)
    const open = await db.selectFrom('payout_request').select('public_id').where('member_id', '=', ann.id).orderBy('id').execute()
    const [first, second] = open.map((row) => row.public_id)
    if (first === undefined || second === undefined) throw new Error('no held transfers')
    expect(await ann.holdings()).toMatchObject({ heldUsd: 150 })
    await ann.call('POST', `/withdrawals/requests/${first}/confirm`, { password: 'violet-harbour-93' })
    await inTransaction(db, (tx) => cancelPayout(tx, app.deps, { memberId: ann.id }, second))
    expect((await ann.history()).change).toMatchObject({ paidIn: 0, takenOut: 80, earned: 0 })
    expect((await bob.history()).change).toMatchObject({ paidIn: 80, takenOut: 0, earned: 0 })
  })

  it('begins with the first closed day, and covers 30 days at most', async () => {
    const ann = await person(500n)
    const dayOf = (back: number) => new Date(app.clock.now().getTime() - back * DAY_MS).toISOString().slice(0, 10)
    await endDay()
    await fund(db, ann.id, 'depositWallet', 200n * ONE)
    for (let day = 0; day < 31; day += 1) await endDay()
    const { change } = await ann.history()
    expect(change).toMatchObject({ since: dayOf(30), paidIn: 0 })
  })
})
