import { randomBytes } from 'node:crypto'
import { parseUnits, type Units } from '@tizara/money'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { searchRuns } from '../../../../../../test/search.ts'
import { startTestChain } from '../../../../../../test/chain/test-chain.ts'
import { tamperingNode } from '../../../../../../test/chain/tampering-node.ts'
import { testApp, type TestApp } from '../../../../test/app.ts'
import { testDatabase } from '../../../../test/database.ts'
import { byOne, createTestMember, fund, type TestMember, confirmPayoutAddress } from '../../../../test/members.ts'
import { fundedWallet, payoutEnvironment } from '../../../../test/sent-payouts.ts'
import { openGeneration } from '../../../gateways/chain/address-generations.ts'
import { generationAt } from '../../../gateways/chain/deposit-address.ts'
import { answerIncident, GAS_LIMIT, keySigner, markRestored, chainNode } from '../../../gateways/chain/index.ts'
import { runJob } from '../../../jobs/job.ts'
import { runChecks } from '../../../ledger/audit.ts'
import { balanceOfSystemAccount, balancesOf, liftLedgerStop, runAudit, stopLedger } from '../../../ledger/index.ts'
import { type Db, inTransaction } from '../../../platform/db/database.ts'
import {
  adoptPaid,
  answerSending,
  approvePayout,
  auditChecks,
  cancelSending,
  costChecks,
  costJob,
  nameTransaction,
  rejectPayout,
  requestBridge,
  requestWithdrawal,
  sendingOf,
  sendingJobs,
  type SendingPorts,
  withdrawalRoutes,
} from '../index.ts'

const u = (text: string): Units => parseUnits(text) ?? 0n
const BEGIN = new Date('2026-03-02T09:00:00Z')
const TO = '0x52908400098527886E0F7030069857D2E4169EE7'
/** Converts units to the test token's smallest units. */
const token = (amount: Units) => amount * 10n ** 10n

const { db } = await testDatabase(12)
const chain = await startTestChain({ at: BEGIN })
const [node, secondNode] = [tamperingNode(chain.url), tamperingNode(chain.url)]
const usdToken = (await chain.deployToken()).toLowerCase()
const coinToken = chain.token.toLowerCase()
afterAll(async () => {
  node.close()
  secondNode.close()
  await chain.stop()
})

let instance: TestApp
let staff: bigint
let wallet = keySigner(randomBytes(32))
let ports: SendingPorts
const used: string[] = []

beforeAll(async () => {
  instance = await testApp(db, {
    routes: withdrawalRoutes,
    env: payoutEnvironment(chain, { coin: coinToken, usd: usdToken }),
  })
  staff = (await createTestMember(db, { role: 'ADMIN' })).id
})

/** Gives every test a new hot wallet, with tokens and gas. */
beforeEach(async () => {
  node.tamper = undefined
  secondNode.tamper = undefined
  wallet = await fundedWallet(
    chain,
    [usdToken, coinToken].map((paid) => ({ token: paid, amount: token(u('100000')) })),
  )
  used.push(wallet.address)
  ports = {
    rpcUrl: node.url,
    secondRpcUrl: secondNode.url,
    signer: () => Promise.resolve(wallet),
    rules: {
      chainId: chain.chainId,
      maxGasPrice: 100_000_000_000n,
      inFlight: 50,
      hourLimits: new Map([
        [usdToken, token(u('1000000'))],
        [coinToken, token(u('1000000'))],
      ]),
      stuckSeconds: 180,
    },
  }
  await emptyLine()
})

/** Checks after every test: the audit passes, each payout ended once, and wallet outflows equal the payouts. */
afterEach(async () => {
  const failing = (await runAudit(db, [...auditChecks, ...costChecks]))
    .filter(({ broken }) => broken > 0)
    .map(({ check, examples }) => [check.title, examples])
  expect(failing).toEqual([])
  const done = await sql<{ token: string; amount: string }>`
    select token, sum(exact_amount)::text as amount from payout_sending where state = 'DONE' group by token`.execute(db)
  for (const { token: paid, amount } of done.rows) expect(await sentBy(paid)).toBe(BigInt(amount))
})

/** Sums transfers of a token from this file's hot wallets, read from the chain. */
async function sentBy(paid: string): Promise<bigint> {
  const topics = [
    '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef',
    used.map((address) => `0x${address.slice(2).padStart(64, '0')}`),
  ]
  const logs = await chain.call<{ data: string }[]>('eth_getLogs', { address: paid, fromBlock: '0x0', toBlock: 'latest', topics })
  return logs.reduce((sum, { data }) => sum + BigInt(data), 0n)
}

/** Cancels payouts queued by the previous test. */
async function emptyLine() {
  await db.updateTable('payout_sending').set({ cancel_asked_at: instance.clock.now() }).where('state', '=', 'QUEUED').execute()
  await round().catch(() => 0)
}

const round = (holder = 'worker') => {
  const [sweep] = sendingJobs(ports)
  if (sweep === undefined) throw new Error('no sweep')
  return runJob(db, instance.deps, sweep, holder)
}
async function rounds(count: number, seconds = 20) {
  for (let made = 0; made < count; made += 1) {
    instance.clock.advance(seconds * 1000)
    await round()
  }
}
/** Mines blocks and runs the sender. */
async function blocks(count: number) {
  await chain.mine(count)
  await rounds(1, 1)
}

interface Payout {
  id: string
  member: TestMember
}
const ask = (kind: 'bridge' | 'withdrawal', memberId: bigint, amount: Units, address: string) =>
  inTransaction(db, (tx) =>
    kind === 'bridge'
      ? requestBridge(tx, instance.deps, { memberId, amount, address, network: 0 })
      : requestWithdrawal(tx, instance.deps, { memberId, amount, address }),
  )
const approve = (payoutId: string, txHash?: string) =>
  inTransaction(db, (tx) => approvePayout(tx, instance.deps, { payoutId, staffId: staff, reason: 'checked', ...byOne, txHash }))

async function filed(amount = '100', { kind = 'bridge', to = TO }: { kind?: 'bridge' | 'withdrawal'; to?: string } = {}): Promise<Payout> {
  const member = await createTestMember(db)
  await fund(db, member.id, kind === 'bridge' ? 'icoWallet' : 'depositWallet', u(amount))
  await confirmPayoutAddress(db, member.id, to)
  const { id } = await ask(kind, member.id, u(amount), to)
  return { id, member }
}
async function approved(amount = '100', where: Parameters<typeof filed>[1] = {}): Promise<Payout> {
  const payout = await filed(amount, where)
  expect(await approve(payout.id)).toBe('approved')
  return payout
}
const decide = ({ id }: Payout, nodeState: 'GIVE_BACK' | 'ARRIVED') =>
  inTransaction(db, (tx) => answerSending(tx, instance.deps, { payoutId: id, answer: nodeState }))
