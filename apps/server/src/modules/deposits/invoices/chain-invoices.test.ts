import { HDKey } from '@scure/bip32'
import { ONE } from '@tizara/money'
import { CompiledQuery } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { testApp, type TestApp } from '../../../../test/app.ts'
import { testDatabase } from '../../../../test/database.ts'
import { createTestMember, type TestMember } from '../../../../test/members.ts'
import type { TestChain } from '../../../../../../test/chain/anvil.ts'
import { startTestChain } from '../../../../../../test/chain/test-chain.ts'
import { type TamperingNode, tamperingNode } from '../../../../../../test/chain/tampering-node.ts'
import {
  unclaimedAddresses,
  chainIncidents,
  type ChainSettings,
  chainJobs,
  createEvmChain,
  hasOpenIncident,
  rescan,
} from '../../../gateways/chain/index.ts'
import { unusedProvider } from '../../../../test/unused-provider.ts'
import { runJob } from '../../../jobs/job.ts'
import { balancesOf, ledgerChecks, runAudit } from '../../../ledger/index.ts'
import { depositAddresses } from '../../../gateways/chain/deposit-address.ts'
import { claimAddress, receivedAt } from './claim-address.ts'
import { settleFinal } from './credit-transfers.ts'
import { findDepositReceipt } from '../deposit-receipt.ts'
import { readConfig } from '../../../platform/config/config.ts'
import { inTransaction } from '../../../platform/db/database.ts'
import {
  approveDeposit,
  auditChecks,
  auditFinalTransfers,
  creditsOf,
  depositRoutes,
  depositJobs,
  queuedDeposit,
  rejectDeposit,
  wakeInvoices,
} from '../index.ts'

/** Token units. One platform unit equals 10^10. */
const token = (coin: bigint) => coin * 10n ** 18n
const BEGIN = new Date('2026-03-02T09:00:00Z')

const { db } = await testDatabase()
const chain: TestChain = await startTestChain({ at: BEGIN })
const usdToken = await chain.deployToken()
const node: TamperingNode = tamperingNode(chain.url)
const secondNode: TamperingNode = tamperingNode(chain.url)
afterAll(async () => {
  node.close()
  secondNode.close()
  await chain.stop()
})

const settings: ChainSettings = {
  chainId: chain.chainId,
  token: chain.token,
  decimals: 18,
  usd: { token: usdToken, decimals: 18 },
  xpub: HDKey.fromMasterSeed(Buffer.alloc(32, 7)).derive("m/44'/60'/0'").publicExtendedKey,
  startBlock: undefined,
  rpcUrl: node.url,
  secondRpcUrl: secondNode.url,
}
const ports = { provider: unusedProvider, chain: createEvmChain(settings, readConfig({ NODE_ENV: 'test' })), noticeUrl: '' }
let instance: TestApp
beforeAll(async () => {
  await chain.call('anvil_setBlockTimestampInterval', 1)
  instance = await testApp(db, {
    routes: (bind) => depositRoutes(bind, ports),
    jobs: [...chainJobs(settings, wakeInvoices), ...depositJobs(ports)],
  })
  await blocks(1)
})
beforeEach(async () => {
  node.tamper = undefined
  secondNode.tamper = undefined
  // Catches the chain up with the clock, which the previous test may have advanced. A lagging chain is not alive.
  const { timestamp } = await chain.call<{ timestamp: string }>('eth_getBlockByNumber', 'latest', false)
  const now = Math.floor(instance.clock.now().getTime() / 1000)
  if (now - Number(timestamp) < 60) return
  await chain.call('evm_setNextBlockTimestamp', now)
  await blocks(1)
})

/** Mines blocks, one per second, and runs the watcher. */
async function blocks(count: number) {
  await chain.mine(count)
  await look(count)
}
async function look(seconds = 1) {
  instance.clock.advance(seconds * 1000)
  await instance.runJobs()
}
/** Advances time on the chain and in the test app. */
async function pass(seconds: number) {
  const { timestamp } = await chain.call<{ timestamp: string }>('eth_getBlockByNumber', 'latest', false)
  await chain.call('evm_setNextBlockTimestamp', Number(timestamp) + seconds)
  await chain.mine(1)
  instance.clock.advance(seconds * 1000)
  await instance.runJobs()
}

interface Invoice {
  member: TestMember
  id: string
  address: string
}
async function opened(amount = 100, asset?: 'usd'): Promise<Invoice> {
  const member = await createTestMember(db)
  const { token: session } = await instance.signIn(member.id)
  const reply = await instance.call('POST', '/autoPayRoutes/create-invoice', {
    token: session,
    body: { amount, ...(asset === undefined ? {} : { asset }) },
  })
  const id: string = reply.body.data.data.invoice_id
  return { member, id, address: (await instance.call('GET', `/invoice-api/invoice/${id}`)).body.wallet_address }
}
const status = async ({ id }: Invoice) => (await instance.call('GET', `/invoice-api/payments/${id}`)).body
const coin = async ({ member }: Invoice) => (await balancesOf(db, member.id)).nativeWallet
const usd = async ({ member }: Invoice) => (await balancesOf(db, member.id)).depositWallet
const storedAmounts = ({ id }: Invoice) =>
  db.selectFrom('deposit').select(['credited', 'usd_amount']).where('public_id', '=', id).executeTakeFirstOrThrow()
