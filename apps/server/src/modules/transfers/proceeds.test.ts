import { randomBytes } from 'node:crypto'
import { parseUnits, type Units } from '@tizara/money'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startTestChain } from '../../../../../test/chain/test-chain.ts'
import { testApp, type TestApp } from '../../../test/app.ts'
import { testDatabase } from '../../../test/database.ts'
import { fundSales } from '../../../test/hot-wallet.ts'
import { createTestMember, fund, setSalesFund } from '../../../test/members.ts'
import { fundedWallet, payoutEnvironment, runSending, someone } from '../../../test/sent-payouts.ts'
import { keySigner, chainNode } from '../../gateways/chain/index.ts'
import { runJob } from '../../jobs/job.ts'
import { balanceOfSystemAccount, balanceSheetOf, post, runAudit, systemBalances } from '../../ledger/index.ts'
import { inTransaction } from '../../platform/db/database.ts'
import { DAY_MS, startOfDay, utcDay } from '../../platform/runtime/clock.ts'
import { compareBooks } from '../reconciliation/check-books.ts'
import { reconcileJob } from '../reconciliation/reconcile.job.ts'
import {
  adoptPaid,
  auditChecks,
  auditPayoutMacs,
  cancelPlatformPayout,
  readPlatformPayouts,
  withdrawalRoutes,
} from '../withdrawals/index.ts'
import { readProceeds, sendProceeds } from './proceeds.ts'
import { sellCoin } from './sell-coin.ts'

const u = (text: string): Units => parseUnits(text) ?? 0n
/** Converts an amount to the token's smallest units. */
const exact = (text: string) => u(text) * 10n ** 10n
const BEGIN = new Date('2026-03-02T09:00:00Z')
const { db } = await testDatabase(12)
const chain = await startTestChain({ at: BEGIN })
const [coinToken, usdToken] = [chain.token.toLowerCase(), (await chain.deployToken()).toLowerCase()]
afterAll(() => chain.stop())
const settings = { chainId: chain.chainId, rpcUrl: chain.url }
let instance: TestApp
let wallet = keySigner(randomBytes(32))
let operator = ''

beforeAll(async () => {
  instance = await testApp(db, {
    routes: withdrawalRoutes,
    env: { ...payoutEnvironment(chain, { coin: coinToken, usd: usdToken }), PAYOUT_CEILING_USD: '4900' },
  })
})

/** Gives every test a new hot wallet with 5,000 USD, a new proceeds address, and a sales fund of 1,000 USD past its hold period. */
beforeEach(async () => {
  await setSalesFund(db, 0n)
  await fundSales(instance, '1000')
  setAddress(someone())
  wallet = await fundedWallet(chain, [{ token: usdToken, amount: exact('5000') }])
  await round()
  await compare()
  await db.updateTable('chain_incident').set({ answered_at: instance.clock.now() }).execute()
})

/** Checks after every test: the audit passes, and the ledger's external account matches the payouts. */
afterEach(async () => {
  const failing = [...(await runAudit(db, auditChecks)), ...(await auditPayoutMacs(db, instance.deps.config))]
    .filter(({ broken }) => broken > 0)
    .map(({ check, examples }) => [check.title, examples])
  expect(failing).toEqual([])
  const tokens = [{ asset: 'USD' as const, token: usdToken, decimals: 18 }]
  const { differences } = await compareBooks(db, { chainId: chain.chainId, tokens, hasDemoPayments: true }, instance.clock.now())
  expect(differences.filter(({ subject }) => subject === 'SYS-WITHDRAW USD')).toEqual([])
})

function setAddress(address: string) {
  operator = address
  Object.assign(instance.deps.config, { proceedsAddresses: [{ address, signature: '0x' }] })
}
const compare = () =>
  runJob(db, instance.deps, reconcileJob({ ...settings, tokens: [], paidTokens: [coinToken, usdToken] }, { now: true }), 'worker')
const round = () =>
  runSending(instance, chain, wallet, {
    hourLimits: new Map([[usdToken, exact('1500')]]),
    ceilings: new Map([[usdToken, exact('4900')]]),
    proceedsAddresses: instance.deps.config.proceedsAddresses.map(({ address }) => address),
  })
async function blocks(count: number) {
  await chain.mine(count)
  instance.clock.advance(1000)
  await round()
}
const send = (amount: string, address = operator) =>
  inTransaction(db, (tx) => sendProceeds(tx, instance.deps, { amount: u(amount), address }))