const cancel = ({ id }: Payout, kind: 'bridge' | 'withdrawal' = 'bridge') =>
  inTransaction(db, (tx) => cancelSending(tx, instance.deps, { id, kind }))
const request = ({ id }: Payout) => db.selectFrom('payout_request').selectAll().where('public_id', '=', id).executeTakeFirstOrThrow()
const sending = async (payout: Payout) =>
  db
    .selectFrom('payout_sending')
    .selectAll()
    .where('request_id', '=', (await request(payout)).id)
    .executeTakeFirstOrThrow()
const stateOf = async (payout: Payout) => (await sending(payout)).state
/** Sets a market price just above the fee of a payout's first transaction. */
async function raiseMarket(payout: Payout) {
  const [made] = await transactions(payout)
  const price = `0x${(BigInt(made?.gas_price ?? 0) + 1n).toString(16)}`
  const before = node.tamper
  node.tamper = (call, answer) => (call.method === 'eth_gasPrice' ? price : before?.(call, answer))
}
const transactions = async (payout: Payout) =>
  db
    .selectFrom('signed_transaction')
    .selectAll()
    .where('request_id', '=', (await request(payout)).id)
    .orderBy('made_at')
    .execute()
const coinOf = async ({ member }: Payout) => (await balancesOf(db, member.id)).icoWallet
const receivedAt = (address: string, which = coinToken) =>
  chain
    .call<string>('eth_call', { to: which, data: `0x70a08231${address.slice(2).toLowerCase().padStart(64, '0')}` }, 'latest')
    .then(BigInt)
/** New receiver per test, so that its balance comes from this test alone. */
const someone = () => `0x${randomBytes(20).toString('hex')}`
const plus = (quantity: string, more: number) => `0x${(Number(quantity) + more).toString(16)}`
/** Lets the node invent blocks above the head. */
const inventedHead: typeof node.tamper = async ({ method, params }, answer) => {
  if (method !== 'eth_getBlockByNumber' || params[0] !== 'latest') return undefined
  const head = (await answer()) as { number: string }
  return { ...head, number: plus(head.number, 11) }
}
/** Intercepts calls that send transactions to the node. */
const onSend = (what: (answer: () => Promise<unknown>) => unknown) => {
  node.tamper = (call, answer) => (call.method === 'eth_sendRawTransaction' ? what(answer) : undefined)
}

describe('approved payout', () => {
  it('[MF-04] arrives, and is final at twelve confirmations, not at eleven', async () => {
    const to = someone()
    const payout = await approved('100', { to })
    expect(await stateOf(payout)).toBe('QUEUED')
    // The payout is signed and sent.
    expect(await round()).toBe(2)
    expect(await sending(payout)).toMatchObject({ state: 'SIGNED', nonce: 0n, wallet: wallet.address })
    await blocks(1)
    const hash = (await transactions(payout))[0]?.hash
    expect([await stateOf(payout), (await request(payout)).tx_hash]).toEqual(['MINED', hash])
    await blocks(10)
    expect(await stateOf(payout)).toBe('MINED')
    await blocks(1)
    expect(await stateOf(payout)).toBe('DONE')
    expect(await receivedAt(to)).toBe(token((await request(payout)).received))
    const [paid] = await transactions(payout)
    expect(BigInt(paid?.gas_paid ?? 0)).toBeGreaterThan(0n)
  })

  it('[MF-03] is paid in the token of USD without its fees', async () => {
    const to = someone()
    const payout = await approved('200', { kind: 'withdrawal', to })
    await round()
    await blocks(12)
    const { received, amount } = await request(payout)
    expect(received).toBeLessThan(amount)
    expect([await receivedAt(to, usdToken), await receivedAt(to)]).toEqual([token(received), 0n])
  })

  it('is not sent when its transaction was entered by hand, or its network is paid by hand', async () => {
    const payout = await filed('100')
    await approve(payout.id, `0x${'a'.repeat(64)}`)
    expect(
      await db
        .selectFrom('payout_sending')
        .selectAll()
        .where('request_id', '=', (await request(payout)).id)
        .execute(),
    ).toEqual([])
    const sent = await approved('100')
    const named = { id: sent.id, kind: 'bridge' as const, txHash: `0x${'b'.repeat(64)}` }
    await expect(inTransaction(db, (tx) => nameTransaction(tx, instance.deps, named))).rejects.toMatchObject({ code: 'ALREADY_DECIDED' })
  })

  it("is not sent to token contracts or the platform's addresses", async () => {
    for (const to of [coinToken, usdToken]) {
      const payout = await filed('100', { to })
      await expect(approve(payout.id)).rejects.toMatchObject({ code: 'INVALID_ADDRESS' })
      expect((await request(payout)).status).toBe('PENDING')
      await inTransaction(db, (tx) => rejectPayout(tx, instance.deps, { payoutId: payout.id, staffId: staff, reason: 'contract' }))
    }
  })
})