const incidents = () => db.selectFrom('chain_incident').select(['kind', 'transfers']).orderBy('id').execute()
const waiting = ({ id }: Invoice) => queuedDeposit(db, id)
const staffPair = async () => [(await createTestMember(db)).id, (await createTestMember(db)).id] as const
/** Ledger transfers returned by approvals. */
const posted: bigint[] = []
/** Approves the shown amount without a second approver. */
const approve = async (invoice: Invoice, staffId: bigint) => {
  const amount = (await waiting(invoice))?.credit ?? 0n
  const needsTwo = () => Promise.resolve(false)
  return inTransaction(db, (tx) =>
    approveDeposit(tx, instance.deps, {
      depositId: invoice.id,
      staffId,
      reason: 'seen on the chain',
      amount,
      needsTwo,
      onPosted: (id) => void posted.push(id),
    }),
  )
}
async function decide(invoice: Invoice, how: 'approve' | 'reject') {
  const [first, second] = await staffPair()
  if (how === 'reject')
    return inTransaction(db, (tx) => rejectDeposit(tx, instance.deps, { depositId: invoice.id, staffId: first, reason: 'spam' }))
  expect(await approve(invoice, first)).toBe('waits-for-second')
  expect(await approve(invoice, second)).toBe('approved')
  const credits = db
    .selectFrom('invoice_transfer')
    .select('transfer_id')
    .where('transfer_id', '=', posted.at(-1) ?? 0n)
  expect(await credits.execute()).toHaveLength(1)
}
const wake = ({ address }: Invoice) => inTransaction(db, (tx) => wakeInvoices(tx, [address], instance.clock.now()))
const head = async () => Number(await chain.call<string>('eth_blockNumber'))

