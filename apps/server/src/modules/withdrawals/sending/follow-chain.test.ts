import { beforeEach, describe, expect, it, vi } from 'vitest'
import { randomBytes } from 'node:crypto'
import { testDatabase } from '../../../../test/database.ts'
import {
  CHAIN,
  minedAt,
  fakeNode,
  type FakeNodeState,
  sentPayouts,
  type SentPayout,
  someone,
  transferOf,
  USD,
} from '../../../../test/sent-payouts.ts'
import { keySigner, type MinedTransaction } from '../../../gateways/chain/index.ts'
import { balancesOf } from '../../../ledger/index.ts'
import { inTransaction } from '../../../platform/db/database.ts'
import { answerSending } from './answer-sending.ts'
import { followChain } from './follow-chain.ts'
import { NONCE_TAKEN } from './sending-problem.ts'
import { openWallet } from './sender.ts'
import { signQueued } from './sign-queued.ts'

const { db } = await testDatabase()
const { instance, wallet, force, change, forget, approved, storedRows, senderOf } = await sentPayouts(db)
let [node, secondNode] = [fakeNode(), fakeNode()]
const sender = () => senderOf(node.node, { secondNode: secondNode.node })
const follow = () => followChain(sender())
beforeEach(async () => {
  await forget()
  ;[node, secondNode] = [fakeNode(), fakeNode()]
})

type SignedPayout = SentPayout & { hash: string; nonce: number }
/** Creates signed and sent payouts, in order. */
async function signed(...amounts: string[]): Promise<SignedPayout[]> {
  const payouts: SentPayout[] = []
  for (const amount of amounts) payouts.push(await approved(amount))
  await signQueued(sender(), await openWallet(sender()))
  const { transactions, sendings } = await storedRows()
  return payouts.map((payout) => ({
    ...payout,
    hash: transactions.find((made) => made.request_id === payout.requestId)?.hash ?? '',
    nonce: Number(sendings.find((row) => row.request_id === payout.requestId)?.nonce),
  }))
}
const both = (what: (nodeState: FakeNodeState) => void) => [node.nodeState, secondNode.nodeState].forEach(what)
const mine = (payout: SignedPayout, block: number, more: Partial<MinedTransaction> = {}) =>
  both((nodeState) => nodeState.mined.set(payout.hash, minedAt(block, [transferOf(payout, wallet)], more)))
const stateOf = async ({ requestId }: SentPayout) => {
  const found = (await storedRows()).sendings.find((row) => row.request_id === requestId)
  return [found?.state, found?.problem]
}
const changeMade = ({ requestId }: SentPayout, row: object) =>
  force((tx) => tx.updateTable('signed_transaction').set(row).where('request_id', '=', requestId).execute())
/** Signs another transaction with the same nonce. */
async function replaced({ requestId, nonce, ...payout }: SignedPayout, by = wallet, number = nonce): Promise<string> {
  const order = { chainId: CHAIN, from: by.address, nonce: number, gasPrice: 2_000n, transfer: payout }
  const { hash, raw } = await by.sign(order)
  const row = {
    hash,
    raw,
    request_id: requestId,
    purpose: 'PAYMENT',
    gas_price: '2000',
    made_at: new Date(instance.clock.now().getTime() + 1000),
  }
  await db.insertInto('signed_transaction').values(row).execute()
  return hash
}
const NO_TRANSFER = 'the transaction succeeded without the transfer'
const PART_ARRIVED = 'the receiver got another amount of the token than approved'
const NOT_APPROVED = 'the row was modified after its approval'

