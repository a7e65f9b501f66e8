import { beforeEach, describe, expect, it } from 'vitest'
import { testDatabase } from '../../../../test/database.ts'
import { CHAIN, COIN, exact, fakeNode, sentPayouts, type SentPayout, someone, USD } from '../../../../test/sent-payouts.ts'
import type { TransferOrder } from '../../../gateways/chain/sending/transfer-order.ts'
import { assertChainOf, GAS_LIMIT, NodeUnavailable, type PayoutSigner } from '../../../gateways/chain/index.ts'
import { liftLedgerStop, stopLedger } from '../../../ledger/index.ts'
import { inTransaction } from '../../../platform/db/database.ts'
import { hasSignedPayouts } from './open-sendings.queries.ts'
import { queueSending } from './queue-sending.ts'
import { openWallet, type SendingRules } from './sender.ts'
import { signQueued } from './sign-queued.ts'

const { db } = await testDatabase()
const { instance, wallet, force, forget, approved, storedRows, senderOf } = await sentPayouts(db)
let { node, nodeState } = fakeNode()
let rules: Partial<SendingRules> = {}
let signer: PayoutSigner = wallet
const sender = () => senderOf(node, { rules, signer })
const sign = async () => signQueued(sender(), await openWallet(sender()))
beforeEach(async () => {
  await forget()
  ;({ node, nodeState } = fakeNode())
  ;[rules, signer] = [{}, wallet]
})

const line = async (...amounts: [string, ('withdrawal' | 'bridge')?][]) => {
  const payouts: SentPayout[] = []
  for (const [amount, kind = 'bridge'] of amounts) payouts.push(await approved(amount, { kind }))
  return payouts
}
const states = async () => (await storedRows()).sendings.map(({ state, problem }) => (problem === null ? state : `${state}: ${problem}`))
const change = (payout: SentPayout | undefined, row: object) =>
  force((tx) =>
    tx
      .updateTable('payout_sending')
      .set(row)
      .where('request_id', '=', payout?.requestId ?? 0n)
      .execute(),
  )
const SHORT = 'QUEUED: the hot wallet has too little of the token'
const GAS = 'QUEUED: the hot wallet has too little native coin for gas'
const HOUR = 'QUEUED: the hourly limit is reached'

it('the queue accepts payouts of its chain in the token of their kind, and none to a platform address', async () => {
  const { requestId, to, amount } = await approved('100')
  const request = await db.selectFrom('payout_request').selectAll().where('id', '=', requestId).executeTakeFirstOrThrow()
  const own = someone()
  await db.insertInto('chain_address').values({ address: own, key_index: 1n, invoice_id: 'own' }).execute()
  await forget()
  const queue = (more: object) => inTransaction(db, (tx) => queueSending(tx, instance.deps, { ...request, ...more }))
  await queue({ network: 1 })
  for (const address of [COIN, USD, own].map((one) => one?.toUpperCase().replace('0X', '0x')))
    await expect(queue({ address })).rejects.toMatchObject({ code: 'INVALID_ADDRESS' })
  expect((await storedRows()).sendings).toEqual([])
  for (const [kind, token] of [
    ['bridge', COIN],
    ['withdrawal', USD],
  ]) {
    await queue({ kind })
    const row = { request_id: requestId, chain_id: BigInt(CHAIN), token, to_address: to, exact_amount: String(amount), state: 'QUEUED' }
    expect((await storedRows()).sendings).toMatchObject([{ ...row, queued_at: instance.clock.now() }])
    await forget()
  }
})