const figures = () => readProceeds(db, instance.deps, instance.clock.now())
const inFund = () => balanceOfSystemAccount(db, 'SYS-SALES', 'USD')
const received = () => chainNode(chain.url).tokenOf(usdToken, operator)
const payout = async (id: string) => {
  const found = (await readPlatformPayouts(db, instance.deps)).find((one) => one.id === id)
  if (found === undefined) throw new Error('no such payout')
  return found
}
/** Puts money into the sales fund at a time. */
const receive = (amount: string, at: Date) =>
  post(db, {
    kind: 'fundSales',
    cause: { type: 'sales_fund', id: `${amount} ${at.getTime()}` },
    at,
    transfers: [{ from: { system: 'SYS-OPERATOR', asset: 'USD' }, to: { system: 'SYS-SALES', asset: 'USD' }, amount: u(amount) }],
  })
/** Writes as the database owner, without triggers. */
const force = (statement: string) =>
  inTransaction(db, async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx)
    await sql.raw(statement).execute(tx)
  })

describe('proceeds of sales', () => {
  it('pays the operator once and takes the money from the fund and the balance sheet', async () => {
    const before = balanceSheetOf(await systemBalances(db))
    const id = await send('400')
    expect(await inFund()).toBe(u('600'))
    await round()
    await blocks(12)
    await blocks(3)
    expect(await payout(id)).toMatchObject({ kind: 'proceeds', state: 'DONE', amount: u('400'), address: operator })
    expect([await received(), await inFund()]).toEqual([exact('400'), u('600')])
    const after = balanceSheetOf(await systemBalances(db))
    expect([after.reserves - before.reserves, after.free - before.free]).toEqual([-u('400'), -u('400')])
    await compare()
    expect(await db.selectFrom('chain_incident').select('kind').where('answered_at', 'is', null).execute()).toEqual([])
  })

  it('sends only money that is older than the hold period, to the day', async () => {
    const firstDay = startOfDay(utcDay(new Date(instance.clock.now().getTime() - 30 * DAY_MS)))
    await receive('50', firstDay)
    await receive('25', new Date(firstDay.getTime() - 1))
    expect(await figures()).toMatchObject({ pastHold: u('1025'), available: u('1025') })
    await expect(send('1025.00000001')).rejects.toMatchObject({ code: 'PROCEEDS_SHORT', message: expect.stringContaining('Only 1025 USD') })
    expect(await inFund()).toBe(u('1075'))
    instance.clock.advance(DAY_MS)
    expect(await figures()).toMatchObject({ pastHold: u('1075') })
  })

  it('keeps the balance sheet at or above zero when a loss was booked', async () => {
    const { id: owner } = await createTestMember(db)
    const { free } = balanceSheetOf(await systemBalances(db))
    const lose = (amount: Units, back: boolean) => {
      const sides = [
        { system: 'SYS-LOSS' as const, asset: 'USD' as const },
        { owner, kind: 'depositWallet' as const },
      ] as const
      const [from, to] = back ? [sides[1], sides[0]] : sides
      return post(db, {
        kind: 'depositLoss',
        cause: { type: 'reversal', id: `loss ${back}` },
        at: BEGIN,
        transfers: [{ from, to, amount }],
      })
    }
    await lose(free - u('10'), false)
    expect(await figures()).toMatchObject({ free: u('10'), available: u('10') })
    await expect(send('10.00000001')).rejects.toMatchObject({ code: 'PROCEEDS_SHORT' })
    const id = await send('10')
    expect(balanceSheetOf(await systemBalances(db)).free).toBe(0n)
    await inTransaction(db, (tx) => cancelPlatformPayout(tx, instance.deps, id, 'PROCEEDS'))
    await lose(free - u('10'), true)
  })

  it('is rejected above the balance of the hot wallet, to an unknown address, and while another payout is open', async () => {
    await fundSales(instance, '9000')
    expect(await figures()).toMatchObject({ inWallet: u('5000'), available: u('5000') })
    await expect(send('5000.00000001')).rejects.toMatchObject({ code: 'PROCEEDS_SHORT' })
    await expect(send('1', someone())).rejects.toMatchObject({ code: 'INVALID_ADDRESS' })
    const both = await Promise.allSettled([send('10'), send('10')])
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect(await inFund()).toBe(u('9990'))
    const open = (await readPlatformPayouts(db, instance.deps)).find(({ state }) => state === 'QUEUED')
    await inTransaction(db, (tx) => cancelPlatformPayout(tx, instance.deps, open?.id ?? '', 'PROCEEDS'))
  })

  it('returns to the fund when its address left the settings and staff cancel it', async () => {
    const id = await send('400')
    setAddress(someone())
    await round()
    expect(await payout(id)).toMatchObject({ state: 'QUEUED', problem: 'the receiver is no proceeds address of the settings' })
    expect(await inTransaction(db, (tx) => cancelPlatformPayout(tx, instance.deps, id, 'PROCEEDS'))).toBe('ended')
    expect([await inFund(), (await payout(id)).state]).toEqual([u('1000'), 'CANCELLED'])
    // What returned is as old as before.
    expect(await figures()).toMatchObject({ pastHold: u('1000') })
    await expect(inTransaction(db, (tx) => cancelPlatformPayout(tx, instance.deps, id, 'PROCEEDS'))).rejects.toMatchObject({
      code: 'ALREADY_DECIDED',
    })
    expect(await inFund()).toBe(u('1000'))
  })

  it('returns to the fund when it is replaced by a cancellation after signing', async () => {
    const id = await send('400')
    await round()
    expect(await inTransaction(db, (tx) => cancelPlatformPayout(tx, instance.deps, id, 'PROCEEDS'))).toBe('asked')
    expect(await inFund()).toBe(u('600'))
    await round()
    await round()
    await blocks(12)
    expect([(await payout(id)).state, await received(), await inFund()]).toEqual(['CANCELLED', 0n, u('1000')])
  })

  it('is adopted when a restored backup does not have it, leaves the fund, and is not sent twice', async () => {
    const id = await send('400')
    await round()
    const hash = (await payout(id)).txHash ?? ''
    await chain.mine(13)
    // The backup is older than the approval: the fund still has the money.
    await post(db, {
      kind: 'proceedsReturned',
      cause: { type: 'proceeds_payout', id },
      at: instance.clock.now(),
      transfers: [{ from: { system: 'SYS-WITHDRAW', asset: 'USD' }, to: { system: 'SYS-SALES', asset: 'USD' }, amount: u('400') }],
    })
    await force('alter table ledger_transfer disable trigger ledger_transfer_append_only')
    await force(`delete from ledger_transfer where cause_type = 'proceeds_payout' and cause_id = '${id}'`)
    await force('alter table ledger_transfer enable always trigger ledger_transfer_append_only')
    await force(`delete from signed_transaction where hash = '${hash}'`)
    await force(`delete from payout_sending where request_id = (select id from proceeds_payout where public_id = '${id}')`)
    await force(`delete from proceeds_payout where public_id = '${id}'`)
    await force(`update hot_wallet set next_nonce = 0 where address = '${wallet.address}'`)
    expect(await inFund()).toBe(u('1000'))
    await expect(round()).rejects.toThrow('the chain has 1 transactions')
    const adopt = () =>
      adoptPaid((work) => inTransaction(db, work), instance.deps, { node: chainNode(chain.url), chainId: chain.chainId, hash })
    const adopted = await adopt()
    expect(adopted).toMatchObject({ as: 'payment' })
    expect(await adopt()).toMatchObject({ as: 'known' })
    await round()
    await blocks(12)
    expect(await payout('payoutId' in adopted ? adopted.payoutId : '')).toMatchObject({ kind: 'proceeds', state: 'DONE', txHash: hash })
    expect([await received(), await inFund()]).toEqual([exact('400'), u('600')])
  })

  it('pays a sale or the proceeds, but not both, when they race for the same money', async () => {
    for (let turn = 0; turn < 4; turn += 1) {
      await setSalesFund(db, 0n)
      await fundSales(instance, `8.0000000${turn}`)
      await setSalesFund(db, u('8'))
      const { id: memberId } = await createTestMember(db)
      await fund(db, memberId, 'icoWallet', u('1000'))
      const sale = inTransaction(db, (tx) => sellCoin(tx, instance.deps, { memberId, wallet: 'icoWallet', amount: u('1000') }))
      const [sold, sent] = await Promise.allSettled([sale, send('8')])
      expect([sold.status, sent.status].toSorted()).toEqual(['fulfilled', 'rejected'])
      if (sold.status === 'rejected') expect(sold.reason).toMatchObject({ code: 'SALES_FUND_SHORT' })
      if (sent.status === 'rejected') expect(sent.reason).toMatchObject({ code: 'PROCEEDS_SHORT' })
      expect(await inFund()).toBe(0n)
      if (sent.status === 'fulfilled') await inTransaction(db, (tx) => cancelPlatformPayout(tx, instance.deps, sent.value, 'PROCEEDS'))
    }
  })
})