describe('invoice paid on a chain', () => {
  it('[MF-02] [I8] is processing when seen, and credited at twelve confirmations, not at eleven', async () => {
    const invoice = await opened(100)
    expect(invoice.address).toMatch(/^0x[0-9a-f]{40}$/)
    await chain.send(invoice.address, token(100n))
    await blocks(1)
    expect(await status(invoice)).toMatchObject({ status: true, payment_status: 'processing', confirmations: 1 })
    await blocks(10)
    expect(await status(invoice)).toMatchObject({ payment_status: 'processing', confirmations: 11 })
    expect(await coin(invoice)).toBe(0n)
    await blocks(1)
    expect(await status(invoice)).toMatchObject({ payment_status: 'completed', reason: 'none' })
    expect(await coin(invoice)).toBe(100n * ONE)
    await blocks(30)
    expect(await coin(invoice)).toBe(100n * ONE)
  })

  it('[MF-02] credits the amounts that arrive: too little, the remainder, too much, two transfers in one transaction', async () => {
    const parts = await opened(100)
    const double = await opened(100)
    const both = await opened(100)
    await chain.send(parts.address, token(40n))
    await chain.send(double.address, token(200n) + 9_999_999_999n)
    await chain.sendMany([both.address, parts.address, both.address], [token(60n), token(1n), token(40n)])
    await blocks(12)
    expect(await status(parts)).toMatchObject({ state: 'partial', reason: 'underpaid' })
    expect([await coin(parts), await coin(double), await coin(both)]).toEqual([41n * ONE, 200n * ONE, 100n * ONE])
    expect(await status(double)).toMatchObject({ payment_status: 'completed', reason: 'overpaid' })
    await chain.send(parts.address, token(59n))
    await blocks(12)
    expect(await status(parts)).toMatchObject({ payment_status: 'completed', reason: 'none' })
    expect(await coin(parts)).toBe(100n * ONE)
  })

  it('[UI-INVOICE-06] names each further condition beside twelve confirmations', async () => {
    const invoice = await opened()
    expect((await status(invoice)).waits_for).toBeUndefined()
    const old = await chain.call('eth_getBlockByNumber', '0x1', false)
    node.tamper = ({ method, params }) => (method === 'eth_getBlockByNumber' && params[0] === 'finalized' ? old : undefined)
    await chain.send(invoice.address, token(100n))
    await blocks(11)
    expect((await status(invoice)).waits_for).toBeUndefined()
    await blocks(2)
    const awaited = { state: 'confirming', confirmations: 11, waits_for: { reason: 'FINAL_BLOCK' } }
    expect(await status(invoice)).toMatchObject(awaited)
    node.tamper = undefined
    // A large payment needs more blocks, although the node has finalized its block.
    const large = createEvmChain({ ...settings, large: { usd: 1_000_000, coin: 50, confirmations: 30 } }, instance.deps.config)
    await blocks(1)
    expect(await large.awaited(db, invoice.address, instance.clock.now())).toEqual({ reason: 'MORE_BLOCKS', blocks: 30 })
    const depth = async () =>
      (await large.scan((read) => read(db), [invoice.address], instance.clock.now())).transfers.map(({ confirmations }) => confirmations)
    expect(await depth()).toEqual([11])
    const settled = await status(invoice)
    expect([settled.state, settled.waits_for]).toEqual(['settled', undefined])
    await blocks(16)
    expect([await depth(), await large.awaited(db, invoice.address, instance.clock.now())]).toEqual([[30], undefined])
    const open = await opened()
    instance.clock.advance(121_000)
    expect((await status(open)).waits_for).toEqual({ reason: 'CHAIN_SILENT' })
    expect((await status(invoice)).waits_for).toBeUndefined()
  })

  it('[ST-73] uses the block time: credits a late payment while it is watched, and holds a much later one for staff', async () => {
    const [late, forgotten] = [await opened(10), await opened(10)]
    await pass(21 * 60)
    expect(await status(late)).toMatchObject({ state: 'expired' })
    await chain.send(late.address, token(10n))
    await blocks(12)
    expect(await status(late)).toMatchObject({ payment_status: 'completed', reason: 'late' })
    // The watcher polls it hourly for a day, daily for a week, and then only on new transfers.
    const nextPoll = async () => {
      const { at } = await db
        .selectFrom('deposit')
        .select('next_check_at as at')
        .where('public_id', '=', forgotten.id)
        .executeTakeFirstOrThrow()
      return at === null ? null : (at.getTime() - instance.clock.now().getTime()) / 1000
    }
    await pass(60)
    expect(await nextPoll()).toBe(3600 - 12 - 60)
    await pass(86_400)
    expect(await nextPoll()).toBe(86_400)
    instance.clock.advance(3_600_000)
    await instance.runJobs()
    expect(await nextPoll()).toBe(86_400 - 3600)
    await pass(40 * 86_400)
    expect([(await status(forgotten)).state, await nextPoll()]).toEqual(['closed', null])
    await chain.send(forgotten.address, token(10n))
    await blocks(12)
    expect(await status(forgotten)).toMatchObject({ state: 'closed', received: 10, not_counted: { other_token: 0, too_late: 10, dust: 0 } })
    expect(await coin(forgotten)).toBe(0n)
    await decide(forgotten, 'approve')
    await look()
    expect(await status(forgotten)).toMatchObject({ payment_status: 'completed', reason: 'late' })
    expect(await coin(forgotten)).toBe(10n * ONE)
  })

  it('shows only its assigned address, whatever is written into the database', async () => {
    const invoice = await opened(10)
    const page = async () => (await instance.call('GET', `/invoice-api/invoice/${invoice.id}`)).status
    const change = (address: string) => db.updateTable('deposit').set({ address }).where('public_id', '=', invoice.id).execute()
    const update = (address: string, to: object) => db.updateTable('chain_address').set(to).where('address', '=', address).execute()
    expect(await page()).toBe(200)
    const thief = `0x${'9'.repeat(40)}`
    await change(thief)
    expect(await page()).toBe(404)
    await update(invoice.address, { invoice_id: 'none' })
    await db.insertInto('chain_address').values({ address: thief, key_index: 1_000_000n, invoice_id: invoice.id }).execute()
    expect(await page()).toBe(404)
    await db.deleteFrom('chain_address').where('address', '=', thief).execute()
    await update(invoice.address, { invoice_id: invoice.id })
    await change(invoice.address)
    expect(await page()).toBe(200)
  })

  it('ignores other tokens, zero amounts, dust and the native coin', async () => {
    const invoice = await opened(10)
    const fake = await chain.deployToken()
    await chain.send(invoice.address, token(10n), fake)
    await chain.send(invoice.address, 0n)
    await chain.send(invoice.address, 9_999_999_999n)
    await chain.send(invoice.address, token(1n) / 100n - 1n)
    await chain.call('eth_sendTransaction', { from: chain.holder, to: invoice.address, value: '0xde0b6b3a7640000' })
    await blocks(14)
    expect(await status(invoice)).toMatchObject({ state: 'awaiting', received: 0, not_counted: { dust: 0.00999999 } })
    expect(await coin(invoice)).toBe(0n)
    expect(await waiting(invoice)).toBeUndefined()
  })

  it('[MF-01] [I8] accepts USDT: credits the received amount in USD, once, at twelve confirmations', async () => {
    const [exact, parts] = [await opened(100, 'usd'), await opened(50, 'usd')]
    expect((await instance.call('GET', `/invoice-api/invoice/${exact.id}`)).body).toMatchObject({
      token_name: 'USDT',
      token_address: usdToken,
    })
    const hash = await chain.send(exact.address, token(100n), usdToken)
    await chain.send(parts.address, token(20n), usdToken)
    await chain.send(parts.address, token(31n), usdToken)
    await blocks(11)
    expect([await usd(exact), await usd(parts)]).toEqual([0n, 0n])
    expect(await status(exact)).toMatchObject({ payment_status: 'processing', confirmations: 11 })
    await blocks(1)
    expect(await status(exact)).toMatchObject({ payment_status: 'completed', reason: 'none', received: 100 })
    expect(await status(parts)).toMatchObject({ payment_status: 'completed', reason: 'overpaid', received: 51 })
    await blocks(20)
    expect([await usd(exact), await usd(parts), await coin(exact)]).toEqual([100n * ONE, 51n * ONE, 0n])
    expect(await findDepositReceipt(db, exact.member.id, exact.id)).toMatchObject({ title: 'Deposit USDT', txHash: hash, asset: 'usd' })
    const { token: session } = await instance.signIn(exact.member.id)
    const refused = await instance.call('POST', '/autoPayRoutes/create-invoice', { token: session, body: { amount: 1.234, asset: 'usd' } })
    expect(refused.status).toBe(400)
  })

  it('credits one token while it rejects another, whose payments wait for two staff members', async () => {
    const [watcher] = chainJobs(settings, wakeInvoices)
    // The tokens are older than the checked blocks.
    await blocks(60)
    // The balances of the coin grow less than its transfers: it has a hidden fee.
    node.tamper = async ({ method, params: [call] }, answer) =>
      method === 'eth_call' && (call as { to: string }).to === chain.token && JSON.stringify(call).includes('0x70a08231')
        ? `0x${(BigInt(String(await answer())) / 2n).toString(16)}`
        : undefined
    const [coins, dollars] = [await opened(10), await opened(10, 'usd')]
    const { token: session } = await instance.signIn(coins.member.id)
    for (const letter of ['a', 'b', 'c']) await chain.send(`0x${letter.repeat(40)}`, 8n)
    await chain.send(coins.address, token(10n))
    await chain.send(dollars.address, token(10n), usdToken)
    await chain.mine(12)
    const round = async () => {
      instance.clock.advance(1000)
      if (watcher !== undefined) await runJob(db, instance.deps, watcher, 'worker')
      for (const job of depositJobs(ports)) await runJob(db, instance.deps, job, 'worker')
    }
    await round()
    await round()
    expect([await coin(coins), await usd(dollars)]).toEqual([0n, 10n * ONE])
    const reviews = ['10.00 coin by the transfer, but the address received another amount: compare its balance on an explorer']
    expect(await waiting(coins)).toMatchObject({ isPaid: false, reviews })
    expect(await status(coins)).toMatchObject({ not_counted: { balance_differs: 10, other_token: 0 } })
    await round()
    // Members get no invoice in the rejected token.
    const create = (body: object) => instance.call('POST', '/autoPayRoutes/create-invoice', { token: session, body })
    expect([(await create({ amount: 5 })).status, (await create({ amount: 5, asset: 'usd' })).status]).toEqual([503, 200])
    // A later check accepts the token. Its held payment still waits.
    node.tamper = undefined
    await pass(3_601)
    await round()
    expect((await opened(5)).address).toMatch(/^0x/)
    expect(await coin(coins)).toBe(0n)
    await decide(coins, 'approve')
    expect(await coin(coins)).toBe(10n * ONE)
  })

  it('holds a payment of an accepted token for two staff members when its address receives less', async () => {
    const [invoice, other] = [await opened(10), await opened(10)]
    await chain.send(invoice.address, token(10n))
    await chain.send(other.address, token(10n))
    node.tamper = async ({ method, params: [call] }, answer) =>
      method === 'eth_call' && JSON.stringify(call).includes(invoice.address.slice(2))
        ? `0x${((BigInt(String(await answer())) * 99n) / 100n).toString(16)}`
        : undefined
    await blocks(12)
    expect([await coin(invoice), await coin(other)]).toEqual([0n, 10n * ONE])
    node.tamper = undefined
    await blocks(30)
    expect(await coin(invoice)).toBe(0n)
    // A database writer cannot hide the difference, because the watcher's MAC covers it.
    await db.updateTable('chain_transfer').set({ balance_fits: true }).where('address', '=', invoice.address).execute()
    await wake(invoice)
    await blocks(2)
    expect(await coin(invoice)).toBe(0n)
    await db.updateTable('chain_transfer').set({ balance_fits: false }).where('address', '=', invoice.address).execute()
    await wake(invoice)
    await blocks(2)
    await decide(invoice, 'reject')
    await blocks(2)
    expect(await coin(invoice)).toBe(0n)
  })

  it('holds the other token for two staff members, who credit it as that token or reject it', async () => {
    const [dollars, coins, aside] = [await opened(10, 'usd'), await opened(10), await opened(10)]
    await chain.send(dollars.address, token(7n))
    await chain.send(coins.address, token(8n), usdToken)
    await chain.send(aside.address, token(9n), usdToken)
    await blocks(11)
    expect(await waiting(dollars)).toBeUndefined()
    await blocks(1)
    expect(await status(dollars)).toMatchObject({ state: 'awaiting', received: 0, not_counted: { other_token: 7 } })
    expect([await coin(dollars), await usd(coins)]).toEqual([0n, 0n])
    // The requested amount stays unchanged until a credit.
    expect(await storedAmounts(dollars)).toEqual({ credited: 0n, usd_amount: 10n * ONE })
    expect(await waiting(coins)).toMatchObject({
      credit: 8n * ONE,
      isPaid: false,
      reviews: ['8.00 USD arrived for an invoice in the other token'],
    })
    await decide(dollars, 'approve')
    await decide(coins, 'approve')
    await decide(aside, 'reject')
    expect([await coin(dollars), await usd(dollars), await usd(coins), await usd(aside)]).toEqual([7n * ONE, 0n, 8n * ONE, 0n])
    // A payment in the requested amount may still arrive, and is credited automatically.
    await chain.send(aside.address, token(10n))
    await chain.send(coins.address, token(10n))
    await blocks(12)
    expect([await coin(aside), await coin(coins)]).toEqual([10n * ONE, 10n * ONE])
    expect(await status(aside)).toMatchObject({ payment_status: 'completed' })
    await expect(decide(dollars, 'approve')).rejects.toThrow('already been decided')
  })

  it('[I8] needs two approvals to credit another token, and both again when more of it arrives', async () => {
    const invoice = await opened(10, 'usd')
    await chain.send(invoice.address, token(5n))
    await blocks(12)
    const [first, second] = await staffPair()
    expect(await approve(invoice, first)).toBe('waits-for-second')
    await expect(approve(invoice, first)).rejects.toThrow('Another staff member')
    await chain.send(invoice.address, token(6n))
    await blocks(12)
    expect(await approve(invoice, second)).toBe('waits-for-second')
    expect(await coin(invoice)).toBe(0n)
    expect(await approve(invoice, first)).toBe('approved')
    expect(await coin(invoice)).toBe(11n * ONE)
  })
})

