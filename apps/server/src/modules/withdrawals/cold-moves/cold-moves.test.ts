import { randomBytes } from 'node:crypto'
import { formatUnits, parseUnits } from '@tizara/money'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startChain } from '../../../../../../test/chain/anvil.ts'
import { testApp, type TestApp } from '../../../../test/app.ts'
import { testDatabase } from '../../../../test/database.ts'
import { byOne, confirmPayoutAddress, createTestMember, fund } from '../../../../test/members.ts'
import { fundedWallet, payoutEnvironment, runSending, someone } from '../../../../test/sent-payouts.ts'
import { keySigner, chainNode } from '../../../gateways/chain/index.ts'
import { runJob } from '../../../jobs/job.ts'
import { runAudit } from '../../../ledger/index.ts'
import { inTransaction } from '../../../platform/db/database.ts'
import { reconcileJob } from '../../reconciliation/reconcile.job.ts'
import {
  adoptPaid,
  approvePayout,
  auditChecks,
  auditPayoutMacs,
  cancelPlatformPayout,
  costChecks,
  costJob,
  queueColdMove,
  readPlatformPayouts,
  requestWithdrawal,
  walletHoldings,
  withdrawalRoutes,
} from '../index.ts'

const u = (text: string) => parseUnits(text) ?? 0n
/** Converts units to the token's smallest units. */
const exact = (text: string) => u(text) * 10n ** 10n
const BEGIN = new Date('2026-03-02T09:00:00Z')

const { db } = await testDatabase(12)
const chain = await startChain({ at: BEGIN })
const [coinToken, usdToken] = [chain.token.toLowerCase(), (await chain.deployToken()).toLowerCase()]
afterAll(() => chain.stop())

let instance: TestApp
let staff: bigint
let wallet = keySigner(randomBytes(32))
let cold = ''

beforeAll(async () => {
  instance = await testApp(db, {
    routes: withdrawalRoutes,
    env: { ...payoutEnvironment(chain, { coin: coinToken, usd: usdToken }), PAYOUT_CEILING_USD: '1000' },
  })
  staff = (await createTestMember(db, { role: 'ADMIN' })).id
})

/** Gives every test a new hot wallet with 5,000 USD and 100 coin, a new cold address, and a comparison that has read the balance. */
beforeEach(async () => {
  await sql`update payout_sending set state = 'CANCELLED', cancel_asked_at = queued_at, ended_at = queued_at
    where state = 'QUEUED' and kind = 'COLD'`.execute(db)
  instance.clock.advance(2 * 3_600_000)
  setCold(someone())
  wallet = await fundedWallet(chain, [
    { token: usdToken, amount: exact('5000') },
    { token: coinToken, amount: exact('100') },
  ])
  await round()
  await compare()
  // The comparison also finds what a thief spent from an earlier test's wallet.
  await db.updateTable('chain_incident').set({ answered_at: instance.clock.now() }).execute()
})

/** Checks after every test: the audit passes, and the hourly comparison misses no money in the wallet. */
afterEach(async () => {
  const failing = [...(await runAudit(db, [...auditChecks, ...costChecks])), ...(await auditPayoutMacs(db, instance.deps.config))]
    .filter(({ broken }) => broken > 0)
    .map(({ check, examples }) => [check.title, examples])
  expect(failing).toEqual([])
})

function setCold(...addresses: string[]) {
  cold = addresses[0] ?? ''
  Object.assign(instance.deps.config, { reserveAddresses: addresses.map((address) => ({ address, signature: '0x' })) })
}
const ceilings = new Map([[usdToken, exact('1000')]])
const settings = { chainId: chain.chainId, rpcUrl: chain.url }
const compare = async () => {
  const paidTokens = [coinToken, usdToken]
  await runJob(db, instance.deps, reconcileJob({ ...settings, tokens: [], paidTokens, ceilings }, { now: true }), 'worker')
}
const round = () =>
  runSending(instance, chain, wallet, {
    hourLimits: new Map([usdToken, coinToken].map((token) => [token, exact('1500')])),
    ceilings,
    coldAddresses: instance.deps.config.reserveAddresses.map(({ address }) => address),
  })
