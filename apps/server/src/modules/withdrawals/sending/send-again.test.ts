import { sql } from 'kysely'
import { Transaction } from 'micro-eth-signer'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { testDatabase } from '../../../../test/database.ts'
import { fakeNode, sentPayouts, type SentPayout, someone } from '../../../../test/sent-payouts.ts'
import { GAS_LIMIT, type PayoutSigner, type Sent } from '../../../gateways/chain/index.ts'
import { NodeError } from '../../../gateways/chain/rpc.ts'
import { readSigned } from '../../../gateways/chain/sending/transfer-order.ts'
import { broadcast } from './broadcast.ts'
import { NO_GAS, recordSendingProblem } from './sending-problem.ts'
import { replaceStuck } from './replace-stuck.ts'
import { openWallet } from './sender.ts'
import { signQueued } from './sign-queued.ts'

const { db } = await testDatabase()
const { instance, wallet, change, forget, approved, storedRows, senderOf } = await sentPayouts(db)
let { node, nodeState } = fakeNode()
let signer: PayoutSigner = wallet
const sender = (rules: object = {}) => senderOf(node, { rules, signer })
beforeEach(async () => {
  await forget()
  ;({ node, nodeState } = fakeNode())
  signer = wallet
})
async function signed(...amounts: string[]): Promise<SentPayout[]> {
  const payouts: SentPayout[] = []
  for (const amount of amounts) payouts.push(await approved(amount))
  await signQueued(sender(), await openWallet(sender()))
  return payouts
}
const made = async ({ requestId }: SentPayout) =>
  (await storedRows()).transactions
    .filter((row) => row.request_id === requestId)
    .toSorted((a, b) => a.made_at.getTime() - b.made_at.getTime())
const problems = async () => (await storedRows()).sendings.map(({ problem }) => problem)
const [SECOND, STUCK] = [1_000, 180_000]
/** Signer that refuses a nonce. */
const refusing = (nonce: number): PayoutSigner => ({
  ...wallet,
  sign: (order) => (order.nonce === nonce ? Promise.reject(new Error('not by the rules')) : wallet.sign(order)),
})

describe('signed transactions', () => {
  it('are sent at once, then every 15 seconds until mined, only the newest per nonce', async () => {
    const [payout, mined] = await signed('100', '70')
    if (payout === undefined || mined === undefined) throw new Error('none')
    await change(mined, { state: 'MINED' })
    const [first] = await made(payout)
    expect(await broadcast(sender())).toBe(1)
    expect(nodeState.sent).toEqual([first?.raw])
    instance.clock.advance(15 * SECOND - 1)
    expect(await broadcast(sender())).toBe(0)
    expect(nodeState.asked.filter((call) => call === 'send')).toHaveLength(1)
    instance.clock.advance(1)
    const sentAt = instance.clock.now()
    expect(await broadcast(sender())).toBe(1)
    expect((await storedRows()).transactions.map(({ hash, sent_at }) => [hash === first?.hash, sent_at])).toEqual(
      expect.arrayContaining([
        [true, sentAt],
        [false, null],
      ]),
    )
    instance.clock.advance(STUCK)
    nodeState.gasPrice = 1_001n
    expect(await replaceStuck(sender())).toBe(1)
    nodeState.sent.length = 0
    expect(await broadcast(sender())).toBe(1)
    const both = await made(payout)
    expect([nodeState.sent, both.map(({ sent_at }) => sent_at)]).toEqual([[both[1]?.raw], [sentAt, instance.clock.now()]])
  })

  it.each<[Sent, string | null]>([
    ['taken', null],
    ['nonce used', null],
    ['underpriced', null],
    ['no gas', 'the hot wallet has too little native coin for gas'],
    [{ refused: 'no such chain' }, 'the node refuses it: no such chain'],
  ])('have a problem for the response %j of the node on their own payout only', async (outcome, problem) => {
    const [payout] = await signed('100', '70')
    if (payout === undefined) throw new Error('none')
    const [first] = await made(payout)
    nodeState.outcome = (raw) => (raw === first?.raw ? outcome : 'taken')
    expect([await broadcast(sender()), await problems()]).toEqual([2, [problem, null]])
  })
})

it('record a problem on one payout, and once', async () => {
  const [payout] = await signed('100', '70')
  if (payout === undefined) throw new Error('none')
  const place = async () => (await sql<{ at: string }>`select ctid::text as at from payout_sending order by request_id`.execute(db)).rows
  await recordSendingProblem(sender().lease, payout.requestId, 'stuck')
  const at = await place()
  await recordSendingProblem(sender().lease, payout.requestId, 'stuck')
  expect([await problems(), await place()]).toEqual([['stuck', null], at])
})