describe('payout is paid once', () => {
  it('after a stop between signing and sending, by the same transaction', async () => {
    const to = someone()
    const payout = await approved('100', { to })
    onSend(() => Promise.reject(new Error('connection lost')))
    await round()
    const [signed] = await transactions(payout)
    node.tamper = undefined
    await rounds(2)
    await blocks(12)
    expect((await transactions(payout)).map(({ hash }) => hash)).toEqual([signed?.hash])
    expect([await stateOf(payout), await receivedAt(to)]).toEqual(['DONE', token(u('100'))])
  })

  it('with an interruption at each of its calls in turn', async () => {
    const receivers = Array.from({ length: 6 }, someone)
    const payouts: Payout[] = []
    for (const to of receivers) payouts.push(await approved('100', { to }))
    for (let cut = 1; cut <= 40; cut += 1) {
      let left = cut % 14
      node.tamper = async (_, answer) => {
        left -= 1
        if (left > 0) return undefined
        // The node received every second transaction before the crash.
        if (cut % 2 === 0) await answer()
        throw new Error('gone')
      }
      instance.clock.advance(20_000)
      await round().catch(() => undefined)
      if (cut % 4 === 0) await chain.mine(1)
    }
    node.tamper = undefined
    await rounds(2)
    await blocks(12)
    expect(await Promise.all(payouts.map(stateOf))).toEqual(payouts.map(() => 'DONE'))
    for (const to of receivers) expect(await receivedAt(to)).toBe(token(u('100')))
  })

  it('after a lost answer, when the resent transaction is already known', async () => {
    const to = someone()
    const payout = await approved('100', { to })
    let taken = 0
    onSend(async (answer) => {
      await answer()
      taken += 1
      throw new Error('gateway time-out')
    })
    await round()
    node.tamper = undefined
    expect(taken).toBe(1)
    await rounds(2)
    await blocks(12)
    expect([await stateOf(payout), await receivedAt(to)]).toEqual(['DONE', token(u('100'))])
  })

  it('when the node drops it, by sending it again', async () => {
    const to = someone()
    const payout = await approved('100', { to })
    await round()
    await chain.call('anvil_dropTransaction', (await transactions(payout))[0]?.hash)
    await chain.mine(3)
    expect(await stateOf(payout)).toBe('SIGNED')
    await rounds(2)
    await blocks(12)
    expect([await stateOf(payout), await receivedAt(to)]).toEqual(['DONE', token(u('100'))])
  })

  it('when it is stuck, by a replacement with the same nonce and one eighth more', async () => {
    const to = someone()
    const payout = await approved('100', { to })
    await round()
    await raiseMarket(payout)
    instance.clock.advance(200_000)
    // The sender signs and sends a replacement.
    expect(await round()).toBe(2)
    const signed = await transactions(payout)
    expect(signed).toHaveLength(2)
    const [first, second] = signed.map(({ gas_price: price }) => BigInt(price))
    expect((second ?? 0n) * 8n).toBeGreaterThanOrEqual((first ?? 0n) * 9n)
    await rounds(1)
    await blocks(12)
    expect([await stateOf(payout), await receivedAt(to)]).toEqual(['DONE', token(u('100'))])
    expect((await sending(payout)).nonce).toBe(0n)
  })

  it('when it is stuck, without a replacement if the fee would exceed the limit, to the wei', async () => {
    const payout = await approved('100', { to: someone() })
    await round()
    const [made] = await transactions(payout)
    const price = BigInt(made?.gas_price ?? 0)
    const minReplacementFee = price + (price + 7n) / 8n
    await raiseMarket(payout)
    for (const [maxGasPrice, signed] of [
      [minReplacementFee - 1n, 1],
      [minReplacementFee, 2],
    ] as const) {
      ports.rules = { ...ports.rules, maxGasPrice }
      await rounds(1, 200)
      expect(await transactions(payout)).toHaveLength(signed)
    }
    await rounds(1)
    await blocks(12)
    expect(await stateOf(payout)).toBe('DONE')
  })

  it('[I7] when cancelled any number of times while the clock runs, with one timestamp per action', async () => {
    let ticks = 0
    const clock = { now: () => new Date(instance.clock.now().getTime() + (ticks += 1)) }
    for (let time = 0; time < 8; time += 1) {
      const { id } = await approved('100', { to: someone() })
      expect(await inTransaction(db, (tx) => cancelSending(tx, { ...instance.deps, clock }, { id, kind: 'bridge' }))).toBe('returned')
    }
    // The audit after each test requires equal times.
    expect(ticks).toBeGreaterThan(8)
  })

  it('when a reorg removes its block, which puts it back to sent', async () => {
    const to = someone()
    const payout = await approved('100', { to })
    await round()
    await blocks(4)
    expect(await stateOf(payout)).toBe('MINED')
    await chain.call('anvil_reorg', 4, [])
    await rounds(1)
    expect([await stateOf(payout), (await request(payout)).tx_hash]).toEqual(['SIGNED', null])
    await rounds(1)
    await blocks(12)
    expect([await stateOf(payout), await receivedAt(to)]).toEqual(['DONE', token(u('100'))])
  })

  it('with two workers and more payouts than may be in flight: each nonce and each receiver once', async () => {
    const most = searchRuns({ short: 12, long: 50 })
    ports.rules = { ...ports.rules, inFlight: most }
    const count = 2 * most
    const receivers = Array.from({ length: count }, someone)
    const payouts: Payout[] = []
    for (const to of receivers) payouts.push(await approved('100', { to }))
    const all = () => Promise.all([round('one'), round('two'), round('one'), round('two')])
    await all()
    expect(await inFlight()).toBe(most)
    await chain.mine(12)
    await all()
    await rounds(2)
    await blocks(12)
    const ended: Awaited<ReturnType<typeof sending>>[] = []
    for (const payout of payouts) ended.push(await sending(payout))
    expect(ended.map(({ state }) => state)).toEqual(payouts.map(() => 'DONE'))
    expect(new Set(ended.map(({ nonce }) => nonce)).size).toBe(count)
    for (const to of receivers) expect(await receivedAt(to)).toBe(token(u('100')))
  })

  it('when its second source is silent or disagrees, and final only when both agree', async () => {
    const payout = await approved('100', { to: someone() })
    await round()
    await chain.mine(12)
    secondNode.tamper = ({ method }) => (method === 'eth_getTransactionReceipt' ? null : undefined)
    await rounds(1)
    expect(await stateOf(payout)).not.toBe('DONE')
    secondNode.tamper = undefined
    await rounds(1)
    expect(await stateOf(payout)).toBe('DONE')
  })

  it('when its node reports gas that was never signed, which is not stored', async () => {
    const payout = await approved('100', { to: someone() })
    await round()
    await chain.mine(12)
    for (const more of [{ gasUsed: '0x1d4c1' }, { gasUsed: '0x7fffffffffffffffff' }, { effectiveGasPrice: '0xffffffffffffffff' }]) {
      node.tamper = async ({ method }, answer) =>
        method === 'eth_getTransactionReceipt' ? { ...((await answer()) as object), ...more } : undefined
      await rounds(1)
      expect((await sending(payout)).problem).toContain('more gas than signed')
      expect(await stateOf(payout)).toBe('SIGNED')
    }
    node.tamper = undefined
    await rounds(1)
    expect(await stateOf(payout)).toBe('DONE')
  })

  it('when its node invents blocks or omits its transfer, because the second source is checked', async () => {
    const payout = await approved('100', { to: someone() })
    await round()
    await chain.mine(1)
    node.tamper = inventedHead
    await rounds(1)
    expect(await stateOf(payout)).toBe('MINED')
    await chain.mine(11)
    node.tamper = async ({ method }, answer) =>
      method === 'eth_getTransactionReceipt' ? { ...((await answer()) as object), logs: [] } : undefined
    await rounds(1)
    expect(await sending(payout)).toMatchObject({ state: 'MINED', problem: null })
    node.tamper = undefined
    await rounds(1)
    expect(await stateOf(payout)).toBe('DONE')
  })
})

