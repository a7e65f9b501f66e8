import { parseUnits, type Units } from '@tizara/money'
import { beforeAll, describe, expect, it } from 'vitest'
import { type TestApp, testApp } from '../../../test/app.ts'
import { testDatabase } from '../../../test/database.ts'
import { createTestMember, fund } from '../../../test/members.ts'
import { outside } from '../../../test/outside.ts'
import { post } from '../../ledger/index.ts'
import { DAY_MS } from '../../platform/runtime/clock.ts'
import { walletRoutes, walletJobs } from './index.ts'

const u = (text: string): Units => parseUnits(text) ?? 0n
let at: TestApp

beforeAll(async () => {
  const { db } = await testDatabase()
  const rewardTotals = () => Promise.resolve({ dailyBonusCount: u('1.5'), transactionHistoryCount: u('2'), dailyStakeLogsBonus: 0n })
  at = await testApp(db, {
    routes: (bind) => walletRoutes(bind, { rewardTotals, outside, histories: [], transfers: {} }),
    jobs: walletJobs,
  })
})

async function member() {
  const created = await createTestMember(at.db)
  return { ...created, get: async (path: string) => at.call('GET', path, { token: (await at.signIn(created.id)).token }) }
}

describe('wallets', () => {
  it('[API-58] [EN-08] [GN-11] return the seven balances as numbers', async () => {
    const owner = await member()
    await fund(at.db, owner.id, 'depositWallet', u('12.34567891'))
    expect((await owner.get('/user-wallet')).body.data).toEqual({
      depositWallet: 12.34567891,
      nativeWallet: 0,
      icoWallet: 0,
      newIcoWallet: 0,
      stakeWallet: 0,
      nftWallet: 0,
      rcmWallet: 0,
    })
  })

  it('[API-59] [EN-27] [EN-28] return the three sums as numbers', async () => {
    const { body } = await (await member()).get('/home/user/count')
    expect(body.data).toEqual({ dailyBonusCount: 1.5, transactionHistoryCount: 2, dailyStakeLogsBonus: 0 })
  })

  it('return the balances at the end of each day', async () => {
    const owner = await member()
    await fund(at.db, owner.id, 'nativeWallet', u('10'))
    for (const amount of ['5', '7']) {
      at.clock.advance(DAY_MS)
      await at.runJobs()
      await fund(at.db, owner.id, 'nativeWallet', u(amount))
    }
    const { days } = (await owner.get('/wallets/history?days=5')).body.data
    expect(days.map((day: { nativeWallet: number }) => day.nativeWallet)).toEqual([10, 15, 22])
    expect(days.at(-1).day).toBe(at.clock.now().toISOString().slice(0, 10))
  })
})

describe('transfer receipts', () => {
  const send = async (from: bigint, to: bigint) => {
    const posted = await post(at.db, {
      kind: 'userToUser',
      cause: { type: 'member', id: String(to) },
      at: at.clock.now(),
      transfers: [{ from: { owner: from, kind: 'depositWallet' }, to: { owner: to, kind: 'depositWallet' }, amount: u('4') }],
    })
    return String(posted.transfers[0]?.id)
  }

  it("show both sides, and each member's own balance before and after", async () => {
    const [payer, payee, stranger] = [await member(), await member(), await member()]
    await fund(at.db, payer.id, 'depositWallet', u('10'))
    const id = await send(payer.id, payee.id)
    expect((await payer.get(`/receipts/transfer/${id}`)).body.data).toMatchObject({
      amount: 4,
      asset: 'usd',
      from: { label: 'Deposit Wallet', wallet: 'depositWallet' },
      to: { label: payee.email },
      balanceBefore: 10,
      balanceAfter: 6,
      transferId: id,
    })
    expect((await payee.get(`/receipts/transfer/${id}`)).body.data).toMatchObject({
      from: { label: payer.email },
      balanceBefore: 0,
      balanceAfter: 4,
    })
    expect((await stranger.get(`/receipts/transfer/${id}`)).status).toBe(404)
  })

  it.each([
    '/receipts/transfer/99999999',
    '/receipts/transfer/9999999999999999999',
    '/receipts/transfer/x',
    '/receipts/nothing/1',
    '/receipts/stake/1',
  ])('answer 404 for %s', async (path) => {
    expect((await (await member()).get(path)).status).toBe(404)
  })
})
