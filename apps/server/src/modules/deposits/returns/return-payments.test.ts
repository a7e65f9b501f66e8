import { parseUnits, quoteWithdrawal } from '@tizara/money'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startTestChain } from '../../../../../../test/chain/test-chain.ts'
import { testApp, type TestApp } from '../../../../test/app.ts'
import { testDatabase } from '../../../../test/database.ts'
import { confirmPayoutAddress, createTestMember, type TestMember } from '../../../../test/members.ts'
import { fundedWallet, payoutEnvironment, runSending, someone } from '../../../../test/sent-payouts.ts'
import { testMailbox } from '../../../../test/mails.ts'
import { unusedProvider } from '../../../../test/unused-provider.ts'
import { chainJobs, type ChainSettings, createEvmChain, type PayoutSigner, chainNode } from '../../../gateways/chain/index.ts'
import { mailJobs } from '../../../gateways/mailer/index.ts'
import { runJob } from '../../../jobs/job.ts'
import { ledgerChecks, liftLedgerStop, runAudit, stopLedger } from '../../../ledger/index.ts'
import { readConfig } from '../../../platform/config/config.ts'
import { inTransaction } from '../../../platform/db/database.ts'
import { currentSettings } from '../../settings/index.ts'
import { reconcileJob } from '../../reconciliation/reconcile.job.ts'
import {
  adoptPaid,
  auditChecks as payoutChecks,
  auditPayoutMacs,
  cancelPlatformPayout,
  costChecks,
  costJob,
  paymentReturnsOf,
} from '../../withdrawals/index.ts'
import { findDepositReceipt } from '../deposit-receipt.ts'
import {
  approveDeposit,
  auditChecks,
  depositJobs,
  depositRoutes,
  queuedDeposit,
  rejectDeposit,
  returnableOf,
  returnPayments,
  wakeInvoices,
} from '../index.ts'

const u = (text: string) => parseUnits(text) ?? 0n
/** Converts units to the tokens' smallest units. */
const exact = (units: bigint) => units * 10n ** 10n
const BEGIN = new Date('2026-03-02T09:00:00Z')

const { db } = await testDatabase(12)
const chain = await startTestChain({ at: BEGIN })
const [coinToken, usdToken] = [chain.token.toLowerCase(), (await chain.deployToken()).toLowerCase()]
afterAll(() => chain.stop())

const environment = payoutEnvironment(chain, { coin: coinToken, usd: usdToken })
const settings: ChainSettings = {
  chainId: chain.chainId,
  token: coinToken,
  decimals: 18,
  usd: { token: usdToken, decimals: 18 },
  xpub: environment.CHAIN_XPUB,
  startBlock: undefined,
  secondRpcUrl: undefined,
  rpcUrl: chain.url,
}
const ports = { provider: unusedProvider, chain: createEvmChain(settings, readConfig({ NODE_ENV: 'test' })), noticeUrl: '' }
const tokens = [
  { asset: 'COIN' as const, token: coinToken, decimals: 18 },
  { asset: 'USD' as const, token: usdToken, decimals: 18 },
]
let instance: TestApp
let wallet: PayoutSigner

beforeAll(async () => {
  await chain.call('anvil_setBlockTimestampInterval', 1)
  instance = await testApp(db, {
    routes: (bind) => depositRoutes(bind, ports),
    jobs: [...chainJobs(settings, wakeInvoices), ...depositJobs(ports)],
    env: environment,
  })
  await blocks(1)
})

/** Gives every test a new hot wallet with 5,000 of each token. */
beforeEach(async () => {
  // Catches the chain up with the clock, which the previous test has advanced. A lagging chain is not alive.
  const { timestamp } = await chain.call<{ timestamp: string }>('eth_getBlockByNumber', 'latest', false)
  const now = Math.floor(instance.clock.now().getTime() / 1000)
  if (now - Number(timestamp) >= 60) await chain.call('evm_setNextBlockTimestamp', now)
  wallet = await fundedWallet(
    chain,
    [usdToken, coinToken].map((token) => ({ token, amount: exact(u('5000')) })),
  )
  await blocks(1)
  await send()
  await compare()
  await db.updateTable('chain_incident').set({ answered_at: instance.clock.now() }).execute()
})