async function blocks(count: number) {
  await chain.mine(count)
  instance.clock.advance(1000)
  await round()
}
const queue = (amount = '4000', address = cold, asset: 'USD' | 'COIN' = 'USD') =>
  inTransaction(db, (tx) => queueColdMove(tx, instance.deps, { asset, amount: u(amount), address }))
async function withdrawal(amount: string): Promise<string> {
  const member = await createTestMember(db)
  await fund(db, member.id, 'depositWallet', u(amount))
  const address = someone()
  await confirmPayoutAddress(db, member.id, address)
  const { id } = await inTransaction(db, (tx) => requestWithdrawal(tx, instance.deps, { memberId: member.id, amount: u(amount), address }))
  await inTransaction(db, (tx) => approvePayout(tx, instance.deps, { payoutId: id, staffId: staff, reason: 'checked', ...byOne }))
  return id
}
const payoutState = async (id: string) => {
  const found = await sql<{ state: string }>`
    select state from payout_sending s join payout_request p on p.id = s.request_id where p.public_id = ${id}`.execute(db)
  return found.rows[0]?.state
}
const receivedOf = async (id: string) => {
  const { received } = await db.selectFrom('payout_request').select('received').where('public_id', '=', id).executeTakeFirstOrThrow()
  return formatUnits(received)
}
const move = async (id: string) => {
  const found = (await readPlatformPayouts(db, instance.deps)).find((one) => one.id === id)
  if (found === undefined) throw new Error('no such move')
  return found
}
const balanceOf = (address: string) => chainNode(chain.url).tokenOf(usdToken, address)
const incidents = () => db.selectFrom('chain_incident').select('kind').where('answered_at', 'is', null).execute()
/** Writes as the database owner, without triggers. */
const force = (statement: string) =>
  inTransaction(db, async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx)
    await sql.raw(statement).execute(tx)
  })

