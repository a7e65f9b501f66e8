import { beforeEach, describe, expect, inject, it } from 'vitest'
import { testDatabase } from '../../../../test/database.ts'
import { lockWaits } from '../../../../test/lock-waits.ts'
import { CHAIN, minedAt, fakeNode, sentPayouts, type SentPayout, someone, transferOf, USD } from '../../../../test/sent-payouts.ts'
import { inTransaction } from '../../../platform/db/database.ts'
import { balancesOf, runAudit } from '../../../ledger/index.ts'
import { auditChecks } from '../audit-checks.ts'
import { costChecks } from '../costs/audit-checks.ts'
import { bookCosts } from '../costs/book-costs.ts'
import { unbookedTransactions } from '../costs/network-costs.queries.ts'
import { adoptPaid } from './adopt-paid.ts'
import { answerSending } from './answer-sending.ts'
import { followChain } from './follow-chain.ts'
import { NONCE_TAKEN } from './sending-problem.ts'

const { db } = await testDatabase()
const { instance, wallet, change, forget, approved, senderOf, storedRows } = await sentPayouts(db)
beforeEach(forget)

const opened = (address: string, chain_id = CHAIN, next_nonce = 5n) =>
  db
    .insertInto('hot_wallet')
    .values({ chain_id: BigInt(chain_id), address, next_nonce })
    .execute()

/** Sets up a chain with a payment of the wallet, or a cancellation, and a database without it. */
async function paid(payout: SentPayout, { nonce = 5, cancels = false, gasPrice = 1_000n } = {}) {
  const { node, nodeState } = fakeNode()
  const order = { chainId: CHAIN, from: wallet.address, nonce, gasPrice }
  const { hash, raw } = await wallet.sign({ ...order, ...(cancels ? {} : { transfer: payout }) })
  nodeState.transactions.set(hash, { raw, from: wallet.address, nonce, gasPrice })
  // The same transaction pays another receiver too.
  const other = { ...transferOf(payout, wallet), from: someone(), amount: 1n }
  nodeState.mined.set(hash, minedAt(90, cancels ? [] : [other, transferOf(payout, wallet)]))
  const adopt = (cancelled?: string) =>
    adoptPaid((work) => inTransaction(db, work), instance.deps, { node, chainId: CHAIN, hash, cancelled })
  /** Lets the worker follow the chain once the transaction is final. */
  const follow = () => {
    nodeState.head = 200
    nodeState.nonceOf = () => nonce + 1
    return followChain(senderOf(node))
  }
  return { node, nodeState, hash, raw, adopt, follow }
}

it('[I7] adopts a payment as the oldest matching queued payout, and changes nothing else', async () => {
  const to = someone()
  const like = (amount = '100', where: Parameters<typeof approved>[1] = {}) => approved(amount, { to, ...where })
  // Older payouts, each with one different property.
  const others = [await like('101'), await like('100', { to: someone() }), await like(), await like(), await like()]
  for (const [index, row] of [{ token: USD }, { chain_id: 2n }].entries()) await change(others[index + 2] as SentPayout, row)
  await change(others[4] as SentPayout, { state: 'SIGNED', wallet: wallet.address, nonce: 4, signed_at: instance.clock.now() })
  const [meant, younger] = [await like(), await like()]
  for (const [address, chain] of [
    [wallet.address, CHAIN],
    [someone(), CHAIN],
    [wallet.address, 2],
  ] as const)
    await opened(address, chain)
  await change(meant, { problem: 'too little' })
  const [before, { adopt, hash, raw }] = [await storedRows(), await paid(meant)]
  expect(await adopt()).toEqual({ as: 'payment', payoutId: meant.id })
  const at = instance.clock.now()
  const after = await storedRows()
  expect(after).toEqual({
    ...before,
    wallets: before.wallets.map((one) =>
      one.address === wallet.address && one.chain_id === BigInt(CHAIN) ? { ...one, next_nonce: 6n } : one,
    ),
    sendings: before.sendings.map((one) =>
      one.request_id === meant.requestId
        ? { ...one, state: 'SIGNED', wallet: wallet.address, nonce: 5n, signed_at: at, problem: null }
        : one,
    ),
    transactions: [expect.objectContaining({ hash, raw, request_id: meant.requestId, purpose: 'PAYMENT', gas_price: '1000', made_at: at })],
  })
  expect(after.sendings.find((one) => one.request_id === younger.requestId)?.state).toBe('QUEUED')
})