describe('reorg', () => {
  it('[I8] removes a payment before it is final, and credits it once when it returns elsewhere', async () => {
    const invoice = await opened(100)
    const hash = await chain.send(invoice.address, token(100n))
    await blocks(3)
    expect(await status(invoice)).toMatchObject({ status: true })
    const { input } = await chain.call<{ input: string }>('eth_getTransactionByHash', hash)
    await chain.call('anvil_reorg', 5, [])
    await look()
    expect(await status(invoice)).toMatchObject({ status: false, state: 'awaiting', received: 0 })
    await chain.call('eth_sendTransaction', { from: chain.holder, to: chain.token, data: input, gas: '0x200000' })
    await blocks(12)
    expect(await status(invoice)).toMatchObject({ payment_status: 'completed' })
    await blocks(20)
    expect(await coin(invoice)).toBe(100n * ONE)
    expect(await incidents()).toEqual([])
  })

  it('[I8] moves a transaction to another block and log, and credits it once', async () => {
    const [first, second] = [await opened(5), await opened(7)]
    const hashes = [await chain.send(first.address, token(5n)), await chain.send(second.address, token(7n))]
    await blocks(2)
    const raw = await Promise.all(hashes.map((hash) => chain.call<object>('eth_getTransactionByHash', hash)))
    const request = (transaction: object) => {
      const { from, to, input, gas } = transaction as Record<string, string>
      return { from, to, data: input, gas }
    }
    // The second payment now comes first, in another block.
    await chain.call('anvil_reorg', 3, [
      [request(raw[1] ?? {}), 1],
      [request(raw[0] ?? {}), 2],
    ])
    await look()
    await blocks(14)
    expect([await coin(first), await coin(second)]).toEqual([5n * ONE, 7n * ONE])
    expect(await incidents()).toEqual([])
  })

  it('[I8] reports a final payment that is gone, keeps its credit, and never credits it again', async () => {
    const invoice = await opened(100)
    const hash = await chain.send(invoice.address, token(100n))
    await blocks(13)
    expect(await coin(invoice)).toBe(100n * ONE)
    const { from, to, input, gas } = await chain.call<Record<string, string>>('eth_getTransactionByHash', hash)
    await chain.call('anvil_reorg', 15, [])
    await look()
    expect(await incidents()).toEqual([{ kind: 'FINAL_GONE', transfers: [`${hash} ${invoice.address} 0`] }])
    expect(await coin(invoice)).toBe(100n * ONE)
    expect(await status(invoice)).toMatchObject({ payment_status: 'completed' })
    const [incident] = await chainIncidents(db)
    expect(await creditsOf(db, incident?.transfers ?? [])).toEqual([
      { deposit: invoice.id, asset: 'COIN', amount: 100n * ONE, transferId: expect.any(BigInt) },
    ])
    expect(await hasOpenIncident(db)).toBe(true)
    // The account repeats the same transaction.
    expect(await chain.call<string>('eth_sendTransaction', { from, to, data: input, gas })).toBe(hash)
    await blocks(14)
    expect(await coin(invoice)).toBe(100n * ONE)
    expect(await incidents()).toHaveLength(1)
    expect(await creditsOf(db, incident?.transfers ?? [])).toEqual([])
  })
})