describe('money is returned only with proof', () => {
  it('at once while nothing is signed, in full and once', async () => {
    const payout = await approved('100')
    await cancel(payout)
    await expect(cancel(payout)).rejects.toMatchObject({ code: 'ALREADY_DECIDED' })
    await rounds(2)
    expect(await request(payout)).toMatchObject({ status: 'REJECTED', tx_hash: null })
    expect([await stateOf(payout), await coinOf(payout)]).toEqual(['CANCELLED', u('100')])
    expect(await transactions(payout)).toEqual([])
  })

  it('never for a payout that is not approved, whatever its sending row says', async () => {
    const payout = await approved('100')
    const before = await coinOf(payout)
    await db.updateTable('payout_request').set({ status: 'REJECTED' }).where('public_id', '=', payout.id).execute()
    await expect(cancel(payout)).rejects.toThrow()
    expect(await coinOf(payout)).toBe(before)
    await db.updateTable('payout_request').set({ status: 'APPROVED' }).where('public_id', '=', payout.id).execute()
    await cancel(payout)
    expect(await coinOf(payout)).toBe(u('100'))
  })

  it('after signing only when the cancellation is 12 deep, and not when the payment was mined first', async () => {
    const [won, lost] = [await approved('100', { to: someone() }), await approved('100', { to: someone() })]
    onSend(() => Promise.reject(new Error('connection lost')))
    await round()
    await cancel(won)
    await rounds(1)
    expect(await coinOf(won)).toBe(0n)
    node.tamper = undefined
    // The other one's payment is mined before its cancellation request.
    await rounds(2)
    await chain.mine(1)
    await cancel(lost)
    await rounds(1)
    await blocks(10)
    expect([await stateOf(won), await coinOf(won)]).toEqual(['MINED', 0n])
    await blocks(2)
    expect([await stateOf(won), await coinOf(won)]).toEqual(['CANCELLED', u('100')])
    expect([await stateOf(lost), await coinOf(lost)]).toEqual(['DONE', 0n])
    expect((await transactions(won)).map(({ purpose }) => purpose)).toEqual(['PAYMENT', 'CANCEL'])
  })

  it('for a payment that failed on the chain, with its fees', async () => {
    const code = await chain.call<string>('eth_getCode', usdToken, 'latest')
    const payout = await approved('200', { kind: 'withdrawal', to: someone() })
    await round()
    await chain.call('anvil_setCode', usdToken, '0x60006000fd')
    await chain.mine(1)
    await chain.call('anvil_setCode', usdToken, code)
    await rounds(1)
    await blocks(10)
    expect((await balancesOf(db, payout.member.id)).depositWallet).toBe(0n)
    await blocks(1)
    expect([await stateOf(payout), (await balancesOf(db, payout.member.id)).depositWallet]).toEqual(['FAILED', u('200')])
    expect((await request(payout)).tx_hash).toBeNull()
    await blocks(20)
    expect((await balancesOf(db, payout.member.id)).depositWallet).toBe(u('200'))
  })

  it('for a failed payment at the required depth in the second source, and not to a changed request', async () => {
    const code = await chain.call<string>('eth_getCode', usdToken, 'latest')
    const payout = await approved('200', { kind: 'withdrawal', to: someone() })
    const was = await request(payout)
    const other = await createTestMember(db)
    const change = (row: object) => db.updateTable('payout_request').set(row).where('id', '=', was.id).execute()
    await round()
    await chain.call('anvil_setCode', usdToken, '0x60006000fd')
    await chain.mine(1)
    await chain.call('anvil_setCode', usdToken, code)
    node.tamper = inventedHead
    await rounds(1)
    expect(await stateOf(payout)).toBe('MINED')
    node.tamper = undefined
    await change({ member_id: other.id })
    await blocks(12)
    expect(await sending(payout)).toMatchObject({ state: 'MINED', problem: 'the row was modified after its approval' })
    expect((await balancesOf(db, other.id)).depositWallet).toBe(0n)
    await change({ member_id: was.member_id })
    await rounds(1)
    expect([await stateOf(payout), (await balancesOf(db, payout.member.id)).depositWallet]).toEqual(['FAILED', u('200')])
  })

  it('never for a payment that arrived at an address other than its row now has, whatever staff resolve', async () => {
    const payout = await approved('100', { to: someone() })
    const { request_id: id, to_address: to } = await sending(payout)
    const change = (row: object) => db.updateTable('payout_sending').set(row).where('request_id', '=', id).execute()
    await round()
    await change({ to_address: someone() })
    await blocks(12)
    await change({ answer: 'GIVE_BACK' })
    await rounds(1)
    expect(await sending(payout)).toMatchObject({ state: 'MINED', problem: 'the row was modified after its approval' })
    expect(await coinOf(payout)).toBe(0n)
    await change({ to_address: to })
    await rounds(1)
    expect([await stateOf(payout), await coinOf(payout)]).toEqual(['DONE', 0n])
    await change({ answer: null })
  })

  it('never for a payment that arrived, even if its row claims a cancellation or a failed transaction', async () => {
    const payout = await approved('100', { to: someone() })
    const { request_id: id } = await sending(payout)
    await round()
    const [made] = await transactions(payout)
    const change = (row: object, tx: Db = db) => tx.updateTable('signed_transaction').set(row).where('request_id', '=', id).execute()
    await expect(change({ purpose: 'CANCEL' })).rejects.toThrow('append-only')
    await expect(change({ hash: '0x0' })).rejects.toThrow('append-only')
    await expect(sql`delete from signed_transaction where request_id = ${id}`.execute(db)).rejects.toThrow('append-only')
    /** Edits rows as the database owner. */
    const force = (row: object) =>
      inTransaction(db, async (tx) => {
        await sql`set local session_replication_role = replica`.execute(tx)
        await change(row, tx)
      })
    const [poor = ''] = (await chain.call<string[]>('eth_accounts')).slice(-1)
    const data = `0xa9059cbb${'0'.repeat(63)}1${'f'.repeat(64)}`
    const failing = await chain.call<string>('eth_sendTransaction', { from: poor, to: coinToken, data, gas: '0x20000' })
    await force({ hash: failing })
    await db.updateTable('payout_sending').set({ cancel_asked_at: instance.clock.now() }).where('request_id', '=', id).execute()
    await blocks(12)
    expect(await sending(payout)).toMatchObject({ state: 'MINED', problem: 'the row was modified after its approval' })
    await force({ hash: made?.hash, purpose: 'CANCEL' })
    await rounds(1)
    expect([await stateOf(payout), await coinOf(payout)]).toEqual(['DONE', 0n])
    await force({ purpose: 'PAYMENT' })
  })

  it('never for a token that reports success without paying, which staff have to resolve', async () => {
    const code = await chain.call<string>('eth_getCode', usdToken, 'latest')
    const payout = await approved('200', { kind: 'withdrawal', to: someone() })
    await round()
    await chain.call('anvil_setCode', usdToken, '0x00')
    await chain.mine(1)
    await chain.call('anvil_setCode', usdToken, code)
    await blocks(14)
    expect(await sending(payout)).toMatchObject({ state: 'MINED', problem: 'the transaction succeeded without the transfer' })
    expect((await sendingOf(db, instance.deps, payout.id))?.answers).toEqual(['GIVE_BACK', 'ARRIVED'])
    await decide(payout, 'GIVE_BACK')
    const decided = await sendingOf(db, instance.deps, payout.id)
    expect([decided?.answers, decided?.answer]).toEqual([undefined, 'GIVE_BACK'])
    await rounds(1)
    expect(await stateOf(payout)).toBe('FAILED')
    expect((await balancesOf(db, payout.member.id)).depositWallet).toBe(u('200'))
    await expect(decide(payout, 'ARRIVED')).rejects.toThrow('have changed since')
  })
})