describe('next payouts in the queue', () => {
  it('are signed with consecutive nonces and stored with them, and nothing else changes', async () => {
    const payouts = await line(['100'], ['70'], ['50'])
    for (const [address, chain_id] of [
      [someone(), BigInt(CHAIN)],
      [wallet.address, 2n],
    ] as const)
      await db.insertInto('hot_wallet').values({ chain_id, address, next_nonce: 5n }).execute()
    nodeState.nonceOf = () => 5
    rules = { inFlight: 2 }
    await change(payouts[0], { problem: 'too dear' })
    await openWallet(sender())
    const before = await storedRows()
    expect(await hasSignedPayouts(db)).toBe(false)
    expect(await sign()).toBe(2)
    const at = instance.clock.now()
    const after = await storedRows()
    expect(after).toEqual({
      ...before,
      wallets: before.wallets.map((row) =>
        row.address === wallet.address && row.chain_id === BigInt(CHAIN) ? { ...row, next_nonce: 7n } : row,
      ),
      sendings: before.sendings.map((row, index) =>
        index === 2 ? row : { ...row, state: 'SIGNED', wallet: wallet.address, nonce: 5n + BigInt(index), signed_at: at, problem: null },
      ),
      transactions: expect.any(Array),
    })
    const made = after.transactions.map(({ request_id, purpose, gas_price, made_at }) => ({ request_id, purpose, gas_price, made_at }))
    const facts = { purpose: 'PAYMENT', gas_price: '1000', made_at: at }
    expect(made).toHaveLength(2)
    for (const payout of payouts.slice(0, 2)) expect(made).toContainEqual({ ...facts, request_id: payout.requestId })
    expect(await hasSignedPayouts(db)).toBe(true)
    // At the in-flight limit, and above it.
    for (const inFlight of [2, 1]) {
      rules = { inFlight }
      expect(await sign()).toBe(0)
    }
    await force((tx) => tx.updateTable('payout_sending').set({ state: 'MINED' }).where('state', '=', 'SIGNED').execute())
    expect([await hasSignedPayouts(db), await sign()]).toEqual([true, 0])
  })

  it('query no node when there are none, and work for a single one', async () => {
    await openWallet(sender())
    nodeState.asked.length = 0
    expect([await signQueued(sender(), 0), nodeState.asked]).toEqual([0, []])
    await line(['100'])
    expect(await sign()).toBe(1)
  })

  it('skip one of another chain, or one that does not match its approval', async () => {
    const [other, changed] = await line(['100'], ['90'], ['80'])
    await change(other, { chain_id: 2n })
    await change(changed, { exact_amount: '7' })
    expect(await sign()).toBe(1)
    expect(await states()).toEqual(['QUEUED: approved for another chain', 'QUEUED: the row was modified after its approval', 'SIGNED'])
  })

  it('wait while the gas price is above the limit, to the wei', async () => {
    await line(['100'], ['70', 'withdrawal'])
    rules = { maxGasPrice: 999n }
    expect([await sign(), await states()]).toEqual([0, Array(2).fill('QUEUED: the gas price is above the maximum')])
    rules = { maxGasPrice: 1_000n }
    expect(await sign()).toBe(2)
  })

  it.each([1_000n, 1n, 0n])('are limited by the gas in the wallet with those in flight, at %d wei', async (gasPrice) => {
    await line(['100'], ['70'], ['50', 'withdrawal'], ['40'])
    nodeState.gasPrice = gasPrice
    const one = GAS_LIMIT * (gasPrice === 0n ? 1n : gasPrice)
    nodeState.coins = 2n * one - 1n
    expect([await sign(), await states()]).toEqual([1, ['SIGNED', GAS, GAS, GAS]])
    nodeState.coins = 3n * one
    expect([await sign(), await states()]).toEqual([2, ['SIGNED', 'SIGNED', 'SIGNED', GAS]])
  })

  it('are paid in order from the balance less payouts under way; a small one does not overtake', async () => {
    await line(['100'], ['60'], ['10'], ['70', 'withdrawal'])
    nodeState.tokens.set(COIN, exact('160') - 1n)
    expect([await sign(), await states()]).toEqual([2, ['SIGNED', SHORT, 'QUEUED', 'SIGNED']])
    // Nothing has left the wallet yet. One more unit funds the second payout.
    expect(await sign()).toBe(0)
    nodeState.tokens.set(COIN, exact('160'))
    expect([await sign(), await states()]).toEqual([1, ['SIGNED', 'SIGNED', SHORT, 'SIGNED']])
    // Mined payouts have left the wallet.
    await force((tx) =>
      tx.updateTable('payout_sending').set({ state: 'MINED' }).where('token', '=', COIN).where('state', '=', 'SIGNED').execute(),
    )
    nodeState.tokens.set(COIN, exact('10'))
    expect(await sign()).toBe(1)
  })

  it('respect the hourly limit per token, to the moment; a small one does not overtake', async () => {
    await line(['100'], ['60'], ['10'], ['70', 'withdrawal'])
    const limit = (coin: bigint) =>
      (rules = { hourLimits: new Map([COIN, USD].map((token) => [token, token === COIN ? coin : exact('1000')])) })
    limit(exact('160') - 1n)
    expect([await sign(), await states()]).toEqual([2, ['SIGNED', HOUR, 'QUEUED', 'SIGNED']])
    limit(exact('160'))
    expect([await sign(), await states()]).toEqual([1, ['SIGNED', 'SIGNED', HOUR, 'SIGNED']])
    // Completed payouts count towards the hourly limit, and expire from it after an hour.
    await force((tx) =>
      tx.updateTable('payout_sending').set({ state: 'DONE', ended_at: instance.clock.now() }).where('state', '=', 'SIGNED').execute(),
    )
    instance.clock.advance(3_600_000 - 1)
    expect(await sign()).toBe(0)
    instance.clock.advance(1)
    expect(await sign()).toBe(1)
    rules = { hourLimits: new Map() }
    await line(['5'])
    expect([await sign(), (await states()).at(-1)]).toEqual([0, HOUR])
  })
})