it('[I7] adopts nothing that is on another chain, out of order, by another key, or owed to no member', async () => {
  const [payout, next] = [await approved('100'), await approved('70')]
  await opened(wallet.address)
  const before = await storedRows()
  const { nodeState, hash, adopt } = await paid(payout)
  const known = nodeState.transactions.get(hash) ?? null
  const refused = async (says: Partial<typeof nodeState>, why: string) => {
    const was = { ...nodeState }
    Object.assign(nodeState, says)
    await expect(adopt(), why).rejects.toThrow(why)
    Object.assign(nodeState, was)
    expect(await storedRows()).toEqual(before)
  }
  await refused({ chainId: 1 }, 'another chain')
  await refused({ transactions: new Map() }, 'no such transaction')
  const seen = (more: object) => ({ transactions: new Map([[hash, { ...(known ?? expect.fail()), ...more }]]) })
  await refused(seen({ nonce: 4 }), 'nonce 4 of')
  await refused(seen({ nonce: 6 }), 'and 5 comes first')
  await refused(seen({ from: someone() }), 'is not a hot wallet')
  const order = { chainId: CHAIN, from: wallet.address, nonce: 5, gasPrice: 1_000n }
  const { token, to, amount } = payout
  for (const transfer of [
    { token, to, amount: amount + 1n },
    { token: USD ?? '', to, amount },
    { token, to: next.to, amount },
  ])
    await refused(seen(await wallet.sign({ ...order, transfer })), 'no queued payout')
  await refused(seen(await wallet.sign({ ...order, coin: { to, amount: 1n } })), 'the key was used elsewhere')
  expect(await adopt()).toEqual({ as: 'payment', payoutId: payout.id })
  expect(await adopt()).toEqual({ as: 'known', payoutId: payout.id })
})