describe('stuck transaction', () => {
  it('is replaced after the timeout at the higher of the minimum bump and the current gas price', async () => {
    const [payout, mined, others] = await signed('100', '70', '50')
    if (payout === undefined || mined === undefined || others === undefined) throw new Error('none')
    await change(mined, { state: 'MINED' })
    await change(others, { wallet: someone() })
    nodeState.asked.length = 0
    nodeState.gasPrice = 1_001n
    instance.clock.advance(STUCK - 1)
    expect([await replaceStuck(sender()), nodeState.asked]).toEqual([0, []])
    instance.clock.advance(1)
    expect(await replaceStuck(sender())).toBe(1)
    // The timeout of the replacement begins with the replacement, however much the market rises.
    nodeState.gasPrice = 5_000n
    expect(await replaceStuck(sender())).toBe(0)
    instance.clock.advance(STUCK - 1)
    expect(await replaceStuck(sender())).toBe(0)
    instance.clock.advance(1)
    expect(await replaceStuck(sender())).toBe(1)
    const rows = await made(payout)
    expect(rows.map(({ gas_price, purpose }) => [gas_price, purpose])).toEqual([
      ['1000', 'PAYMENT'],
      ['1125', 'PAYMENT'],
      ['5000', 'PAYMENT'],
    ])
    const read = rows.map(({ raw }) => readSigned(raw))
    expect(read.map(({ hash, nonce, gasPrice }) => [hash, nonce, gasPrice])).toEqual(
      rows.map(({ hash, gas_price }) => [hash, 0, BigInt(gas_price)]),
    )
    expect((await storedRows()).transactions).toHaveLength(5)
    nodeState.gasPrice = 5_626n
    instance.clock.advance(STUCK)
    expect(await replaceStuck(sender({ maxGasPrice: 5_625n }))).toBe(0)
    expect(await replaceStuck(sender({ maxGasPrice: 5_626n }))).toBe(1)
  })

  it('is only sent again when it pays the market price, and is reported after an hour', async () => {
    const [payout] = await signed('100')
    if (payout === undefined) throw new Error('none')
    for (const market of [1_000n, 1n]) {
      nodeState.gasPrice = market
      instance.clock.advance(STUCK)
      expect([await replaceStuck(sender()), await broadcast(sender())]).toEqual([0, 1])
    }
    expect([(await made(payout)).length, await problems()]).toEqual([1, [null]])
    instance.clock.advance(3_600 * SECOND)
    expect([await replaceStuck(sender()), await problems()]).toEqual([0, ['it is in no block after an hour, although its fee suffices']])
    // A cancellation replaces it at once, whatever the market.
    await change(payout, { cancel_asked_at: instance.clock.now() })
    expect([await replaceStuck(sender()), (await made(payout)).map(({ gas_price }) => gas_price)]).toEqual([1, ['1000', '1125']])
    instance.clock.advance(STUCK)
    expect(await replaceStuck(sender())).toBe(0)
  })

  it('is cancelled once on request, at once, even if its row does not match the approval', async () => {
    const [payout, other] = await signed('100', '70')
    if (payout === undefined || other === undefined) throw new Error('none')
    await change(payout, { cancel_asked_at: instance.clock.now(), exact_amount: '7' })
    await change(other, { problem: 'looked at' })
    expect([await replaceStuck(sender()), await problems()]).toEqual([1, [null, 'looked at']])
    instance.clock.advance(1)
    expect(await replaceStuck(sender())).toBe(0)
    const rows = (await storedRows()).transactions.filter((row) => row.request_id === payout.requestId && row.purpose === 'CANCEL')
    expect(rows).toHaveLength(1)
    // The cancellation sends nothing to the wallet itself.
    const [cancel] = rows
    const { raw } = Transaction.fromHex(cancel?.raw ?? '')
    expect([raw.to.toLowerCase(), raw.value, raw.data, raw.nonce]).toEqual([wallet.address, 0n, '0x', 0n])
    instance.clock.advance(STUCK)
    nodeState.gasPrice = 2_000n
    await change(other, { state: 'MINED' })
    expect(await replaceStuck(sender())).toBe(1)
    expect((await storedRows()).transactions.filter(({ purpose }) => purpose === 'CANCEL')).toHaveLength(2)
  })

  it('is not replaced by a payment that does not match the approval', async () => {
    const [payout] = await signed('100', '70')
    if (payout === undefined) throw new Error('none')
    await change(payout, { exact_amount: '7' })
    nodeState.gasPrice = 1_001n
    instance.clock.advance(STUCK)
    expect([await replaceStuck(sender()), await problems()]).toEqual([1, ['the row was modified after its approval', null]])
    expect(await made(payout)).toHaveLength(1)
  })

  describe.each<[string, () => void, string]>([
    ['the price is above the maximum', () => (nodeState.gasPrice = 1_000_000_000_000n), 'the gas price is above the maximum'],
    ['the wallet cannot pay it, to the wei', () => (nodeState.coins = GAS_LIMIT * 1_125n - 1n), NO_GAS],
    ['the signer refuses', () => (signer = refusing(0)), 'the signer does not sign it'],
  ])('when %s', (_, prepare, problem) => {
    it.each<[string, bigint, number]>([
      ['a replacement is stored', 1_001n, 2],
      ['its own fee suffices', 1_000n, 1],
    ])('has a problem and no replacement, until %s', async (__, market, transactions) => {
      const [payout] = await signed('100', '70')
      if (payout === undefined) throw new Error('none')
      // The other one is young, and keeps its own problem.
      const [{ coins }, others] = [nodeState, { made_at: new Date(instance.clock.now().getTime() + STUCK) }]
      await db.updateTable('signed_transaction').set(others).where('request_id', '<>', payout.requestId).execute()
      await db.updateTable('payout_sending').set({ problem }).where('request_id', '<>', payout.requestId).execute()
      nodeState.gasPrice = 1_001n
      prepare()
      instance.clock.advance(STUCK)
      expect([await replaceStuck(sender()), await problems(), (await made(payout)).length]).toEqual([0, [problem, problem], 1])
      Object.assign(nodeState, { coins, gasPrice: market })
      signer = wallet
      await replaceStuck(sender())
      expect([await problems(), (await made(payout)).length]).toEqual([[null, problem], transactions])
    })
  })

  it('keeps a problem of another cause while its fee suffices, and of its approval when it is cancelled', async () => {
    const [payout, changed] = await signed('100', '70')
    if (payout === undefined || changed === undefined) throw new Error('none')
    await change(payout, { problem: 'the node refuses it' })
    await change(changed, { exact_amount: '7' })
    instance.clock.advance(STUCK)
    const kept = ['the node refuses it', 'the row was modified after its approval']
    expect([await replaceStuck(sender()), await problems()]).toEqual([0, kept])
    await change(changed, { cancel_asked_at: instance.clock.now() })
    expect([await replaceStuck(sender()), await problems()]).toEqual([1, kept])
  })

  it('is logged by its public id when the signer refuses it', async () => {
    const [payout] = await signed('100')
    nodeState.gasPrice = 1_001n
    signer = refusing(0)
    instance.clock.advance(STUCK)
    const error = vi.spyOn(instance.deps.log, 'error')
    expect(await replaceStuck(sender())).toBe(0)
    const entry = { owner: `payout ${payout?.id}`, wallet: wallet.address, nonce: 0, err: new Error('not by the rules') }
    expect(error.mock.calls).toEqual([[entry, 'the signer does not sign a replacement']])
    error.mockRestore()
  })

  it('is only sent again and logged when the node refuses the balance of the wallet', async () => {
    const [payout] = await signed('100')
    nodeState.gasPrice = 1_001n
    instance.clock.advance(STUCK)
    const refuse = () => Promise.reject(new NodeError('too many calls'))
    Object.assign(node, { nativeBalanceOf: refuse, nativeBalancesOf: refuse })
    const error = vi.spyOn(instance.deps.log, 'error')
    expect([await replaceStuck(sender()), await broadcast(sender())]).toEqual([0, 1])
    expect(error.mock.calls).toEqual([[{ owner: `payout ${payout?.id}`, wallet: wallet.address, nonce: 0 }, 'too many calls']])
    error.mockRestore()
  })

  it('is replaced when the signer refuses an earlier one, or the wallet can pay exactly the fee', async () => {
    const [refused, payout] = await signed('100', '70')
    if (payout === undefined || refused === undefined) throw new Error('none')
    nodeState.gasPrice = 1_001n
    nodeState.coins = GAS_LIMIT * 1_125n
    signer = refusing(0)
    instance.clock.advance(STUCK)
    expect([await replaceStuck(sender()), (await made(refused)).length, (await made(payout)).length]).toEqual([1, 1, 2])
  })

  it('is sent with its lower fee when the wallet cannot pay the higher one, and never as a payment after a cancellation', async () => {
    const [payout, cancelled] = await signed('100', '70')
    if (payout === undefined || cancelled === undefined) throw new Error('none')
    nodeState.gasPrice = 1_001n
    await change(cancelled, { cancel_asked_at: instance.clock.now() })
    instance.clock.advance(STUCK)
    expect(await replaceStuck(sender())).toBe(2)
    const [cheap, dear] = (await made(payout)).map(({ raw }) => raw)
    const cancellation = (await made(cancelled)).at(-1)?.raw
    nodeState.outcome = (raw) => (raw === cheap ? 'taken' : 'no gas')
    expect([await broadcast(sender()), nodeState.sent]).toEqual([2, [dear, cancellation, cheap]])
  })

  it.each<[string, object, object]>([
    ['was mined', { problem: null }, { state: 'MINED' }],
    ['was cancelled', { problem: null }, { cancel_asked_at: new Date() }],
    ['was cancelled and the cancellation withdrawn', { cancel_asked_at: new Date() }, { cancel_asked_at: null }],
  ])('is not replaced when it %s during signing', async (_, before, meanwhile) => {
    // An older payout of the same kind must not be confused with it.
    const [other, payout] = await signed('70', '100')
    if (payout === undefined || other === undefined) throw new Error('none')
    await change(payout, before)
    nodeState.gasPrice = 1_001n
    instance.clock.advance(STUCK)
    signer = {
      ...wallet,
      sign: async (order) => {
        if (order.nonce === 1) await change(payout, meanwhile)
        return wallet.sign(order)
      },
    }
    expect(await replaceStuck(sender())).toBe(1)
    expect([(await made(payout)).length, (await made(other)).length]).toEqual([1, 2])
  })
})