describe('network cost', () => {
  const book = (price = '600', holder = 'worker') => runJob(db, instance.deps, costJob(u(price)), holder)
  const gas = async () => [await balanceOfSystemAccount(db, 'SYS-GAS', 'USD'), await balanceOfSystemAccount(db, 'SYS-OPERATOR', 'USD')]

  it('[MF-04] is booked once per ended payout, however it ended, and equals the loss of the wallet', async () => {
    await book()
    const [before = 0n, owed = 0n] = await gas()
    const [paid, swapped] = [await approved('200', { kind: 'withdrawal', to: someone() }), await approved('100', { to: someone() })]
    onSend(() => Promise.reject(new Error('connection lost')))
    await round()
    await raiseMarket(swapped)
    await rounds(1, 200)
    const [first, second] = (await transactions(swapped)).map(({ raw }) => raw)
    // The first of two transactions with one nonce is mined and, after a reorganisation, the second, between two rounds.
    await chain.call('eth_sendRawTransaction', (await transactions(paid))[0]?.raw)
    await chain.call('eth_sendRawTransaction', first)
    await blocks(1)
    expect([await stateOf(swapped), await book()]).toEqual(['MINED', 0])
    const kept = (await transactions(paid))[0]?.raw
    await chain.call('anvil_reorg', 1, [
      [kept, 0],
      [second, 0],
    ])
    await rounds(1)
    expect((await transactions(swapped)).map(({ block }) => block !== null)).toEqual([false, true])
    node.tamper = undefined
    const undone = await approved('100', { to: someone() })
    onSend(() => Promise.reject(new Error('connection lost')))
    await round()
    await cancel(undone)
    await rounds(1)
    node.tamper = undefined
    await rounds(1)
    await blocks(12)
    expect(await Promise.all([paid, swapped, undone].map(stateOf))).toEqual(['DONE', 'DONE', 'CANCELLED'])
    await Promise.all([book('600', 'one'), book('600', 'two')])
    // A changed price does not affect booked costs.
    expect(await book('700')).toBe(0)
    const lacks = 10n ** 18n - BigInt(await chain.call<string>('eth_getBalance', wallet.address, 'latest'))
    const hashes = (await Promise.all([paid, swapped, undone].map(transactions))).flat().map(({ hash }) => hash)
    const booked = await db.selectFrom('network_cost').selectAll().where('hash', 'in', hashes).execute()
    expect(booked).toHaveLength(3)
    expect(booked.reduce((sum, { wei }) => sum + BigInt(wei), 0n)).toBe(lacks)
    const worth = booked.reduce((sum, { usd }) => sum + usd, 0n)
    // Each cost is rounded up, by at most one unit.
    expect(worth - (lacks * u('600')) / 10n ** 18n).toBeLessThanOrEqual(3n)
    expect(worth * 10n ** 18n).toBeGreaterThanOrEqual(lacks * u('600'))
    expect(await gas()).toEqual([before + worth, owed - worth])
  })

  it('is booked for the first sweep, although later payouts are booked already', async () => {
    await approved('100', { to: someone() })
    await round()
    await blocks(12)
    await book()
    const ended = new Date(instance.clock.now().getTime() - 3 * 86_400_000)
    const address = someone()
    await db.insertInto('chain_address').values({ address, key_index: 2_000_000n, invoice_id: 'of a move' }).execute()
    await sql`with one as (
        insert into chain_move (chain_id, kind, wallet, nonce, address, to_address, token, amount, state, made_at, ended_at)
        values (${chain.chainId}, 'SWEEP', ${address}, 0, ${address}, ${wallet.address}, ${coinToken}, 1, 'DONE', ${ended}, ${ended}) returning id)
      insert into signed_transaction (hash, move_id, raw, gas_price, made_at, block, block_hash, gas_paid)
      select '0xa1', id, '', 1, ${ended}, 1, '0x', 1000000000000 from one`.execute(db)
    await book()
    const cost = await db.selectFrom('network_cost').select(['source', 'wei']).where('hash', '=', '0xa1').executeTakeFirst()
    expect(cost).toEqual({ source: 'MOVE', wei: '1000000000000' })
  })

  it('[I7] is reported by the audit when rewritten, missing or without a transaction', async () => {
    const undone = new Error('undone')
    const storedRows = async (damage: string) => {
      let broken = 0
      const tried = inTransaction(db, async (tx) => {
        await sql.raw(damage).execute(tx)
        broken = (await runChecks(tx, costChecks)).filter((one) => one.broken > 0).length
        throw undone
      })
      await expect(tried).rejects.toBe(undone)
      return broken
    }
    const newest = 'hash = (select hash from network_cost where usd > 0 order by ended_at desc, hash limit 1)'
    for (const damage of [
      `update network_cost set usd = usd + 1 where ${newest}`,
      `update network_cost set wei = wei + 1000000000000 where ${newest}`,
      `delete from network_cost where ${newest}`,
      `insert into network_cost select '0x0', source, wei, price, usd, ended_at, booked_at from network_cost where ${newest}`,
      `update network_cost set ended_at = ended_at + interval '3 days', booked_at = booked_at + interval '3 days' where ${newest}`,
    ])
      expect(await storedRows(damage), damage).toBeGreaterThan(0)
  })
})