describe('[I7] the result of an adopted transaction', () => {
  const stateOf = async ({ requestId }: SentPayout) => {
    const { sendings, requests } = await storedRows()
    return [
      sendings.find(({ request_id }) => request_id === requestId)?.state,
      requests.find(({ id }) => id === requestId)?.status,
      (await storedRows()).wallets[0]?.next_nonce,
    ]
  }

  it('returns the money when the payment failed on the chain', async () => {
    const payout = await approved('100')
    await opened(wallet.address)
    const { nodeState, hash, adopt, follow } = await paid(payout)
    nodeState.mined.set(hash, minedAt(90, [], { succeeded: false }))
    expect(await adopt()).toEqual({ as: 'payment', payoutId: payout.id })
    await follow()
    expect(await stateOf(payout)).toEqual(['FAILED', 'REJECTED', 6n])
  })

  it('returns the money of the named payout when the transaction is its cancellation', async () => {
    const [payout, beside] = [await approved('100'), await approved('100')]
    await opened(wallet.address)
    const { nodeState, hash, adopt, follow } = await paid(payout, { cancels: true })
    nodeState.mined.set(hash, minedAt(90, []))
    await expect(adopt('none')).rejects.toThrow('no queued payout')
    expect(await adopt(payout.id)).toEqual({ as: 'cancellation', payoutId: payout.id })
    await follow()
    expect([await stateOf(payout), await stateOf(beside)]).toEqual([
      ['CANCELLED', 'REJECTED', 6n],
      ['QUEUED', 'APPROVED', 6n],
    ])
  })

  it.each([
    ['a cancellation without a named payout', true, true],
    ['a failed payment of a payout that the backup lacks', false, false],
  ])('records only nonce and gas of %s, once it is final, and the audit holds around it', async (_, cancels, succeeded) => {
    const payout = await approved('100')
    await opened(wallet.address)
    const { nodeState, hash, raw, adopt } = await paid(cancels ? payout : { ...payout, amount: 1n }, { cancels })
    nodeState.mined.set(hash, minedAt(90, [], { succeeded }))
    await expect(adopt()).rejects.toThrow('not final yet')
    nodeState.mined.set(hash, minedAt(89, [], { succeeded, gasUsed: 120_001n }))
    await expect(adopt()).rejects.toThrow('more gas than signed')
    nodeState.mined.set(hash, minedAt(89, [], { succeeded, gasPrice: 1_001n }))
    await expect(adopt()).rejects.toThrow('more gas than signed')
    expect(await stateOf(payout)).toEqual(['QUEUED', 'APPROVED', 5n])
    nodeState.mined.set(hash, minedAt(89, [], { succeeded }))
    expect([await adopt(), await adopt()]).toEqual([{ as: 'nothing' }, { as: 'nothing' }])
    expect([await stateOf(payout), (await storedRows()).transactions]).toEqual([['QUEUED', 'APPROVED', 6n], []])
    const endedAt = instance.clock.now()
    const stored = { hash, chain_id: BigInt(CHAIN), wallet: wallet.address, nonce: 5n, raw, gas_paid: '50000000', ended_at: endedAt }
    expect(await db.selectFrom('hot_wallet_empty').selectAll().execute()).toEqual([stored])
    const costs = [{ hash, source: 'EMPTY' as const, wei: 50_000_000n, endedAt }]
    expect(await unbookedTransactions(db, 10)).toEqual(costs)
    await inTransaction(db, (tx) => bookCosts(tx, instance.deps, costs, 10n ** 10n))
    expect(await unbookedTransactions(db, 10)).toEqual([])
    // The payouts before and after it have no gap.
    const about = new RegExp(`${hash}|${wallet.address}`)
    const audited = async () =>
      (await runAudit(db, [...auditChecks, ...costChecks])).flatMap(({ examples }) => examples).filter((one) => about.test(one))
    const before = await approved('70')
    const signed = (nonce: number) => ({ state: 'SIGNED', wallet: wallet.address, nonce, signed_at: endedAt })
    await change(before, signed(4))
    await change(payout, signed(6))
    await db.updateTable('hot_wallet').set({ next_nonce: 7n }).execute()
    expect(await audited()).toEqual([])
    await db.updateTable('hot_wallet_empty').set({ nonce: 3n }).execute()
    expect(await audited()).toHaveLength(1)
  })

  it.each([
    ['a replacement with a higher fee', false, 'payment', ['DONE', 'APPROVED', 5n]],
    ['a cancellation', true, 'cancellation', ['CANCELLED', 'REJECTED', 5n]],
  ])('completes a payout that this database signed, by %s made after the backup', async (_, cancels, as, ends) => {
    const payout = await approved('100')
    await opened(wallet.address)
    const first = await wallet.sign({ chainId: CHAIN, from: wallet.address, nonce: 4, gasPrice: 1_000n, transfer: payout })
    await change(payout, { state: 'SIGNED', wallet: wallet.address, nonce: 4, signed_at: instance.clock.now(), problem: NONCE_TAKEN })
    const signed = { ...first, request_id: payout.requestId, purpose: 'PAYMENT', gas_price: '1000', made_at: instance.clock.now() }
    await db.insertInto('signed_transaction').values(signed).execute()
    const other = await paid({ ...payout, amount: payout.amount + 1n }, { nonce: 4, gasPrice: 2_000n })
    await expect(other.adopt()).rejects.toThrow('this transaction is not final yet')
    const { adopt, follow } = await paid(payout, { nonce: 4, cancels, gasPrice: 2_000n })
    expect(await adopt()).toEqual({ as, payoutId: payout.id })
    await follow()
    expect(await stateOf(payout)).toEqual(ends)
    const late = await paid(payout, { nonce: 4, gasPrice: 3_000n })
    await expect(late.adopt()).rejects.toThrow('is already final')
  })
})

it('[I7] adopts a pending payment, which is then followed like one of its own, and its nonce is not given again', async () => {
  const payout = await approved('100')
  await opened(wallet.address)
  const { nodeState, hash, adopt, follow } = await paid(payout)
  const mined = nodeState.mined.get(hash) ?? expect.fail()
  nodeState.mined.delete(hash)
  expect(await adopt()).toEqual({ as: 'payment', payoutId: payout.id })
  expect(await storedRows()).toMatchObject({ sendings: [{ state: 'SIGNED', nonce: 5n }], wallets: [{ next_nonce: 6n }] })
  nodeState.mined.set(hash, mined)
  await follow()
  expect((await storedRows()).sendings).toMatchObject([{ state: 'DONE' }])
})

it('[I7] adopts no pending transaction that matches no payout, because only the chain can say that it moved nothing', async () => {
  const payout = await approved('100')
  await opened(wallet.address)
  for (const made of [await paid({ ...payout, amount: 1n }), await paid(payout, { cancels: true })]) {
    const before = await storedRows()
    made.nodeState.mined.delete(made.hash)
    await expect(made.adopt()).rejects.toThrow(/no queued payout|not final yet/)
    expect(await storedRows()).toEqual(before)
  }
})