/** Checks after every test: the audit passes, and the books equal the chain. */
afterEach(async () => {
  const audits = await runAudit(db, [...ledgerChecks, ...auditChecks, ...payoutChecks, ...costChecks])
  const failing = [...audits, ...(await auditPayoutMacs(db, instance.deps.config))]
    .filter(({ broken }) => broken > 0)
    .map(({ check, examples }) => [check.title, examples])
  expect(failing).toEqual([])
  instance.clock.advance(3_600_000)
  await compare()
  expect(await db.selectFrom('chain_difference').select(['kind', 'subject', 'expected', 'found']).execute()).toEqual([])
})

const compare = () =>
  runJob(
    db,
    instance.deps,
    reconcileJob({ chainId: chain.chainId, rpcUrl: chain.url, tokens, paidTokens: [coinToken, usdToken] }, { now: true, full: true }),
    'worker',
  )
const send = () =>
  runSending(instance, chain, wallet, {
    hourLimits: new Map([usdToken, coinToken].map((token) => [token, exact(u('100000'))])),
  })
/** Mines blocks, one per second, and runs the watcher and the sender. */
async function blocks(count: number) {
  await chain.mine(count)
  instance.clock.advance(count * 1000)
  await instance.runJobs()
}
async function sent(count: number) {
  await blocks(count)
  await send()
}

interface UncreditedPayment {
  member: TestMember
  id: string
  /** Address of the payer, in the member's book. */
  to: string
}
/** Opens an invoice for coin and pays it in the USD token, which no rule credits. */
async function paidInOtherToken(amount = '200'): Promise<UncreditedPayment & { hash: string }> {
  const member = await createTestMember(db)
  const { token } = await instance.signIn(member.id)
  const reply = await instance.call('POST', '/autoPayRoutes/create-invoice', { token, body: { amount: 100 } })
  const id: string = reply.body.data.data.invoice_id
  const { wallet_address: address } = (await instance.call('GET', `/invoice-api/invoice/${id}`)).body
  const hash = await chain.send(address, exact(u(amount)), usdToken)
  await blocks(13)
  const to = someone()
  await confirmPayoutAddress(db, member.id, to)
  return { member, id, to, hash }
}
const giveBack = ({ id, to }: UncreditedPayment, amount = '200', address = to) =>
  inTransaction(db, (tx) => returnPayments(tx, instance.deps, { deposit: id, asset: 'usd', amount: u(amount), address }))
const returned = async ({ id }: UncreditedPayment) => (await paymentReturnsOf(db, instance.deps, id))[0]
const balanceOf = (address: string, token = usdToken) => chainNode(chain.url).tokenOf(token, address)
const reject = async ({ id }: UncreditedPayment) => {
  const staffId = (await createTestMember(db)).id
  await inTransaction(db, (tx) => rejectDeposit(tx, instance.deps, { depositId: id, staffId, reason: 'wrong token' }))
}
const approve = async ({ id }: UncreditedPayment, amount = '200') => {
  const staffId = (await createTestMember(db)).id
  const decision = { depositId: id, staffId, reason: 'seen', amount: u(amount), needsTwo: () => Promise.resolve(true) }
  return inTransaction(db, (tx) => approveDeposit(tx, instance.deps, decision))
}
/** Writes as the database owner, without triggers. */
const force = (statement: string) =>
  inTransaction(db, async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx)
    await sql.raw(statement).execute(tx)
  })