describe('chain state of a payout', () => {
  it('is stored for that payout only, once, and removed when the block is gone', async () => {
    const [payout, other] = await signed('100', '70')
    if (payout === undefined || other === undefined) throw new Error('none')
    await replaced(payout)
    mine(other, 95)
    expect(await follow()).toBe(1)
    for (const each of [payout, other]) await change(each, { problem: 'looked at' })
    const sent_at = instance.clock.now()
    for (const each of [payout, other]) await changeMade(each, { sent_at })
    const before = await storedRows()
    mine(payout, 96)
    expect(await follow()).toBe(1)
    const inBlock = { block: 96n, block_hash: '0xb96', gas_used: 50_000n, gas_paid: '50000000' }
    const found = { state: 'MINED', problem: null }
    expect(await storedRows()).toEqual({
      ...before,
      sendings: before.sendings.map((one) => (one.request_id === payout.requestId ? { ...one, ...found } : one)),
      transactions: before.transactions.map((one) => (one.hash === payout.hash ? { ...one, ...inBlock } : one)),
      requests: before.requests.map((one) => (one.id === payout.requestId ? { ...one, tx_hash: payout.hash } : one)),
    })
    // A repeated answer changes nothing and keeps the problem.
    await change(payout, { problem: 'looked at' })
    expect(await follow()).toBe(0)
    expect(await stateOf(payout)).toEqual(['MINED', 'looked at'])
    both(({ mined }) => mined.delete(payout.hash))
    expect(await follow()).toBe(1)
    expect(await storedRows()).toEqual({
      ...before,
      transactions: before.transactions.map((row) => (row.request_id === payout.requestId ? { ...row, sent_at: null } : row)),
    })
  })

  it('queries no node while nothing is signed', async () => {
    await approved('100')
    expect([await follow(), node.nodeState.asked]).toEqual([0, []])
  })

  it('is final at a depth of 12, with the gas used, and the member is notified', async () => {
    const [payout, other] = await signed('100', '70')
    if (payout === undefined || other === undefined) throw new Error('none')
    mine(other, 95)
    mine(payout, 90, { gasPrice: 1n })
    expect([await follow(), await stateOf(payout)]).toEqual([2, ['MINED', null]])
    await change(payout, { problem: 'looked at' })
    mine(payout, 90, { gasUsed: 120_000n, gasPrice: 1_000n })
    const before = await storedRows()
    both((nodeState) => (nodeState.head = 101))
    expect(await follow()).toBe(2)
    const at = instance.clock.now()
    expect(await storedRows()).toEqual({
      ...before,
      sendings: before.sendings.map((row) =>
        row.request_id === payout.requestId ? { ...row, state: 'DONE', problem: null, ended_at: at } : row,
      ),
      transactions: before.transactions.map((row) =>
        row.hash === payout.hash ? { ...row, gas_used: 120_000n, gas_paid: '120000000' } : row,
      ),
      words: [...before.words, { request: payout.id, step: 'paid' }],
    })
    expect(await follow()).toBe(0)
  })

  it.each<[string, (payout: SignedPayout) => void]>([
    [
      'the second source has it in another block',
      ({ hash }) =>
        secondNode.nodeState.mined.set(hash, { ...(secondNode.nodeState.mined.get(hash) as MinedTransaction), blockHash: '0xf' }),
    ],
    ['the second source has another block at the height', () => (secondNode.nodeState.blockHash = () => '0xf')],
    ['the node now has another block at the height', () => (node.nodeState.blockHash = () => '0xf')],
    ['the second source has it at a lower depth', () => (secondNode.nodeState.head = 100)],
    ['the second source has it in no block', ({ hash }) => secondNode.nodeState.mined.delete(hash)],
    ['the second source saw no transfer', ({ hash }) => secondNode.nodeState.mined.set(hash, minedAt(90, []))],
  ])('is not final when %s', async (_, lie) => {
    const [payout] = await signed('100')
    if (payout === undefined) throw new Error('none')
    both((nodeState) => (nodeState.head = 101))
    mine(payout, 90)
    const { mined, blockHash } = secondNode.nodeState
    const kept = new Map(mined)
    lie(payout)
    await follow()
    expect([await stateOf(payout), (await storedRows()).words]).toEqual([['MINED', null], []])
    both((nodeState) => Object.assign(nodeState, { mined: new Map(kept), blockHash, head: 101 }))
    node.nodeState.blockHash = (block) => `0xb${block}`
    expect([await follow(), await stateOf(payout)]).toEqual([1, ['DONE', null]])
  })

  it('is not returned when one source reports a failure and the other a success without payment', async () => {
    const [payout] = await signed('100')
    if (payout === undefined) throw new Error('none')
    node.nodeState.mined.set(payout.hash, minedAt(80, [], { succeeded: false }))
    secondNode.nodeState.mined.set(payout.hash, minedAt(80, []))
    await follow()
    expect(await stateOf(payout)).toEqual(['MINED', null])
    secondNode.nodeState.mined.set(payout.hash, minedAt(80, [], { succeeded: false }))
    expect([await follow(), (await stateOf(payout))[0]]).toEqual([1, 'FAILED'])
    const { requests, words } = await storedRows()
    expect(requests.find(({ id }) => id === payout.requestId)).toMatchObject({
      status: 'REJECTED',
      reason: 'The transfer failed on the chain',
      returned_at: instance.clock.now(),
      tx_hash: null,
    })
    expect(words).toEqual([{ request: payout.id, step: 'returned' }])
  })

  it.each<[string, (payout: SignedPayout) => object, string]>([
    ['of another token', () => ({ token: USD }), NO_TRANSFER],
    ['from another wallet', () => ({ from: someone() }), PART_ARRIVED],
    ['to another address', () => ({ to: someone() }), NO_TRANSFER],
    ['of one unit more', ({ amount }) => ({ amount: amount + 1n }), PART_ARRIVED],
  ])('has not arrived by a transfer %s, but has by its own beside it', async (_, other, problem) => {
    const [payout] = await signed('100')
    if (payout === undefined) throw new Error('none')
    const own = transferOf(payout, wallet)
    const wrong = { ...own, ...other(payout) }
    both((nodeState) => nodeState.mined.set(payout.hash, minedAt(80, [wrong])))
    await follow()
    expect(await stateOf(payout)).toEqual(['MINED', problem])
    both((nodeState) => nodeState.mined.set(payout.hash, minedAt(80, [wrong, own])))
    await follow()
    expect(await stateOf(payout)).toEqual(['DONE', null])
  })

  it('is not returned when the receiver got a part, in one source or both, and ends when staff confirm the arrival', async () => {
    const [payout] = await signed('100')
    if (payout === undefined) throw new Error('none')
    const part = { ...transferOf(payout, wallet), amount: payout.amount - 1n }
    node.nodeState.mined.set(payout.hash, minedAt(80, []))
    secondNode.nodeState.mined.set(payout.hash, minedAt(80, [part]))
    await change(payout, { answer: 'GIVE_BACK' })
    await follow()
    expect(await stateOf(payout)).toEqual(['MINED', null])
    node.nodeState.mined.set(payout.hash, minedAt(80, [part]))
    await follow()
    const { icoWallet } = await balancesOf(db, payout.member.id)
    expect([await stateOf(payout), icoWallet]).toEqual([['MINED', PART_ARRIVED], 0n])
    await inTransaction(db, (tx) => answerSending(tx, instance.deps, { payoutId: payout.id, answer: 'ARRIVED' }))
    expect([await follow(), (await stateOf(payout))[0]]).toEqual([1, 'DONE'])
  })

  it.each(['ARRIVED', 'GIVE_BACK'] as const)('ends as staff resolved it when the chain leaves it open: %s', async (answer) => {
    const [payout] = await signed('100')
    if (payout === undefined) throw new Error('none')
    both((nodeState) => nodeState.mined.set(payout.hash, minedAt(80, [])))
    expect(await follow()).toBe(1)
    await change(payout, { answer })
    expect(await follow()).toBe(1)
    const { icoWallet } = await balancesOf(db, payout.member.id)
    expect([(await stateOf(payout))[0], icoWallet > 0n]).toEqual(answer === 'ARRIVED' ? ['DONE', false] : ['FAILED', true])
  })

  it('is not stored with more gas than was signed, in units or price', async () => {
    const [payout, other] = await signed('100', '70')
    if (payout === undefined || other === undefined) throw new Error('none')
    for (const more of [{ gasUsed: 120_001n }, { gasPrice: 1_001n }]) {
      mine(payout, 95, more)
      const error = vi.spyOn(instance.deps.log, 'error')
      expect(await follow()).toBe(0)
      expect(error.mock.calls).toEqual([[{ owner: `payout ${payout.id}`, hash: payout.hash }, 'the node reports more gas than signed']])
      error.mockRestore()
      expect(await stateOf(payout)).toEqual(['SIGNED', 'the node reports more gas than signed'])
    }
    // The problem affects only its payout, and the other one completes.
    mine(other, 89)
    expect([await follow(), (await stateOf(other))[0]]).toEqual([2, 'DONE'])
    mine(payout, 95, { gasUsed: 120_000n, gasPrice: 1_000n })
    expect([await follow(), await stateOf(payout)]).toEqual([1, ['MINED', null]])
  })
})