describe('failing or lying node', () => {
  it('expires nothing while no node answers, and rejects new invoices after two minutes', async () => {
    const invoice = await opened(10)
    node.tamper = null
    instance.clock.advance(3 * 60_000)
    await expect(instance.runJobs()).rejects.toThrow('did not answer')
    const { token: session } = await instance.signIn((await createTestMember(db)).id)
    const refused = await instance.call('POST', '/autoPayRoutes/create-invoice', { token: session, body: { amount: 1 } })
    expect(refused).toMatchObject({ status: 503, body: { message: 'The payment service does not answer, please try again later' } })
    instance.clock.advance(30 * 60_000)
    await expect(instance.runJobs()).rejects.toThrow('did not answer')
    expect(await status(invoice)).toMatchObject({ state: 'awaiting' })
    node.tamper = undefined
    await chain.send(invoice.address, token(10n))
    await blocks(12)
    expect(await status(invoice)).toMatchObject({ payment_status: 'completed', reason: 'none' })
  })

  it('[I8] that omits logs at the head delays a credit to twelve confirmations', async () => {
    const invoice = await opened(10)
    await chain.send(invoice.address, token(10n))
    node.tamper = ({ method }) => (method === 'eth_getLogs' ? [] : undefined)
    await chain.mine(1)
    await look()
    expect(await status(invoice)).toMatchObject({ state: 'awaiting' })
    node.tamper = undefined
    await blocks(11)
    expect(await status(invoice)).toMatchObject({ payment_status: 'completed' })
    expect(await coin(invoice)).toBe(10n * ONE)
  })

  it('[I8] that invents a transfer never makes it final', async () => {
    const invoice = await opened(10)
    const other = await opened(10)
    const hash = await chain.send(other.address, token(10n))
    node.tamper = async ({ method }, answer) => {
      if (method !== 'eth_getLogs') return undefined
      const text = JSON.stringify(await answer())
      return JSON.parse(text.replaceAll(other.address.slice(2), invoice.address.slice(2)))
    }
    await chain.mine(1)
    await look()
    expect(await status(invoice)).toMatchObject({ status: true })
    await blocks(13)
    expect(await coin(invoice)).toBe(0n)
    expect(await status(invoice)).toMatchObject({ state: 'awaiting' })
    expect([hash.length, await coin(other)]).toEqual([66, 10n * ONE])
  })

  it('[I8] credits nothing that the second source does not confirm', async () => {
    const invoice = await opened(10)
    await chain.send(invoice.address, token(10n))
    secondNode.tamper = ({ method }) => (method === 'eth_getTransactionReceipt' ? null : undefined)
    await chain.mine(12)
    instance.clock.advance(12_000)
    await expect(instance.runJobs()).rejects.toThrow('second source')
    expect(await coin(invoice)).toBe(0n)
    secondNode.tamper = undefined
    await look()
    expect(await coin(invoice)).toBe(10n * ONE)
  })

  it('of another chain or token is not read', async () => {
    const before = await db.selectFrom('chain_cursor').selectAll().executeTakeFirstOrThrow()
    node.tamper = ({ method }) => (method === 'eth_chainId' ? '0x1' : undefined)
    await chain.mine(1)
    await expect(instance.runJobs()).rejects.toThrow('chain 1, not 31337')
    node.tamper = ({ method }) => (method === 'eth_call' ? '0x6' : undefined)
    await expect(instance.runJobs()).rejects.toThrow('6 decimals, not 18')
    expect(await db.selectFrom('chain_cursor').selectAll().executeTakeFirstOrThrow()).toEqual(before)
  })

  it('that lags behind causes no reorg', async () => {
    const invoice = await opened(10)
    await chain.send(invoice.address, token(10n))
    await blocks(3)
    const old = await chain.call('eth_getBlockByNumber', `0x${((await head()) - 2).toString(16)}`, false)
    node.tamper = ({ method, params }) => (method === 'eth_getBlockByNumber' && params[0] === 'latest' ? old : undefined)
    await look()
    expect(await status(invoice)).toMatchObject({ status: true, confirmations: 3 })
    node.tamper = undefined
    await blocks(9)
    expect(await coin(invoice)).toBe(10n * ONE)
  })

  it('that rejects wide ranges is asked for half the range until it accepts', async () => {
    const invoice = await opened(10)
    await chain.send(invoice.address, token(10n))
    await chain.mine(300)
    node.tamper = ({ method, params }) => {
      const { fromBlock, toBlock } = (params[0] ?? {}) as Record<string, string>
      if (method === 'eth_getLogs' && Number(toBlock) - Number(fromBlock) >= 7) throw new Error('block range exceeds the limit of 7')
      return undefined
    }
    await look(300)
    expect(await coin(invoice)).toBe(10n * ONE)
  })

  it('[I8] rescanned three times by two workers at once keeps each credit single', async () => {
    const invoice = await opened(10)
    await chain.send(invoice.address, token(10n))
    await blocks(12)
    const rows = () => db.selectFrom('chain_transfer').select(['tx_hash', 'state']).orderBy('tx_hash').orderBy('ordinal').execute()
    const before = await rows()
    const from = (await head()) - 30
    for (let time = 0; time < 3; time += 1) {
      await rescan(settings, (work) => inTransaction(db, work), from, instance.clock.now())
      instance.clock.advance(1_000)
      const sweeps = [...chainJobs(settings, wakeInvoices), ...depositJobs(ports)]
      await Promise.all(['one', 'two'].flatMap((worker) => sweeps.map((sweep) => runJob(db, instance.deps, sweep, worker))))
      await look()
    }
    expect(await rows()).toEqual(before)
    expect(await coin(invoice)).toBe(10n * ONE)
    await expect(rescan(settings, (work) => inTransaction(db, work), 1_000_000, instance.clock.now())).rejects.toThrow('no block')
  })

  it('is not rescanned from a block that only another chain reached', async () => {
    const { block } = await db.selectFrom('chain_cursor').select('block').executeTakeFirstOrThrow()
    const other = {
      chain_id: 1n,
      block: 9_000_000n,
      block_hash: '0x1',
      block_time: instance.clock.now(),
      final_block: 0n,
      seen_at: instance.clock.now(),
    }
    await db.insertInto('chain_cursor').values(other).execute()
    // An updated row comes last in an unordered query.
    await db.updateTable('chain_cursor').set({ seen_at: instance.clock.now() }).where('chain_id', '<>', 1n).execute()
    await chain.mine(3)
    await expect(rescan(settings, (work) => inTransaction(db, work), Number(block) + 1, instance.clock.now())).rejects.toThrow(
      'has not read the chain up to block',
    )
    await db.deleteFrom('chain_cursor').where('chain_id', '=', 1n).execute()
    await look()
  })

  it('[I8] is rescanned together with the addresses of the hours since the block', async () => {
    const from = await head()
    await pass(4 * 3_600)
    await look()
    await rescan(settings, (work) => inTransaction(db, work), from, instance.clock.now())
    const recovery = await db.selectFrom('chain_address_recovery').selectAll().orderBy('id', 'desc').limit(1).executeTakeFirstOrThrow()
    const newest = Math.floor(instance.clock.now().getTime() / 3_600_000)
    // The two newest hours have lost no address.
    expect([recovery.next_generation, recovery.last_generation, recovery.ended_at]).toEqual([newest - 4, newest - 2, null])
    await look()
    await look()
    expect(await db.selectFrom('chain_address_recovery').select('id').where('ended_at', 'is', null).execute()).toEqual([])
  })

  it('[I8] that omitted a transfer twice is corrected by a rescan from before it when the second source omitted it too', async () => {
    const invoice = await opened(10)
    const from = await head()
    for (const source of [node, secondNode]) source.tamper = ({ method }) => (method === 'eth_getLogs' ? [] : undefined)
    await chain.send(invoice.address, token(10n))
    await blocks(14)
    for (const source of [node, secondNode]) source.tamper = undefined
    await look()
    expect(await coin(invoice)).toBe(0n)
    await rescan(settings, (work) => inTransaction(db, work), from, instance.clock.now())
    // The result does not depend on saved block hashes.
    await db.deleteFrom('chain_block').where('number', '=', BigInt(from)).execute()
    await look()
    await look()
    expect(await coin(invoice)).toBe(10n * ONE)
  })

  it('may fail at any call: the work resumes and credits once', async () => {
    const invoices = await Promise.all(Array.from({ length: 6 }, () => opened(10)))
    for (const { address } of invoices) {
      await chain.send(address, token(10n))
      await chain.mine(3)
    }
    await chain.mine(12)
    instance.clock.advance(30_000)
    for (let cut = 1; cut <= 25; cut += 1) {
      let left = cut
      node.tamper = () => {
        left -= 1
        if (left === 0) throw new Error('gone')
      }
      await instance.runJobs().catch(() => undefined)
      instance.clock.advance(1_000)
    }
    node.tamper = undefined
    await look()
    expect(await Promise.all(invoices.map(coin))).toEqual(invoices.map(() => 10n * ONE))
  })
})