describe('audit', () => {
  it('[I7] reports a rewritten amount, transaction or end of a sent payout', async () => {
    const payout = await approved('100', { to: someone() })
    await round()
    await blocks(12)
    expect(await stateOf(payout)).toBe('DONE')
    const { id } = await request(payout)
    const ofIt = `where request_id = ${id}`
    const damages = [
      `update payout_sending set exact_amount = exact_amount * 2 + 1 ${ofIt}`,
      `update payout_sending set exact_amount = exact_amount * 10 ${ofIt}`,
      `update payout_sending set nonce = nonce * 2 + 1 ${ofIt}`,
      `update payout_sending set to_address = '${someone()}' ${ofIt}`,
      `update payout_sending set token = '${usdToken}' ${ofIt}`,
      `update payout_sending set state = 'CANCELLED', cancel_asked_at = now() ${ofIt}`,
      `update signed_transaction set gas_price = gas_price * 2 + 1 ${ofIt}`,
      `update signed_transaction set gas_paid = gas_paid * 200 + 1 ${ofIt}`,
      `update signed_transaction set gas_used = null ${ofIt}`,
      `update signed_transaction set block = null, block_hash = null ${ofIt}`,
      `update hot_wallet set next_nonce = next_nonce * 2 + 1 where address = '${wallet.address}'`,
      `delete from hot_wallet where address = '${wallet.address}'`,
      `update payout_request set tx_hash = '0x${'9'.repeat(64)}' where id = ${id}`,
      `update payout_request set status = 'REJECTED', returned_at = now() where id = ${id}`,
    ]
    for (const damage of damages) {
      const broken = await db
        .transaction()
        .execute(async (tx) => {
          await sql`set local session_replication_role = replica`.execute(tx)
          await sql.raw(damage).execute(tx)
          const found = (await runChecks(tx, auditChecks)).filter((result) => result.broken > 0)
          throw Object.assign(new Error('undo'), { found })
        })
        .catch((error: Error & { found?: unknown[] }) => {
          if (error.found === undefined) throw error
          return error.found
        })
      expect(broken, damage).not.toEqual([])
    }
  })
})

