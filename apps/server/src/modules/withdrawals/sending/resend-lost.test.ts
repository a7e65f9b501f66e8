import { beforeEach, describe, expect, it } from 'vitest'
import { testDatabase } from '../../../../test/database.ts'
import { type FakeNodeState, minedAt, playNode, sentPayouts, type SentPayout, transferOf } from '../../../../test/sent-payouts.ts'
import { followChain } from './follow-chain.ts'
import { resendLost } from './resend-lost.ts'
import { openWallet } from './sender.ts'
import { signQueued } from './sign-queued.ts'

const { db } = await testDatabase()
const { wallet, forget, approved, told, senderOf } = await sentPayouts(db)
let [node, secondNode] = [playNode(), playNode()]
const sender = () => senderOf(node.node, { secondNode: secondNode.node })
const both = (what: (said: FakeNodeState) => void) => [node.said, secondNode.said].forEach(what)
const incidents = () => db.selectFrom('chain_incident').select(['kind', 'transfers']).execute()
beforeEach(async () => {
  await forget()
  await db.deleteFrom('chain_incident').execute()
  ;[node, secondNode] = [playNode(), playNode()]
})

/** Creates payouts completed at block 80, and a reorganisation that removes them. */
async function ended(more: Parameters<typeof minedAt>[2] = {}, ...amounts: string[]): Promise<SentPayout[]> {
  const payouts: SentPayout[] = []
  for (const amount of amounts) payouts.push(await approved(amount))
  await signQueued(sender(), await openWallet(sender()))
  const { transactions } = await told()
  for (const payout of payouts) {
    const hash = transactions.find((made) => made.request_id === payout.requestId)?.hash ?? ''
    both((said) => said.mined.set(hash, minedAt(80, more.succeeded === false ? [] : [transferOf(payout, wallet)], more)))
  }
  both((said) => (said.nonceOf = () => payouts.length))
  await followChain(sender())
  expect((await told()).sendings.map(({ ended_at }) => ended_at === null)).toEqual(payouts.map(() => false))
  return payouts
}
const reorganise = () =>
  both((said) => {
    said.mined.clear()
    said.nonceOf = () => 0
    said.blockHash = (block) => `0xnew${block}`
  })
const raws = async () =>
  (await told()).transactions
    .filter(({ purpose }) => purpose === 'PAYMENT')
    .map(({ raw }) => raw)
    .toSorted()

describe('ended payouts', () => {
  it('[I7] are resent as signed, with an incident, when a deep reorg removed them', async () => {
    await ended({}, '100', '70')
    expect([await resendLost(sender(), true), await incidents()]).toEqual([0, []])
    reorganise()
    const before = await told()
    expect(await resendLost(sender(), true)).toBe(2)
    expect(node.said.sent.slice(-2).toSorted()).toEqual(await raws())
    expect(await told()).toEqual(before)
    expect(await resendLost(sender(), true)).toBe(2)
    expect((await incidents()).map(({ kind }) => kind)).toEqual(['PAYOUT_GONE'])
    // Mined again, the payouts are complete as before.
    both((said) => (said.nonceOf = () => 2))
    expect(await resendLost(sender(), true)).toBe(0)
  })

  it('[I7] are not sent while the platform is paused; the incident is recorded', async () => {
    await ended({}, '100')
    reorganise()
    const sent = node.said.sent.length
    expect([await resendLost(sender(), false), node.said.sent.length, (await incidents()).length]).toEqual([0, sent, 1])
  })

  it.each<[string, (said: FakeNodeState, receipts: FakeNodeState['mined']) => void]>([
    ['a source is behind their block', (said) => (said.blockHash = () => null)],
    ['a source still has the block', (said) => (said.blockHash = (block) => `0xb${block}`)],
    ['a source has the transaction in another block', (said, receipts) => (said.mined = receipts)],
  ])('[I7] are left unchanged when %s', async (_, lag) => {
    await ended({}, '100')
    const receipts = new Map(secondNode.said.mined)
    reorganise()
    lag(secondNode.said, receipts)
    expect([await resendLost(sender(), true), await incidents()]).toEqual([0, []])
  })

  it('[I7] are replaced by a cancellation, signed once, if the payment failed and was returned', async () => {
    const [payout] = await ended({ succeeded: false }, '100')
    reorganise()
    expect([await resendLost(sender(), true), await resendLost(sender(), true)]).toEqual([1, 1])
    const made = (await told()).transactions.filter(({ request_id }) => request_id === payout?.requestId)
    const cancel = made.filter(({ purpose }) => purpose === 'CANCEL')
    expect(cancel).toHaveLength(1)
    expect(node.said.sent.slice(-2)).toEqual([cancel[0]?.raw, cancel[0]?.raw])
    expect(node.said.sent).not.toContain(made.find(({ purpose }) => purpose === 'PAYMENT')?.raw)
  })

  it('[I7] are resent only below the first open payout, which is followed separately', async () => {
    await ended({}, '100')
    await approved('50')
    await signQueued(sender(), 1)
    both((said) => (said.nonceOf = () => 1))
    expect(await resendLost(sender(), true)).toBe(0)
  })
})