describe('cold move', () => {
  it('[I7] takes the surplus to the cold address once, with its gas booked and nothing missing for the comparison', async () => {
    expect((await walletHoldings(db, instance.deps.config)).holdings[0]).toMatchObject({ balance: u('5000'), surplus: u('4000') })
    const id = await queue()
    await round()
    await blocks(11)
    expect(await move(id)).toMatchObject({ state: 'MINED', asset: 'usd', amount: u('4000'), address: cold })
    await blocks(1)
    await blocks(3)
    expect(await move(id)).toMatchObject({ state: 'DONE', cancelling: false })
    expect([await balanceOf(cold), await balanceOf(wallet.address)]).toEqual([exact('4000'), exact('1000')])
    await compare()
    expect(await incidents()).toEqual([])
    expect((await walletHoldings(db, instance.deps.config)).holdings[0]).toMatchObject({ surplus: 0n, aboveSince: null })
    await runJob(db, instance.deps, costJob(u('600')), 'worker')
    const cost = db
      .selectFrom('network_cost')
      .select('source')
      .where('hash', '=', (await move(id)).txHash ?? '')
    expect(await cost.execute()).toEqual([{ source: 'PAYOUT' }])
  })

  it('is rejected without a ceiling, above the surplus, for another address, and while another one is open', async () => {
    await expect(queue('1', cold, 'COIN')).rejects.toMatchObject({ code: 'NO_SURPLUS' })
    await expect(queue('4000.00000001')).rejects.toMatchObject({ code: 'NO_SURPLUS' })
    await expect(queue('1', someone())).rejects.toMatchObject({ code: 'INVALID_ADDRESS' })
    const both = await Promise.allSettled([queue('4000'), queue('4000')])
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    await expect(queue('1')).rejects.toMatchObject({ code: 'NO_SURPLUS' })
  })

  it('is not signed when its address left the settings after the approval, and one person cancels it', async () => {
    const id = await queue()
    setCold(someone())
    await round()
    expect(await move(id)).toMatchObject({ state: 'QUEUED', problem: 'the receiver is no cold address of the settings' })
    const asReturn = inTransaction(db, (tx) => cancelPlatformPayout(tx, instance.deps, id, 'RETURN', 'PROCEEDS'))
    await expect(asReturn).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect(await inTransaction(db, (tx) => cancelPlatformPayout(tx, instance.deps, id, 'COLD'))).toBe('ended')
    expect(await move(id)).toMatchObject({ state: 'CANCELLED' })
    await expect(inTransaction(db, (tx) => cancelPlatformPayout(tx, instance.deps, id, 'COLD'))).rejects.toMatchObject({
      code: 'ALREADY_DECIDED',
    })
    await expect(inTransaction(db, (tx) => cancelPlatformPayout(tx, instance.deps, 'x', 'COLD'))).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
  })

  it('is not signed when the database redirects it to another cold address', async () => {
    const [first, second] = [cold, someone()]
    setCold(first, second)
    const id = await queue()
    await force(`update payout_sending set to_address = '${second}' where kind = 'COLD' and state = 'QUEUED'`)
    await force(`update cold_move set address = '${second}' where public_id = '${id}'`)
    await round()
    expect(await move(id)).toMatchObject({ state: 'QUEUED', problem: 'the row was modified after its approval' })
    const broken = (await auditPayoutMacs(db, instance.deps.config)).filter((one) => one.broken > 0)
    expect(broken.map(({ check, examples }) => [check.title, examples])).toEqual([
      ['each cold move and each payment return is as approved', [id]],
    ])
    await force(`update payout_sending set to_address = '${first}' where kind = 'COLD' and state = 'QUEUED'`)
    await force(`update cold_move set address = '${first}' where public_id = '${id}'`)
  })

  it('waits while payouts need the money, and stops no payout', async () => {
    const id = await queue()
    const paid = await withdrawal('1000')
    await round()
    // The payout is signed first, so the wallet no longer holds the surplus.
    expect([await payoutState(paid), (await move(id)).state]).toEqual(['SIGNED', 'QUEUED'])
    expect((await move(id)).problem).toBe('the hot wallet has no such surplus above its ceiling and the waiting payouts')
    await blocks(12)
    expect(await payoutState(paid)).toBe('DONE')
    await chain.send(wallet.address, exact('1000'), usdToken)
    await blocks(1)
    expect((await move(id)).state).toBe('SIGNED')
    // A signed cold move does not count against the hourly limit of payouts.
    const next = await withdrawal('400')
    await round()
    expect(await payoutState(next)).toBe('SIGNED')
    await blocks(12)
    expect([await payoutState(next), (await move(id)).state]).toEqual(['DONE', 'DONE'])
  })

  it('leaves the money of payouts that wait for the hourly limit', async () => {
    const waiting = [await withdrawal('1400'), await withdrawal('1400'), await withdrawal('1400')]
    const id = await queue('2500')
    await round()
    expect(await Promise.all(waiting.map(payoutState))).toEqual(['SIGNED', 'QUEUED', 'QUEUED'])
    expect(await move(id)).toMatchObject({ state: 'QUEUED' })
    await blocks(12)
    instance.clock.advance(3_600_000)
    await round()
    await blocks(12)
    instance.clock.advance(3_600_000)
    await round()
    await blocks(12)
    expect(await Promise.all(waiting.map(payoutState))).toEqual(['DONE', 'DONE', 'DONE'])
  })

  it('is sent again unchanged after a reorganisation, and moves the money once', async () => {
    const id = await queue()
    await round()
    await blocks(3)
    expect((await move(id)).state).toBe('MINED')
    const { txHash } = await move(id)
    await chain.call('anvil_reorg', 3, [])
    await round()
    expect((await move(id)).state).toBe('SIGNED')
    instance.clock.advance(60_000)
    await round()
    await blocks(12)
    expect(await move(id)).toMatchObject({ state: 'DONE', txHash })
    expect(await balanceOf(cold)).toBe(exact('4000'))
  })

  it('[I7] is sent again unchanged, with an incident, when a deep reorg removed it after its end, and moves the money once', async () => {
    const id = await queue()
    await round()
    await blocks(12)
    await blocks(3)
    const done = await move(id)
    expect(done.state).toBe('DONE')
    await chain.call('anvil_reorg', 15, [])
    await chain.mine(13)
    expect(await balanceOf(cold)).toBe(0n)
    await round()
    expect(await incidents()).toEqual([{ kind: 'PAYOUT_GONE' }])
    // Nothing else is signed before two people have answered.
    const waiting = await withdrawal('100')
    await blocks(12)
    expect([await payoutState(waiting), await balanceOf(cold)]).toEqual(['QUEUED', exact('4000')])
    expect(await move(id)).toEqual(done)
    await db.updateTable('chain_incident').set({ answered_at: instance.clock.now() }).execute()
    await blocks(1)
    await blocks(12)
    expect([await payoutState(waiting), await balanceOf(cold), await balanceOf(wallet.address)]).toEqual([
      'DONE',
      exact('4000'),
      exact('1000') - exact(await receivedOf(waiting)),
    ])
    await compare()
    expect(await incidents()).toEqual([])
  })

  it('is replaced by a cancellation when staff cancel it after signing', async () => {
    const id = await queue()
    await round()
    expect(await inTransaction(db, (tx) => cancelPlatformPayout(tx, instance.deps, id, 'COLD'))).toBe('asked')
    expect(await move(id)).toMatchObject({ state: 'SIGNED', cancelling: true })
    await round()
    await round()
    await blocks(12)
    expect(await move(id)).toMatchObject({ state: 'CANCELLED' })
    expect([await balanceOf(cold), await balanceOf(wallet.address)]).toEqual([0n, exact('5000')])
  })

  it('ends with an incident for two people when the key of the wallet used its nonce elsewhere', async () => {
    const id = await queue()
    await round()
    const hash = (await move(id)).txHash ?? ''
    // The node loses the transaction, and the thief's transaction uses the nonce.
    await chain.call('anvil_dropTransaction', hash)
    const { raw } = await wallet.sign({ chainId: chain.chainId, from: wallet.address, nonce: 0, gasPrice: 10_000_000_000n })
    await chainNode(chain.url).send([raw])
    await chain.mine(13)
    await round()
    expect(await move(id)).toMatchObject({ state: 'CANCELLED' })
    expect(await incidents()).toEqual([{ kind: 'WALLET_SPENT' }])
  })

  it('is adopted when a restored backup does not have it, and not signed again', async () => {
    const id = await queue()
    await round()
    const hash = (await move(id)).txHash ?? ''
    await chain.mine(13)
    // The backup is older than the approval.
    await force(`delete from signed_transaction where hash = '${hash}'`)
    await force(`delete from payout_sending where request_id = (select id from cold_move where public_id = '${id}')`)
    await force(`delete from cold_move where public_id = '${id}'`)
    await force(`update hot_wallet set next_nonce = 0 where address = '${wallet.address}'`)
    await expect(round()).rejects.toThrow('the chain has 1 transactions')
    const node = chainNode(chain.url)
    const adopt = () => adoptPaid((work) => inTransaction(db, work), instance.deps, { node, chainId: chain.chainId, hash })
    setCold(someone())
    await expect(adopt()).rejects.toThrow('no queued payout matches')
    setCold((await node.receipts([hash]))[0]?.transfers[0]?.to ?? '')
    const adopted = await adopt()
    expect(adopted).toMatchObject({ as: 'payment' })
    expect(await adopt()).toMatchObject({ as: 'known' })
    await round()
    expect(await move('payoutId' in adopted ? adopted.payoutId : '')).toMatchObject({ state: 'DONE', amount: u('4000'), txHash: hash })
    expect(await balanceOf(cold)).toBe(exact('4000'))
  })
})
