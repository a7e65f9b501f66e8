import { beforeEach, describe, expect, it } from 'vitest'
import { testDatabase } from '../../../../test/database.ts'
import { type FakeNodeState, minedAt, fakeNode, sentPayouts, type SentPayout, transferOf } from '../../../../test/sent-payouts.ts'
import { followChain } from './follow-chain.ts'
import { resendLost } from './resend-lost.ts'
import { openWallet } from './sender.ts'
import { signQueued } from './sign-queued.ts'

const { db } = await testDatabase()
const { wallet, forget, approved, storedRows, senderOf } = await sentPayouts(db)
let [node, secondNode] = [fakeNode(), fakeNode()]
const sender = () => senderOf(node.node, { secondNode: secondNode.node })
const both = (what: (nodeState: FakeNodeState) => void) => [node.nodeState, secondNode.nodeState].forEach(what)
const incidents = () => db.selectFrom('chain_incident').select(['kind', 'transfers']).execute()
beforeEach(async () => {
  await forget()
  await db.deleteFrom('chain_incident').execute()
  ;[node, secondNode] = [fakeNode(), fakeNode()]
})

/** Creates payouts completed at block 80, and a reorganisation that removes them. */
async function ended(more: Parameters<typeof minedAt>[2] = {}, ...amounts: string[]): Promise<SentPayout[]> {
  const payouts: SentPayout[] = []
  for (const amount of amounts) payouts.push(await approved(amount))
  await signQueued(sender(), await openWallet(sender()))
  const { transactions } = await storedRows()
  for (const payout of payouts) {
    const hash = transactions.find((made) => made.request_id === payout.requestId)?.hash ?? ''
    both((nodeState) => nodeState.mined.set(hash, minedAt(80, more.succeeded === false ? [] : [transferOf(payout, wallet)], more)))
  }
  both((nodeState) => (nodeState.nonceOf = () => payouts.length))
  await followChain(sender())
  expect((await storedRows()).sendings.map(({ ended_at }) => ended_at === null)).toEqual(payouts.map(() => false))
  return payouts
}
const reorganise = () =>
  both((nodeState) => {
    nodeState.mined.clear()
    nodeState.nonceOf = () => 0
    nodeState.blockHash = (block) => `0xnew${block}`
  })
const raws = async () =>
  (await storedRows()).transactions
    .filter(({ purpose }) => purpose === 'PAYMENT')
    .map(({ raw }) => raw)
    .toSorted()

describe('ended payouts', () => {
  it('[I7] are resent as signed, with an incident, when a deep reorg removed them', async () => {
    await ended({}, '100', '70')
    expect([await resendLost(sender(), true), await incidents()]).toEqual([0, []])
    reorganise()
    const before = await storedRows()
    expect(await resendLost(sender(), true)).toBe(2)
    expect(node.nodeState.sent.slice(-2).toSorted()).toEqual(await raws())
    expect(await storedRows()).toEqual(before)
    expect(await resendLost(sender(), true)).toBe(2)
    expect((await incidents()).map(({ kind }) => kind)).toEqual(['PAYOUT_GONE'])
    // Mined again, the payouts are complete as before.
    both((nodeState) => (nodeState.nonceOf = () => 2))
    expect(await resendLost(sender(), true)).toBe(0)
  })

  it('[I7] are not sent while the platform is paused; the incident is recorded', async () => {
    await ended({}, '100')
    reorganise()
    const sent = node.nodeState.sent.length
    expect([await resendLost(sender(), false), node.nodeState.sent.length, (await incidents()).length]).toEqual([0, sent, 1])
  })

  it.each<[string, (nodeState: FakeNodeState, receipts: FakeNodeState['mined']) => void]>([
    ['a source is behind their block', (nodeState) => (nodeState.blockHash = () => null)],
    ['a source still has the block', (nodeState) => (nodeState.blockHash = (block) => `0xb${block}`)],
    ['a source has the transaction in another block', (nodeState, receipts) => (nodeState.mined = receipts)],
  ])('[I7] are left unchanged when %s', async (_, lag) => {
    await ended({}, '100')
    const receipts = new Map(secondNode.nodeState.mined)
    reorganise()
    lag(secondNode.nodeState, receipts)
    expect([await resendLost(sender(), true), await incidents()]).toEqual([0, []])
  })

  it('[I7] are replaced by a cancellation, signed once, if the payment failed and was returned', async () => {
    const [payout] = await ended({ succeeded: false }, '100')
    reorganise()
    expect([await resendLost(sender(), true), await resendLost(sender(), true)]).toEqual([1, 1])
    const made = (await storedRows()).transactions.filter(({ request_id }) => request_id === payout?.requestId)
    const cancel = made.filter(({ purpose }) => purpose === 'CANCEL')
    expect(cancel).toHaveLength(1)
    expect(node.nodeState.sent.slice(-2)).toEqual([cancel[0]?.raw, cancel[0]?.raw])
    expect(node.nodeState.sent).not.toContain(made.find(({ purpose }) => purpose === 'PAYMENT')?.raw)
  })

  it('[I7] are resent only below the first open payout, which is followed separately', async () => {
    await ended({}, '100')
    await approved('50')
    await signQueued(sender(), 1)
    both((nodeState) => (nodeState.nonceOf = () => 1))
    expect(await resendLost(sender(), true)).toBe(0)
  })
})