it.each(['SIGNED', 'CANCELLED'])(
  '[I7] adopts a payment that won the nonce of a %s payout: it is paid once, and the other payout is returned once',
  async (state) => {
    const [loser, payout] = [await approved('70'), await approved('100')]
    await opened(wallet.address, CHAIN, 6n)
    const at = instance.clock.now()
    const order = { chainId: CHAIN, from: wallet.address, nonce: 5, gasPrice: 1_000n, transfer: loser }
    await change(loser, { state: 'SIGNED', wallet: wallet.address, nonce: 5, signed_at: at, problem: NONCE_TAKEN })
    const signed = { request_id: loser.requestId, purpose: 'PAYMENT', gas_price: '1000', made_at: at }
    await db
      .insertInto('signed_transaction')
      .values({ ...(await wallet.sign(order)), ...signed })
      .execute()
    const { nodeState, hash, adopt, follow } = await paid(payout)
    const incidents = () => db.selectFrom('chain_incident').select(['kind', 'transfers']).where('answered_at', 'is', null).execute()
    if (state === 'CANCELLED') {
      // The money was returned before the payment was adopted. Nothing is signed until two people have looked for the payment.
      await inTransaction(db, (tx) => answerSending(tx, instance.deps, { payoutId: loser.id, answer: 'GIVE_BACK' }))
      await follow()
      expect(await incidents()).toEqual([{ kind: 'WALLET_SPENT', transfers: [`an unknown transaction with nonce 5 of ${wallet.address}`] }])
      await db.updateTable('chain_incident').set({ answered_at: at }).execute()
    }
    const before = await storedRows()
    nodeState.head = 100
    await expect(adopt()).rejects.toThrow('not final yet')
    expect(await storedRows()).toEqual(before)
    nodeState.head = 101
    expect(await adopt()).toEqual({ as: 'payment', payoutId: payout.id })
    expect(await adopt()).toEqual({ as: 'known', payoutId: payout.id })
    await follow()
    await follow()
    const rows = await storedRows()
    expect(rows.sendings.map(({ request_id: id, state: is, nonce, nonce_taken_by: takenBy }) => [id, is, nonce, takenBy])).toEqual([
      [loser.requestId, 'CANCELLED', 5n, hash],
      [payout.requestId, 'DONE', 5n, null],
    ])
    expect(rows.wallets).toMatchObject([{ next_nonce: 6n }])
    expect((await balancesOf(db, loser.member.id)).icoWallet).toBe(70n * 10n ** 8n)
    expect(await incidents()).toEqual([])
    const about = new RegExp([hash, wallet.address, loser.id, payout.id].join('|'))
    expect((await runAudit(db, auditChecks)).flatMap(({ examples }) => examples).filter((one) => about.test(one))).toEqual([])
  },
)

it('[I7] adopts no transaction with the nonce of a payout that the chain has ended', async () => {
  const [ended, payout] = [await approved('70'), await approved('100')]
  await opened(wallet.address, CHAIN, 6n)
  const at = instance.clock.now()
  await change(ended, { state: 'DONE', wallet: wallet.address, nonce: 5, signed_at: at, ended_at: at })
  const { nodeState, adopt } = await paid(payout)
  nodeState.head = 200
  await expect(adopt()).rejects.toThrow('already final')
  // A cancellation that was mined keeps its nonce as well.
  await change(ended, { state: 'CANCELLED', cancel_asked_at: at })
  const transaction = { hash: '0x1', raw: '0x', purpose: 'CANCEL', gas_price: '1000', made_at: at, block: 90n, block_hash: '0xb90' }
  await db
    .insertInto('signed_transaction')
    .values({ ...transaction, request_id: ended.requestId })
    .execute()
  await expect(adopt()).rejects.toThrow('already final')
})

it('[I7] adopts no payout that is returned in the same moment', async () => {
  const payout = await approved('100')
  await opened(wallet.address)
  const { adopt } = await paid(payout)
  const waiting = () => lockWaits(db)
  const gone = { state: 'CANCELLED', cancel_asked_at: instance.clock.now(), ended_at: instance.clock.now() }
  const { adopting } = await inTransaction(db, async (tx) => {
    await tx.updateTable('payout_sending').set(gone).where('request_id', '=', payout.requestId).execute()
    const begun = adopt().catch((error: unknown) => error)
    // The embedded database has one session, so the other call has not begun there.
    if (inject('testDatabase').kind === 'postgres') await expect.poll(waiting).toHaveLength(1)
    return { adopting: begun }
  })
  expect(await adopting).toMatchObject({ message: 'no queued payout matches the transaction' })
  expect(await storedRows()).toMatchObject({
    sendings: [{ state: 'CANCELLED', nonce: null }],
    transactions: [],
    wallets: [{ next_nonce: 5n }],
  })
})