describe('forged transfer row', () => {
  const planted = (invoice: Invoice, more: object = {}) => ({
    chain_id: BigInt(chain.chainId),
    tx_hash: `0x${'e'.repeat(64)}`,
    address: invoice.address,
    ordinal: 0,
    token: chain.token,
    exact_amount: String(token(10n)),
    amount: 10n * ONE,
    block: 1n,
    block_time: instance.clock.now(),
    state: 'FINAL',
    ...more,
  })
  const named = async () => (await auditFinalTransfers(db, instance.deps.config)).examples

  it('[I8] credits nothing, neither a new row nor one with a copied or outdated MAC, and the audit reports it', async () => {
    const [thief, honest] = [await opened(10), await opened(10)]
    await chain.send(honest.address, token(10n))
    await blocks(12)
    const { final_mac } = await db
      .selectFrom('chain_transfer')
      .select('final_mac')
      .where('address', '=', honest.address)
      .executeTakeFirstOrThrow()
    expect(await named()).toEqual([])
    for (const mac of [null, Buffer.from('none'), final_mac]) {
      await db
        .insertInto('chain_transfer')
        .values(planted(thief, { final_mac: mac }))
        .execute()
      await wake(thief)
      await look()
      expect([await coin(thief), (await status(thief)).state, (await named()).length]).toEqual([0n, 'awaiting', 1])
      await db.deleteFrom('chain_transfer').where('address', '=', thief.address).execute()
    }
    // Raises a received transfer's amount in the database before its credit.
    const hash = await chain.send(thief.address, token(1n))
    await chain.mine(12)
    instance.clock.advance(12_000)
    for (const sweep of chainJobs(settings, wakeInvoices)) await runJob(db, instance.deps, sweep, 'worker')
    const set = (amount: bigint) => db.updateTable('chain_transfer').set({ amount }).where('tx_hash', '=', hash).execute()
    await set(1000n * ONE)
    await look()
    expect([await coin(thief), (await named()).length]).toEqual([0n, 1])
    await set(ONE)
    await wake(thief)
    await look()
    expect([await coin(thief), await named()]).toEqual([ONE, []])
  })

  it('[I8] is corrected by a rescan, and the credit is the amount that the watcher found', async () => {
    const invoice = await opened(10)
    const from = await head()
    const hash = await chain.send(invoice.address, token(10n))
    await db
      .insertInto('chain_transfer')
      .values(planted(invoice, { tx_hash: hash, amount: 900n * ONE }))
      .execute()
    await blocks(12)
    expect([await coin(invoice), await named()]).toEqual([10n * ONE, []])
    await db.updateTable('chain_transfer').set({ final_mac: null }).where('tx_hash', '=', hash).execute()
    expect(await named()).toHaveLength(1)
    await rescan(settings, (work) => inTransaction(db, work), from, instance.clock.now())
    await look()
    expect([await coin(invoice), await named()]).toEqual([10n * ONE, []])
  })

  it('[I8] is not credited by two approvals, whether it was inserted as held or raised later', async () => {
    const [thief, late] = [await opened(10), await opened(10, 'usd')]
    await chain.send(late.address, token(3n))
    await blocks(12)
    const { id } = await db.selectFrom('deposit').select('id').where('public_id', '=', thief.id).executeTakeFirstOrThrow()
    const held = { held: 'OTHER_TOKEN', held_at: instance.clock.now(), usd_amount: 500n * ONE }
    await db
      .insertInto('invoice_transfer')
      .values({
        transfer_key: `planted-${thief.id}`,
        deposit_id: id,
        asset: 'USD',
        amount: 500n * ONE,
        tx_hash: '0x0',
        block_time: BEGIN,
        confirmations: 12,
        ...held,
      })
      .execute()
    const late_id = (await db.selectFrom('deposit').select('id').where('public_id', '=', late.id).executeTakeFirstOrThrow()).id
    const set = (to: { amount?: bigint; asset?: string }) =>
      db.updateTable('invoice_transfer').set(to).where('deposit_id', '=', late_id).execute()
    for (const [invoice, forged] of [
      [thief, {}],
      [late, { amount: 300n * ONE }],
      [late, { asset: 'USD' }],
    ] as const) {
      if (invoice === late) await set(forged)
      const [first, second] = await staffPair()
      expect(await approve(invoice, first)).toBe('waits-for-second')
      await expect(approve(invoice, second)).rejects.toMatchObject({ code: 'TRANSFER_FORGED' })
      expect([await coin(invoice), await usd(invoice)]).toEqual([0n, 0n])
      await db
        .updateTable('deposit')
        .set({ first_approved_by: null, first_approved_at: null, first_mac: null })
        .where('public_id', '=', invoice.id)
        .execute()
      await set({ amount: 3n * ONE, asset: 'COIN' })
    }
    await db.deleteFrom('invoice_transfer').where('deposit_id', '=', id).execute()
    await decide(late, 'approve')
    expect(await coin(late)).toBe(3n * ONE)
  })

  it('[I8] does not increase an incoming amount or change its token', async () => {
    const invoice = await opened(10)
    const key = (hash: string) => [chain.chainId, hash, chain.token, invoice.address, 0].join(':')
    const hash = await chain.send(invoice.address, token(10n))
    const { id } = await db.selectFrom('deposit').select('id').where('public_id', '=', invoice.id).executeTakeFirstOrThrow()
    const row = { deposit_id: id, amount: 10n * ONE, tx_hash: hash, block_time: BEGIN, confirmations: 12 }
    await db
      .insertInto('invoice_transfer')
      .values({ transfer_key: key(hash), asset: 'USD', ...row })
      .execute()
    await blocks(12)
    expect([await coin(invoice), await usd(invoice)]).toEqual([10n * ONE, 0n])
  })

  it('[I8] has no effect when it is inserted between the scan and the credit', async () => {
    const invoice = await opened(10)
    await db.transaction().execute(async (tx) => {
      const deposit = await tx.selectFrom('deposit').selectAll().where('public_id', '=', invoice.id).executeTakeFirstOrThrow()
      await tx
        .insertInto('invoice_transfer')
        .values({
          transfer_key: 'between',
          deposit_id: deposit.id,
          asset: 'COIN',
          amount: 10n * ONE,
          tx_hash: '0x0',
          block_time: BEGIN,
          confirmations: 12,
        })
        .execute()
      const rows = await tx.selectFrom('invoice_transfer').selectAll().where('deposit_id', '=', deposit.id).execute()
      expect(await settleFinal(tx, instance.deps, deposit, rows, [])).toBe(false)
      await tx.deleteFrom('invoice_transfer').where('deposit_id', '=', deposit.id).execute()
    })
    expect(await coin(invoice)).toBe(0n)
  })
})