describe('nonce used by another transaction', () => {
  it('returns the money after a resolution, if no source has a transaction of the payout at the required depth', async () => {
    const [payout] = await signed('100')
    if (payout === undefined) throw new Error('none')
    const second = await replaced(payout)
    await change(payout, { answer: 'GIVE_BACK', cancel_asked_at: instance.clock.now() })
    const requested: (number | undefined)[][] = [[], []]
    const used = (nodeState: FakeNodeState, index: number, from: number) =>
      (nodeState.nonceOf = (_, block) => {
        requested[index]?.push(block)
        return (block ?? nodeState.head) >= from ? payout.nonce + 1 : payout.nonce
      })
    const back = async () => {
      await follow().catch(() => 0)
      return (await stateOf(payout))[0]
    }
    secondNode.nodeState.head = 103
    used(node.nodeState, 0, 89)
    used(secondNode.nodeState, 1, 93)
    expect(await back()).toBe('SIGNED')
    used(node.nodeState, 0, 90)
    used(secondNode.nodeState, 1, 92)
    expect(await back()).toBe('SIGNED')
    // One of two transactions is mined in the second source.
    used(node.nodeState, 0, 89)
    secondNode.nodeState.mined.set(second, minedAt(99, []))
    expect(await back()).toBe('SIGNED')
    secondNode.nodeState.mined.delete(second)
    // So is the first one, which the second replaced.
    secondNode.nodeState.mined.set(payout.hash, minedAt(99, []))
    expect(await back()).toBe('SIGNED')
    secondNode.nodeState.mined.delete(payout.hash)
    requested.forEach((blocks) => (blocks.length = 0))
    expect(await back()).toBe('CANCELLED')
    expect(requested).toEqual([[undefined, 89], [92]])
    expect((await balancesOf(db, payout.member.id)).icoWallet).toBe(100n * 10n ** 8n)
    const { requests, words } = await storedRows()
    expect(requests.find(({ id }) => id === payout.requestId)).toMatchObject({ status: 'REJECTED', reason: 'It could not be sent' })
    expect(words).toEqual([{ request: payout.id, step: 'returned' }])
  })
})