describe('return of a payment', () => {
  it('[I7] [I8] sends a held or rejected payment to its payer once, less the network fee', async () => {
    const [open, refused] = [await paidInOtherToken(), await paidInOtherToken()]
    await reject(refused)
    for (const paid of [open, refused]) {
      expect(await returnableOf(db, paid.id)).toEqual([{ asset: 'usd', amount: u('200') }])
      await giveBack(paid)
      expect(await returnableOf(db, paid.id)).toEqual([])
    }
    expect(await returned(open)).toMatchObject({ state: 'QUEUED', asset: 'usd', address: open.to })
    await send()
    await sent(13)
    await sent(1)
    for (const paid of [open, refused]) {
      const row = await returned(paid)
      expect(row).toMatchObject({ state: 'DONE', cancelling: false })
      expect([(row?.received ?? 0n) + (row?.networkFee ?? 0n), (row?.networkFee ?? 0n) > 0n]).toEqual([u('200'), true])
      expect(await balanceOf(paid.to)).toBe(exact(row?.received ?? 0n))
      expect(await queuedDeposit(db, paid.id)).not.toMatchObject({ status: 'PENDING' })
    }
    const { lines = [] } = (await findDepositReceipt(db, open.member.id, open.id)) ?? {}
    expect(lines.at(-1)).toMatchObject({ label: `Returned to ${open.to}`, value: '196' })
    await runJob(db, instance.deps, costJob(u('600')), 'worker')
  })

  it('[I8] is credited or returned, never both', async () => {
    const [first, second] = [await paidInOtherToken(), await paidInOtherToken()]
    expect(await approve(first)).toBe('waits-for-second')
    await giveBack(first)
    await expect(approve(first)).rejects.toMatchObject({ code: 'ALREADY_DECIDED' })
    expect([await approve(second), await approve(second)]).toEqual(['waits-for-second', 'approved'])
    await expect(giveBack(second)).rejects.toMatchObject({ code: 'CHANGE_OUTDATED' })
    const both = db.updateTable('invoice_transfer').set({ credited_at: BEGIN }).where('return_id', 'is not', null)
    await expect(both.execute()).rejects.toThrow('check constraint')
  })

  it('[I8] is made once when two approvals race, and with a credit', async () => {
    const [twice, raced] = [await paidInOtherToken(), await paidInOtherToken()]
    const results = await Promise.allSettled([giveBack(twice), giveBack(twice)])
    expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    await approve(raced)
    const race = await Promise.allSettled([giveBack(raced), approve(raced)])
    expect(race.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  })

  it('[I7] follows the rules of payouts: an address in the book, payouts neither stopped nor frozen', async () => {
    const paid = await paidInOtherToken()
    await expect(giveBack(paid, '200', someone())).rejects.toMatchObject({ code: 'INVALID_ADDRESS' })
    await expect(giveBack(paid, '200', usdToken)).rejects.toMatchObject({ code: 'INVALID_ADDRESS' })
    const other = await paidInOtherToken()
    await expect(giveBack(paid, '200', other.to)).rejects.toMatchObject({ code: 'INVALID_ADDRESS' })
    await expect(giveBack(paid, '199')).rejects.toMatchObject({ code: 'CHANGE_OUTDATED' })
    const set = (row: object) => db.updateTable('member').set(row).where('id', '=', paid.member.id).execute()
    await set({ payouts_frozen_until: new Date(instance.clock.now().getTime() + 60_000), payouts_frozen_for: 'password' })
    await expect(giveBack(paid)).rejects.toMatchObject({ code: 'PAYOUT_HELD' })
    await set({ payouts_frozen_until: null, payouts_frozen_for: null, payouts_stopped_at: instance.clock.now() })
    await expect(giveBack(paid)).rejects.toMatchObject({ code: 'PAYOUTS_STOPPED' })
    await set({ payouts_stopped_at: null })
    await inTransaction(db, (tx) => stopLedger(tx, instance.clock.now(), 'test'))
    await expect(giveBack(paid)).rejects.toMatchObject({ code: 'STOPPED' })
    await inTransaction(db, (tx) => liftLedgerStop(tx, instance.clock.now()))
    expect(await returned(paid)).toBeUndefined()
    await giveBack(paid)
  })

  it('[I8] is cancelled before it is sent, and the payment can be returned again', async () => {
    const paid = await paidInOtherToken()
    const id = await giveBack(paid)
    expect(await inTransaction(db, (tx) => cancelPlatformPayout(tx, instance.deps, id, 'RETURN'))).toBe('ended')
    await expect(inTransaction(db, (tx) => cancelPlatformPayout(tx, instance.deps, id, 'RETURN'))).rejects.toMatchObject({
      code: 'ALREADY_DECIDED',
    })
    await send()
    expect([(await returned(paid))?.state, await balanceOf(paid.to)]).toEqual(['CANCELLED', 0n])
    expect(await returnableOf(db, paid.id)).toEqual([{ asset: 'usd', amount: u('200') }])
    await giveBack(paid)
    await send()
    await sent(13)
    await sent(1)
    expect((await returned(paid))?.state).toBe('DONE')
    await expect(giveBack(paid)).rejects.toMatchObject({ code: 'CHANGE_OUTDATED' })
  })

  it('[I8] is voided when a reorg removes the payment before it is sent', async () => {
    const paid = await paidInOtherToken()
    await giveBack(paid)
    await chain.call('anvil_reorg', 14, [])
    await blocks(2)
    expect(await returned(paid)).toMatchObject({ state: 'CANCELLED' })
    await send()
    await sent(13)
    expect([await balanceOf(paid.to), await returnableOf(db, paid.id)]).toEqual([0n, []])
    await db.updateTable('chain_incident').set({ answered_at: instance.clock.now() }).execute()
  })

  it('[I7] is not sent twice when a backup from before its approval is restored', async () => {
    const paid = await paidInOtherToken()
    const { networkFeePercent } = await inTransaction(db, (tx) => currentSettings(tx, instance.clock.now()))
    const { received } = quoteWithdrawal(u('200'), 0n, networkFeePercent)
    // The lost part of the database had signed and sent the return.
    const transfer = { token: usdToken, to: paid.to, amount: exact(received) }
    const order = { chainId: chain.chainId, from: wallet.address, nonce: 0, gasPrice: 10_000_000_000n, transfer }
    const { hash, raw } = await wallet.sign(order)
    await chainNode(chain.url).send([raw])
    await blocks(13)
    await expect(send()).rejects.toThrow('the chain has 1 transactions')
    const adopt = () =>
      adoptPaid((work) => inTransaction(db, work), instance.deps, { node: chainNode(chain.url), chainId: chain.chainId, hash })
    await expect(adopt()).rejects.toThrow('no queued payout matches')
    const id = await giveBack(paid)
    await expect(send()).rejects.toThrow('the chain has 1 transactions')
    expect(await adopt()).toEqual({ as: 'payment', payoutId: id })
    await send()
    expect([await returned(paid), await balanceOf(paid.to)]).toMatchObject([{ state: 'DONE', txHash: hash }, exact(received)])
  })

  it('[I7] is sent again unchanged when a deep reorg removed it after its end, and arrives once', async () => {
    const paid = await paidInOtherToken()
    await giveBack(paid)
    await send()
    await sent(13)
    await sent(1)
    const done = await returned(paid)
    expect(done?.state).toBe('DONE')
    await chain.call('anvil_reorg', 14, [])
    await blocks(13)
    expect(await balanceOf(paid.to)).toBe(0n)
    await send()
    await sent(13)
    expect([await returned(paid), await balanceOf(paid.to)]).toEqual([done, exact(done?.received ?? 0n)])
    expect(
      (await db.selectFrom('chain_incident').select('kind').where('answered_at', 'is', null).execute()).map(({ kind }) => kind),
    ).toEqual(['PAYOUT_GONE'])
  })

  it('[I7] is requested by the payer, to an address that then binds staff', async () => {
    const paid = await paidInOtherToken()
    const [{ token }, stranger] = [await instance.signIn(paid.member.id), await instance.signIn((await createTestMember(db)).id)]
    const path = `/pay/deposits/${paid.id}/returns`
    const ask = (address: string, by = token) => instance.call('POST', path, { token: by, body: { asset: 'usd', address } })
    const shown = async () => (await instance.call('GET', path, { token })).body.data.returnable
    expect(await shown()).toMatchObject([{ asset: 'usd', amount: 200, received: 196 }])
    expect((await instance.call('GET', path, { token: stranger.token })).status).toBe(404)
    expect((await ask(paid.to, stranger.token)).status).toBe(404)
    expect((await ask(someone())).body.message).toBe('Invalid wallet address')
    const second = someone()
    await confirmPayoutAddress(db, paid.member.id, second)
    // Two calls at once leave one request.
    expect((await Promise.all([ask(paid.to), ask(paid.to)])).map(({ status }) => status)).toEqual([200, 200])
    expect((await ask(second)).status).toBe(200)
    expect(await shown()).toMatchObject([{ requested: { address: second } }])
    expect((await queuedDeposit(db, paid.id))?.reviews).toContain(`The member asks for the return to ${second}`)
    await expect(giveBack(paid)).rejects.toMatchObject({ code: 'CHANGE_OUTDATED' })
    await giveBack(paid, '200', second)
    expect(await shown()).toEqual([])
    expect((await ask(second)).status).toBe(400)
    const rows = db.selectFrom('return_request').select('closed_at').where('address', '=', second)
    expect(await rows.execute()).toMatchObject([{ closed_at: expect.any(Date) as Date }])
  })

  it('[I7] is requested three times at most for rejected payments, and each rejection answers a request', async () => {
    const paid = await paidInOtherToken()
    const { token } = await instance.signIn(paid.member.id)
    const ask = () =>
      instance.call('POST', `/pay/deposits/${paid.id}/returns`, {
        token,
        body: { asset: 'usd', address: paid.to.toUpperCase().replace('0X', '0x') },
      })
    await reject(paid)
    for (let time = 0; time < 3; time += 1) {
      expect((await ask()).status).toBe(200)
      expect(await queuedDeposit(db, paid.id)).toMatchObject({ status: 'PENDING', credit: 0n })
      await expect(approve(paid, '0')).rejects.toMatchObject({ code: 'ALREADY_DECIDED' })
      await reject(paid)
      expect(await queuedDeposit(db, paid.id)).not.toMatchObject({ status: 'PENDING' })
    }
    expect((await ask()).body.message).toBe('This request has already been decided')
    await giveBack(paid)
  })

  it('[I7] needs a proven address above the sum of the settings, and no stop or freeze', async () => {
    const paid = await paidInOtherToken('2000')
    const { token } = await instance.signIn(paid.member.id)
    const ask = () => instance.call('POST', `/pay/deposits/${paid.id}/returns`, { token, body: { asset: 'usd', address: paid.to } })
    const { proofAboveUsd } = await inTransaction(db, (tx) => currentSettings(tx, instance.clock.now()))
    await force(`update setting set proof_above_usd = ${u('1999')}`)
    expect((await ask()).body.message).toContain('only to an address that you have proven')
    await expect(giveBack(paid, '2000')).rejects.toMatchObject({ code: 'PAYOUT_NEEDS_PROOF' })
    await force(`update setting set proof_above_usd = ${proofAboveUsd}`)
    const set = (row: object) => db.updateTable('member').set(row).where('id', '=', paid.member.id).execute()
    await set({ payouts_stopped_at: instance.clock.now() })
    expect((await ask()).status).toBe(400)
    await set({ payouts_stopped_at: null })
    expect((await ask()).status).toBe(200)
    await giveBack(paid, '2000')
  })

  it('is not signed when the database redirects it, and the audit reports it', async () => {
    const paid = await paidInOtherToken()
    const id = await giveBack(paid)
    const change = async (to: string) => {
      await force(`update payout_sending set to_address = '${to}' where kind = 'RETURN' and state = 'QUEUED'`)
      await force(`update payment_return set address = '${to}' where public_id = '${id}'`)
    }
    await change(someone())
    await send()
    expect(await returned(paid)).toMatchObject({ state: 'QUEUED', problem: 'the row was modified after its approval' })
    const broken = (await auditPayoutMacs(db, instance.deps.config)).filter((one) => one.broken > 0)
    expect(broken.map(({ check, examples }) => [check.title, examples])).toEqual([
      ['each cold move and each payment return is as approved', [id]],
    ])
    await change(paid.to)
    await inTransaction(db, (tx) => cancelPlatformPayout(tx, instance.deps, id, 'RETURN'))
  })

  it('mails the member when it is approved, and when it arrived or could not be sent', async () => {
    const [paid, stopped] = [await paidInOtherToken(), await paidInOtherToken()]
    await giveBack(paid)
    const id = await giveBack(stopped)
    await inTransaction(db, (tx) => cancelPlatformPayout(tx, instance.deps, id, 'RETURN'))
    await send()
    await sent(13)
    await sent(1)
    const mails = testMailbox()
    for (const job of mailJobs(mails)) await runJob(db, instance.deps, job, 'worker')
    const subjects = ({ member }: UncreditedPayment) => mails.to(member.email).map(({ subject }) => subject.replace(/^[^:]*: /, ''))
    expect([subjects(paid), subjects(stopped)]).toEqual([
      ['your payment goes back', 'your payment was returned'],
      ['your payment goes back', 'your payment could not be returned'],
    ])
    expect(mails.to(paid.member.email)[1]?.text).toContain(`196.00 USD was sent to ${paid.to}`)
  })
})