describe('payment to an address without an invoice', () => {
  const addressAt = depositAddresses(settings.xpub)
  const claim = (member: TestMember, address: string) =>
    inTransaction(db, (tx) => claimAddress(tx, instance.deps, { memberId: member.id, address }))
  let keyIndexes = 7_000_000
  /** Stores an address as a recovery does, and pays to it. */
  async function lostAddress(...payments: [bigint, string?][]): Promise<string> {
    const keyIndex = (keyIndexes += 1)
    const address = addressAt(keyIndex)
    await db
      .insertInto('chain_address')
      .values({ address, key_index: BigInt(keyIndex) })
      .execute()
    for (const [whole, contract] of payments) await chain.send(address, token(whole), contract)
    await blocks(13)
    return address
  }

  it('[I8] is credited once to the member named by two people; later and other tokens wait for a decision', async () => {
    const [member, other] = [await createTestMember(db), await createTestMember(db)]
    const address = await lostAddress([30n], [12n], [5n, usdToken])
    const { id: incident } = (await chainIncidents(db)).find(({ kind }) => kind === 'UNCLAIMED') ?? { id: 0n }
    expect(await unclaimedAddresses(db, String(incident))).toEqual([address])
    // A dollar payment decides the token of the invoice.
    expect(await receivedAt(db, instance.deps, address)).toEqual([
      { asset: 'USD', amount: 5n * ONE },
      { asset: 'COIN', amount: 42n * ONE },
    ])
    const id = await claim(member, address)
    for (const who of [member, other]) await expect(claim(who, address)).rejects.toMatchObject({ code: 'CHANGE_OUTDATED' })
    expect(await unclaimedAddresses(db, String(incident))).toEqual([])
    await pass(1)
    const invoice = { member, id, address }
    expect([await usd(invoice), await coin(invoice), (await waiting(invoice))?.reviews.length]).toEqual([5n * ONE, 0n, 2])
    expect(await status(invoice)).toMatchObject({ payment_status: 'completed', reason: 'none' })
    await decide(invoice, 'approve')
    expect([await usd(invoice), await coin(invoice)]).toEqual([5n * ONE, 42n * ONE])
    await pass(60)
    await chain.send(address, token(9n), usdToken)
    await blocks(13)
    expect([await usd(invoice), (await waiting(invoice))?.status]).toEqual([5n * ONE, 'PENDING'])
    await decide(invoice, 'reject')
    expect((await runAudit(db, [...ledgerChecks, ...auditChecks])).filter(({ broken }) => broken > 0)).toEqual([])
  })

  it('[I8] is not credited when it is dust, forged, or no payment of this database', async () => {
    const member = await createTestMember(db)
    const address = await lostAddress()
    await chain.send(address, 10n ** 15n)
    await blocks(13)
    await expect(claim(member, address)).rejects.toMatchObject({ code: 'CHANGE_OUTDATED' })
    await chain.send(address, token(3n))
    await blocks(13)
    const mac = await db
      .selectFrom('chain_transfer')
      .select(['id', 'final_mac'])
      .where('address', '=', address)
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
    const set = (final_mac: Buffer | null) => db.updateTable('chain_transfer').set({ final_mac }).where('id', '=', mac.id).execute()
    await set(null)
    await expect(claim(member, address)).rejects.toMatchObject({ code: 'CHANGE_OUTDATED' })
    await set(mac.final_mac)
    await expect(claim(member, `0x${'9'.repeat(40)}`)).rejects.toMatchObject({ code: 'CHANGE_OUTDATED' })
    expect(await db.selectFrom('deposit').select('id').where('member_id', '=', member.id).execute()).toEqual([])
  })
})