describe('missing receipt of a payout whose nonce is used', () => {
  it.each<[string, (payout: SignedPayout) => void]>([
    [
      'the nonce is used above the final block only',
      ({ nonce }) => both((nodeState) => (nodeState.nonceOf = (_, at) => (at === undefined ? nonce + 1 : nonce))),
    ],
    ['the second source has the receipt', ({ hash }) => secondNode.nodeState.mined.set(hash, minedAt(80, []))],
    [
      'the node knows the transaction',
      ({ hash, nonce }) => node.nodeState.transactions.set(hash, { raw: '0x', from: wallet.address, nonce, gasPrice: 1n }),
    ],
  ])('proves no foreign transaction when %s', async (_, tell) => {
    const [payout] = await signed('100')
    if (payout === undefined) throw new Error('none')
    both((nodeState) => (nodeState.nonceOf = () => payout.nonce + 1))
    tell(payout)
    expect([await follow(), await stateOf(payout)]).toEqual([0, ['SIGNED', null]])
    both((nodeState) => Object.assign(nodeState, { mined: new Map(), transactions: new Map(), nonceOf: () => payout.nonce + 1 }))
    await expect(follow()).rejects.toThrow('the key of the hot wallet was used elsewhere')
    expect(await stateOf(payout)).toEqual(['SIGNED', NONCE_TAKEN])
  })
})

describe('money is not returned for a payout', () => {
  it.each<[string, (payout: SignedPayout) => Promise<unknown>]>([
    ['with a transaction signed by another wallet', (payout) => replaced(payout, keySigner(randomBytes(32)))],
    ['with a transaction of another nonce', (payout) => replaced(payout, wallet, payout.nonce + 1)],
    [
      'with an unreadable transaction',
      async (payout) => {
        const hash = await replaced(payout)
        await force((tx) => tx.updateTable('signed_transaction').set({ raw: '0x00' }).where('hash', '=', hash).execute())
      },
    ],
    ['approved as another one', (payout) => change(payout, { exact_amount: '7' })],
  ])('%s', async (_, damage) => {
    const [payout] = await signed('100')
    if (payout === undefined) throw new Error('none')
    await damage(payout)
    both((nodeState) => nodeState.mined.set(payout.hash, minedAt(80, [], { succeeded: false })))
    await follow()
    expect([await stateOf(payout), (await balancesOf(db, payout.member.id)).icoWallet]).toEqual([['MINED', NOT_APPROVED], 0n])
  })

  it('that is no longer approved, even if its row was not tampered with', async () => {
    const [payout] = await signed('100')
    if (payout === undefined) throw new Error('none')
    await db.updateTable('payout_request').set({ status: 'REJECTED' }).where('id', '=', payout.requestId).execute()
    both((nodeState) => nodeState.mined.set(payout.hash, minedAt(80, [], { succeeded: false })))
    await expect(follow()).rejects.toThrow()
    expect([await stateOf(payout), (await balancesOf(db, payout.member.id)).icoWallet]).toEqual([['MINED', null], 0n])
  })
})

describe('finality', () => {
  it.each([
    ['the node calls an older block final', 79, 'MINED'],
    ['the node calls its block final', 80, 'DONE'],
    ['the node calls a block above its head final', 900, 'DONE'],
    ['the node knows no final block', null, 'DONE'],
  ])('is reached when deep enough and not above the final block of each source: %s', async (_, finalized, state) => {
    const [payout] = await signed('100')
    if (payout === undefined) throw new Error('none')
    mine(payout, 80)
    secondNode.nodeState.finalized = finalized
    await follow()
    expect((await stateOf(payout))[0]).toBe(state)
  })
})