describe('nothing is signed', () => {
  it('that differs from the approval, or has none', async () => {
    const thief = someone()
    const payout = await approved('100')
    const { request_id: id } = await sending(payout)
    for (const change of [{ to_address: thief }, { exact_amount: '1' }, { token: usdToken }, { approval_mac: Buffer.from('none') }]) {
      const was = await sending(payout)
      await db.updateTable('payout_sending').set(change).where('request_id', '=', id).execute()
      await round()
      expect(await sending(payout)).toMatchObject({ state: 'QUEUED', problem: 'the row was modified after its approval' })
      const { to_address, exact_amount, token: paid, approval_mac } = was
      await db
        .updateTable('payout_sending')
        .set({ to_address, exact_amount, token: paid, approval_mac })
        .where('request_id', '=', id)
        .execute()
    }
    await round()
    expect(await stateOf(payout)).toBe('SIGNED')
    await blocks(12)
  })

  it('again with another nonce: a payout keeps its nonce, whatever is written to the database', async () => {
    const payout = await approved('100', { to: someone() })
    await round()
    await blocks(12)
    const { request_id: id } = await sending(payout)
    for (const damage of [
      `update payout_sending set state = 'QUEUED', wallet = null, nonce = null, signed_at = null, ended_at = null`,
      `update payout_sending set nonce = nonce + 1`,
      `delete from payout_sending`,
    ])
      await expect(sql.raw(`${damage} where request_id = ${id}`).execute(db)).rejects.toThrow('is signed under one number')
    await rounds(1)
    expect([await stateOf(payout), await receivedAt((await sending(payout)).to_address)]).toEqual(['DONE', token(u('100'))])
  })

  it('a second time for another receiver: a replacement must match the approval', async () => {
    const payout = await approved('100')
    await round()
    const was = await sending(payout)
    const change = (row: { to_address: string }) =>
      db.updateTable('payout_sending').set(row).where('request_id', '=', was.request_id).execute()
    await change({ to_address: someone() })
    await rounds(1, 200)
    expect(await transactions(payout)).toHaveLength(1)
    expect((await sending(payout)).problem).toBe('the row was modified after its approval')
    await change({ to_address: was.to_address })
    await rounds(2)
    await blocks(12)
    expect(await stateOf(payout)).toBe('DONE')
  })

  it('while the wallet lacks tokens or gas, or gas is too expensive; it continues automatically', async () => {
    const payout = await approved('100')
    const problem = async () => (await sending(payout)).problem
    await chain.call('anvil_setBalance', wallet.address, '0x1')
    await round()
    expect(await problem()).toContain('native coin')
    await chain.call('anvil_setBalance', wallet.address, '0xde0b6b3a7640000')
    ports.rules = { ...ports.rules, maxGasPrice: 1n }
    await round()
    expect(await problem()).toContain('above the maximum')
    ports.rules = { ...ports.rules, maxGasPrice: 100_000_000_000n }
    const rich = wallet
    wallet = keySigner(randomBytes(32))
    used.push(wallet.address)
    await chain.call('anvil_setBalance', wallet.address, '0xde0b6b3a7640000')
    await round()
    expect(await problem()).toContain('too little of the token')
    wallet = rich
    await round()
    await blocks(12)
    expect(await sending(payout)).toMatchObject({ state: 'DONE', problem: null })
  })

  it('beyond the gas in the wallet, to the wei', async () => {
    const payouts = [await approved('100'), await approved('50')]
    for (const [less, states] of [
      [1n, ['QUEUED', 'QUEUED']],
      [0n, ['SIGNED', 'QUEUED']],
    ] as const) {
      const one = GAS_LIMIT * BigInt(await chain.call<string>('eth_gasPrice')) - less
      await chain.call('anvil_setBalance', wallet.address, `0x${one.toString(16)}`)
      await round()
      expect(await Promise.all(payouts.map(stateOf))).toEqual(states)
    }
    await chain.call('anvil_setBalance', wallet.address, '0xde0b6b3a7640000')
    await rounds(2)
    await blocks(12)
    expect(await Promise.all(payouts.map(stateOf))).toEqual(['DONE', 'DONE'])
  })

  it('beyond the hourly limit, later payouts included', async () => {
    ports.rules = { ...ports.rules, hourLimits: new Map([[coinToken, (await signedWithinHour()) + token(u('250'))]]) }
    const payouts = [await approved('200'), await approved('100'), await approved('50')]
    await round()
    expect(await Promise.all(payouts.map(stateOf))).toEqual(['SIGNED', 'QUEUED', 'QUEUED'])
    expect((await sending(payouts[1] as Payout)).problem).toContain('hourly limit')
    await rounds(1, 3_700)
    expect(await Promise.all(payouts.map(stateOf))).toEqual(['SIGNED', 'SIGNED', 'SIGNED'])
    await rounds(1)
    await blocks(12)
  })

  it('while the key was used elsewhere, or the database is older than the chain', async () => {
    const payout = await approved('100')
    await round()
    await blocks(12)
    expect(await stateOf(payout)).toBe('DONE')
    const next = await approved('100')
    await db.updateTable('hot_wallet').set({ next_nonce: 0n }).where('address', '=', wallet.address).execute()
    await expect(round()).rejects.toThrow('the chain has 1 transactions')
    expect(await stateOf(next)).toBe('QUEUED')
    await db.updateTable('hot_wallet').set({ next_nonce: 1n }).where('address', '=', wallet.address).execute()
    await round()
    await blocks(12)
    expect(await stateOf(next)).toBe('DONE')
  })

  it('with a first nonce that only one source reports', async () => {
    wallet = keySigner(randomBytes(32))
    const opened = () => db.selectFrom('hot_wallet').select('next_nonce').where('address', '=', wallet.address).execute()
    for (const lying of [node, secondNode]) {
      lying.tamper = ({ method }) => (method === 'eth_getTransactionCount' ? '0x7' : undefined)
      await expect(round()).rejects.toThrow('the other')
      expect(await opened()).toEqual([])
      lying.tamper = undefined
    }
    await round()
    expect(await opened()).toEqual([{ next_nonce: 0n }])
  })

  it("after another transaction used an open payout's nonce; the others are still followed", async () => {
    const [mined, taken] = [await approved('100', { to: someone() }), await approved('100', { to: someone() })]
    ports.rules = { ...ports.rules, inFlight: (await inFlight()) + 1 }
    await round()
    await blocks(1)
    ports.rules = { ...ports.rules, inFlight: 50 }
    onSend(() => Promise.reject(new Error('connection lost')))
    await round()
    const stolen = await wallet.sign({ chainId: chain.chainId, from: wallet.address, nonce: 1, gasPrice: 50_000_000_000n })
    await chain.call('eth_sendRawTransaction', stolen.raw)
    node.tamper = undefined
    await chain.mine(12)
    const next = await approved('100')
    await expect(round()).rejects.toThrow('used elsewhere')
    expect(await Promise.all([mined, taken, next].map(stateOf))).toEqual(['DONE', 'SIGNED', 'QUEUED'])
    expect((await sending(taken)).problem).toContain('foreign transaction')
    expect(await coinOf(taken)).toBe(0n)
    // After the staff decision, the money returns once no source knows a mined transaction, 12 blocks deep.
    await expect(decide(mined, 'GIVE_BACK')).rejects.toThrow('have changed since')
    await expect(decide(taken, 'ARRIVED')).rejects.toThrow('have changed since')
    await decide(taken, 'GIVE_BACK')
    secondNode.tamper = ({ method }) => (method === 'eth_getTransactionCount' ? '0x1' : undefined)
    await expect(round()).rejects.toThrow('used elsewhere')
    expect(await stateOf(taken)).toBe('SIGNED')
    secondNode.tamper = undefined
    await rounds(1)
    expect(await stateOf(taken)).toBe('CANCELLED')
    expect(await coinOf(taken)).toBe(u('100'))
    await rounds(2)
    expect(await coinOf(taken)).toBe(u('100'))
    // Nobody knows what the transaction paid. Two people answer before the queue continues.
    expect(await stateOf(next)).toBe('QUEUED')
    const { id } = await db.selectFrom('chain_incident').select('id').where('answered_at', 'is', null).executeTakeFirstOrThrow()
    expect(await inTransaction(db, (tx) => answerIncident(tx, String(id), instance.clock.now()))).toBe(true)
    await rounds(1)
    await blocks(12)
    expect(await stateOf(next)).toBe('DONE')
  })

  it('while a chain incident is unresolved', async () => {
    const payout = await approved('100', { to: someone() })
    const { rows } = await sql<{ id: bigint }>`insert into chain_incident (kind, noted_at, from_block, transfers)
      values ('WALLET_SPENT', now(), 0, '[]') returning id`.execute(db)
    await rounds(2)
    expect(await stateOf(payout)).toBe('QUEUED')
    const id = String(rows[0]?.id)
    expect(await inTransaction(db, (tx) => answerIncident(tx, id, instance.clock.now()))).toBe(true)
    expect(await inTransaction(db, (tx) => answerIncident(tx, id, instance.clock.now()))).toBe(false)
    await rounds(1)
    await blocks(12)
    expect(await stateOf(payout)).toBe('DONE')
  })

  it('while the newest block of a source is too old', async () => {
    const payout = await approved('100', { to: someone() })
    const [chainId, now] = [BigInt(chain.chainId), instance.clock.now()]
    const old = new Date(now.getTime() - 13 * 3_600_000)
    const cursor = { chain_id: chainId, block: 1n, block_hash: '0x1', block_time: now, final_block: 1n, seen_at: now }
    await db
      .insertInto('chain_cursor')
      .values({ ...cursor, head_at: now, second_head_at: old })
      .execute()
    await round()
    expect(await stateOf(payout)).toBe('QUEUED')
    await db.updateTable('chain_cursor').set({ second_head_at: now }).execute()
    await round()
    expect(await stateOf(payout)).toBe('SIGNED')
    await db.deleteFrom('chain_cursor').execute()
    await blocks(12)
    expect(await stateOf(payout)).toBe('DONE')
  })

  it('again after an old backup: payments on the chain are assigned in order, each payout once', async () => {
    const [first, second, third] = [
      await approved('100', { to: someone() }),
      await approved('100', { to: someone() }),
      await approved('100'),
    ]
    await cancel(third)
    const backup = await Promise.all([first, second].map(sending))
    await round()
    await blocks(12)
    const hashes = (await Promise.all([first, second].map(transactions))).map(([made]) => made?.hash ?? '')
    await restoreTo(backup)
    await expect(round()).rejects.toThrow('the chain has 2 transactions')
    const adopt = (hash: string) =>
      adoptPaid((work) => inTransaction(db, work), instance.deps, { node: chainNode(node.url), chainId: chain.chainId, hash })
    await expect(adopt(hashes[1] ?? '')).rejects.toThrow('comes first')
    await expect(adopt(`0x${'7'.repeat(64)}`)).rejects.toThrow('no such transaction')
    expect(await adopt(hashes[0] ?? '')).toEqual({ as: 'payment', payoutId: first.id })
    expect(await adopt(hashes[0] ?? '')).toEqual({ as: 'known', payoutId: first.id })
    await expect(round()).rejects.toThrow('the chain has 2 transactions')
    expect(await adopt(hashes[1] ?? '')).toEqual({ as: 'payment', payoutId: second.id })
    await rounds(2)
    expect(await Promise.all([first, second].map(stateOf))).toEqual(['DONE', 'DONE'])
    expect((await Promise.all([first, second].map(request))).map(({ tx_hash: hash }) => hash)).toEqual(hashes)
  })

  it('[I7] after an old backup while a lost payment waits in a pool of any source, so that it is paid once', async () => {
    const [younger, paid] = [await approved('100', { to: someone() }), await approved('100', { to: someone() })]
    const backup = await Promise.all([younger, paid].map(sending))
    // The lost database paid the younger one first, and the network has not mined it.
    const transfer = { token: coinToken, to: (await sending(paid)).to_address, amount: token(u('100')) }
    const lost = await wallet.sign({ chainId: chain.chainId, from: wallet.address, nonce: 0, gasPrice: 50_000_000_000n, transfer })
    await chain.call('eth_sendRawTransaction', lost.raw)
    await restoreTo(backup)
    // One source alone knows it.
    for (const blind of [node, secondNode]) {
      blind.tamper = ({ method, params }) => (method === 'eth_getTransactionCount' && params[1] === 'pending' ? '0x0' : undefined)
      await expect(round()).rejects.toThrow(`the chain has 1 transactions of ${wallet.address}, this database signed 0`)
      blind.tamper = undefined
    }
    expect(await Promise.all([younger, paid].map(stateOf))).toEqual(['QUEUED', 'QUEUED'])
    const adopt = { node: chainNode(node.url), chainId: chain.chainId, hash: lost.hash }
    expect(await adoptPaid((work) => inTransaction(db, work), instance.deps, adopt)).toEqual({ as: 'payment', payoutId: paid.id })
    await rounds(1)
    await blocks(12)
    await rounds(1)
    await blocks(12)
    expect(await Promise.all([younger, paid].map(stateOf))).toEqual(['DONE', 'DONE'])
    expect((await sending(paid)).nonce).toBe(0n)
  })

  it('after a restore until the worker opens the next hour, and the open payments are followed meanwhile', async () => {
    const [before, after] = [await approved('100', { to: someone() }), await approved('100', { to: someone() })]
    ports.rules = { ...ports.rules, inFlight: (await inFlight()) + 1 }
    await round()
    ports.rules = { ...ports.rules, inFlight: 50 }
    const hour = generationAt(instance.clock.now())
    const open = (generation: number) => inTransaction(db, (tx) => openGeneration(tx, new Date(generation * 3_600_000)))
    await open(hour)
    await markRestored(db)
    await blocks(12)
    expect(await Promise.all([before, after].map(stateOf))).toEqual(['DONE', 'QUEUED'])
    // The lost database may have sent it, so its amount does not return before the network had time to mine it.
    await expect(cancel(after)).rejects.toThrow('Unsent payouts can be cancelled from the next full hour on')
    for (const [generation, state] of [
      [hour, 'QUEUED'],
      [hour + 1, 'SIGNED'],
    ] as const) {
      await open(generation)
      await rounds(1)
      expect(await stateOf(after)).toBe(state)
    }
    await blocks(12)
  })

  it('or sent while the platform is paused, earlier signed ones included; it continues after the pause', async () => {
    const before = await approved('100', { to: someone() })
    onSend(() => Promise.reject(new Error('connection lost')))
    await round()
    node.tamper = undefined
    const after = await approved('100', { to: someone() })
    const stop = { at: instance.clock.now(), why: 'an unusual outflow' }
    await inTransaction(db, (tx) => stopLedger(tx, stop.at, stop.why))
    node.asked.length = 0
    await rounds(3)
    expect(await Promise.all([before, after].map(stateOf))).toEqual(['SIGNED', 'QUEUED'])
    expect(node.asked).not.toContain('eth_sendRawTransaction')
    await inTransaction(db, (tx) => liftLedgerStop(tx, instance.clock.now()))
    await rounds(2)
    await blocks(12)
    expect(await Promise.all([before, after].map(stateOf))).toEqual(['DONE', 'DONE'])
  })

  it('for a node of another chain', async () => {
    const payout = await approved('100')
    onSend(() => Promise.reject(new Error('connection lost')))
    await round()
    // Another chain rejects the signed transaction, which contains its chain id.
    const elsewhere = await startTestChain({ chainId: 31_338, at: BEGIN })
    await elsewhere.call('anvil_setBalance', wallet.address, '0xde0b6b3a7640000')
    await expect(elsewhere.call('eth_sendRawTransaction', (await transactions(payout))[0]?.raw)).rejects.toThrow(/chain/i)
    await elsewhere.stop()
    node.tamper = undefined
    await rounds(1)
    await blocks(12)
    const other = await approved('100')
    node.tamper = ({ method }) => (method === 'eth_chainId' ? '0x1' : undefined)
    await expect(round()).rejects.toThrow('belongs to chain 1')
    expect(await stateOf(other)).toBe('QUEUED')
    node.tamper = undefined
  })
})