it('[I8] the audit reports a credit without a chain transfer, and one of another amount', async () => {
  const broken = async () => (await runAudit(db, auditChecks)).filter((result) => result.broken > 0).map(({ check }) => check.title)
  const run = (text: string) => db.executeQuery(CompiledQuery.raw(text))
  const plants = [
    [`update chain_transfer set amount = amount + 1`, `update chain_transfer set amount = amount - 1`],
    [`update chain_transfer set state = 'SEEN' where state = 'FINAL'`, `update chain_transfer set state = 'FINAL' where state = 'SEEN'`],
    [`update chain_transfer set ordinal = ordinal + 9`, `update chain_transfer set ordinal = ordinal - 9`],
    [`update chain_address set invoice_id = invoice_id || 'x'`, `update chain_address set invoice_id = left(invoice_id, -1)`],
  ] as const
  for (const [damage, repair] of plants) {
    await run(damage)
    expect(await broken(), damage).toEqual([expect.stringContaining('was final with this amount')])
    await run(repair)
    expect(await broken(), repair).toEqual([])
  }
})

it('[I1] [I2] [I8] leaves the ledger intact, with the balances of the chain', async () => {
  const results = await runAudit(db, [...ledgerChecks, ...auditChecks])
  expect(results.filter((result) => result.broken > 0)).toEqual([])
  const rows = await db.selectFrom('chain_address').select('address').execute()
  for (const { address } of rows) {
    const data = `0x70a08231${address.slice(2).padStart(64, '0')}`
    const held = await Promise.all(
      [chain.token, usdToken].map(async (to) => BigInt(await chain.call<string>('eth_call', { to, data }, 'latest'))),
    )
    const final = await db
      .selectFrom('chain_transfer')
      .select((eb) => eb.fn.sum<string>('exact_amount').as('sum'))
      .where('address', '=', address)
      .where('state', '=', 'FINAL')
      .executeTakeFirst()
    expect(BigInt(final?.sum ?? 0)).toBe(held.reduce((sum, one) => sum + one))
  }
})