describe('signed payouts are discarded', () => {
  /** Runs an action while the signer signs. */
  const meanwhile = (what: () => Promise<unknown>) => {
    signer = {
      ...wallet,
      sign: async (order) => {
        await what()
        return wallet.sign(order)
      },
    }
  }
  it.each<[string, string, (payout: SentPayout | undefined) => Promise<unknown>, (() => Promise<unknown>)?]>([
    [
      'the platform was paused',
      'paused',
      () => inTransaction(db, (tx) => stopLedger(tx, instance.clock.now(), 'an outflow')),
      () => inTransaction(db, (tx) => liftLedgerStop(tx, instance.clock.now())),
    ],
    ['another worker took the nonce', 'next nonce is 1', () => db.updateTable('hot_wallet').set({ next_nonce: 1n }).execute()],
    [
      'one of them left the queue',
      'left the queue',
      (payout) => change(payout, { state: 'CANCELLED', cancel_asked_at: instance.clock.now(), ended_at: instance.clock.now() }),
    ],
  ])('when %s during signing', async (_, why, happen, restore) => {
    const [, second] = await line(['100'], ['70'], ['50'])
    rules = { inFlight: 2 }
    await openWallet(sender())
    let before: unknown
    meanwhile(async () => {
      if (before !== undefined) return
      await happen(second)
      before = await storedRows()
    })
    await expect(signQueued(sender(), 0)).rejects.toThrow(why)
    expect(await storedRows()).toEqual(before)
    await restore?.()
  })
})

describe('hot wallet', () => {
  const opened = () => storedRows().then(({ wallets }) => wallets.map((row) => [row.chain_id, row.address, row.next_nonce]))
  it.each([
    ['another chain', 2, wallet.address],
    ['another wallet', CHAIN, someone()],
  ])('starts at the nonce of the chain, whatever is stored for %s', async (_, chain, address) => {
    await db
      .insertInto('hot_wallet')
      .values({ chain_id: BigInt(chain), address, next_nonce: 3n })
      .execute()
    nodeState.nonceOf = () => 8
    expect(await openWallet(sender())).toBe(8)
    expect(await opened()).toContainEqual([BigInt(CHAIN), wallet.address, 8n])
    expect(await opened()).toHaveLength(2)
    nodeState.nonceOf = () => 9
    await expect(openWallet(sender())).rejects.toThrow('the chain has 9 transactions')
  })

  it('belongs to one chain, and rejects a source of another', async () => {
    const { node: secondNode, nodeState: secondSaid } = fakeNode()
    const both = () => assertChainOf(senderOf(node, { secondNode }), CHAIN)
    await both()
    await assertChainOf(sender(), CHAIN)
    secondSaid.chainId = 1
    await expect(both()).rejects.toThrow('chain 1')
    secondSaid.chainId = CHAIN
    nodeState.chainId = 2
    await expect(both()).rejects.toThrow('chain 2')
  })
})

describe('signer that rejects one payout', () => {
  it('does not block the others, which get consecutive nonces; the rejected one has the reason', async () => {
    const payouts = await line(['100'], ['70'], ['50'])
    await openWallet(sender())
    const rejecting = {
      ...wallet,
      sign: (order: TransferOrder) => (order.transfer?.to === payouts[1]?.to ? Promise.reject(new Error('denied')) : wallet.sign(order)),
    }
    expect(await signQueued({ ...sender(), signer: rejecting }, 0)).toBe(2)
    expect(await states()).toEqual(['SIGNED', 'QUEUED: the signer does not sign it', 'SIGNED'])
    const rows = (await storedRows()).sendings.map(({ nonce }) => nonce)
    expect(rows).toEqual([0n, null, 1n])
    // An unreachable signer is no refusal, so the payout gets no problem.
    await change(payouts[1], { problem: null })
    const away = { ...wallet, sign: () => Promise.reject(new NodeUnavailable('the signer is away')) }
    await expect(signQueued({ ...sender(), signer: away }, 2)).rejects.toThrow('away')
    expect((await states())[1]).toBe('QUEUED')
  })
})