/** Payouts of earlier tests stay open. */
const inFlight = async () =>
  (await db.selectFrom('payout_sending').select('request_id').where('state', 'in', ['SIGNED', 'MINED']).execute()).length

/** Restores the queue from a backup: nothing signed, and the wallet unused. */
async function restoreTo(rows: readonly Awaited<ReturnType<typeof sending>>[]) {
  await db.transaction().execute(async (tx) => {
    // A restore runs as the owner, who enables triggers afterwards.
    await sql`set local session_replication_role = replica`.execute(tx)
    for (const { request_id: id } of rows) {
      await sql`delete from signed_transaction where request_id = ${id}`.execute(tx)
      await sql`update payout_sending set state = 'QUEUED', wallet = null, nonce = null, signed_at = null, ended_at = null where request_id = ${id}`.execute(
        tx,
      )
      await sql`update payout_request set tx_hash = null where id = ${id}`.execute(tx)
    }
    await sql`update hot_wallet set next_nonce = 0 where address = ${wallet.address}`.execute(tx)
  })
}

/** Sums the coin signed within the last hour, including earlier tests. */
async function signedWithinHour(): Promise<bigint> {
  const since = new Date(instance.clock.now().getTime() - 3_600_000)
  const found = await sql<{ sum: string | null }>`
    select sum(exact_amount)::text as sum from payout_sending where token = ${coinToken} and signed_at > ${since}`.execute(db)
  return BigInt(found.rows[0]?.sum ?? 0)
}
