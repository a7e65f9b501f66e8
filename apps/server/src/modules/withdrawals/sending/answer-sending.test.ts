import { sql } from 'kysely'
import { beforeEach, describe, expect, inject, it } from 'vitest'
import { testDatabase } from '../../../../test/database.ts'
import { byOne, createTestMember, fund, confirmPayoutAddress } from '../../../../test/members.ts'
import { CHAIN, COIN, exact, sentPayouts, type SentPayout, someone, USD } from '../../../../test/sent-payouts.ts'
import { balancesOf, post } from '../../../ledger/index.ts'
import { inTransaction } from '../../../platform/db/database.ts'
import { approvePayout } from '../decisions/decide-payout.ts'
import { ownerMac } from '../payout-mac.ts'
import { requestBridge } from '../request-bridge.ts'
import { answerSending, assertAnswerable, openAnswers, type SendingAnswer } from './answer-sending.ts'
import { cancelSending } from './cancel-sending.ts'
import { NO_TRANSFER, NONCE_TAKEN, PART_ARRIVED } from './sending-problem.ts'
import { endFailed, completePaid, returnReplacedPayout, returnUnsigned } from './return-payout.ts'
import { sendingHealth } from './sending-health.queries.ts'
import { sendingOf, sendingLabels } from './sending.queries.ts'

const { db } = await testDatabase()
const { instance, force, change, forget, approved, storedRows } = await sentPayouts(db)
beforeEach(forget)

let numbers = 0n
const number = () => ({ wallet: `0x${'ab'.repeat(20)}`, nonce: (numbers += 1n), signed_at: instance.clock.now() })
const SIGNED = () => ({ state: 'SIGNED', ...number() })
const MINED = () => ({ state: 'MINED', ...number() })
const DONE = () => ({ state: 'DONE', ...number(), ended_at: instance.clock.now() })
const icoOf = async ({ member }: SentPayout) => (await balancesOf(db, member.id)).icoWallet
/** Returns the expected state after the change of one row. */
const with_ = (before: Awaited<ReturnType<typeof storedRows>>, { requestId }: SentPayout, row: object) => ({
  ...before,
  sendings: before.sendings.map((one) => (one.request_id === requestId ? { ...one, ...row } : one)),
})

describe('staff resolution of an open payout', () => {
  it.each<[string | null, string, string | null, SendingAnswer[]]>([
    [NONCE_TAKEN, 'SIGNED', null, ['GIVE_BACK']],
    [NO_TRANSFER, 'MINED', null, ['GIVE_BACK', 'ARRIVED']],
    [PART_ARRIVED, 'MINED', null, ['ARRIVED']],
    [PART_ARRIVED, 'MINED', 'GIVE_BACK', ['ARRIVED']],
    [PART_ARRIVED, 'MINED', 'ARRIVED', []],
    [PART_ARRIVED, 'SIGNED', null, []],
    [NONCE_TAKEN, 'MINED', null, []],
    [NO_TRANSFER, 'SIGNED', null, []],
    [null, 'SIGNED', null, []],
    [null, 'MINED', null, []],
    ['another', 'SIGNED', null, []],
    ['another', 'MINED', null, []],
    [NONCE_TAKEN, 'SIGNED', 'GIVE_BACK', []],
    [NO_TRANSFER, 'MINED', 'ARRIVED', []],
  ])('is allowed by %s, %s, %s: %j', (problem, state, answer, answers) => {
    expect(openAnswers({ problem, state, answer })).toEqual(answers)
  })

  it.each([
    [NONCE_TAKEN, SIGNED, true],
    [NO_TRANSFER, MINED, false],
  ])('is stored for that payout, once: %s', async (problem, state, cancels) => {
    const [other, payout] = [await approved('70'), await approved('100')]
    for (const each of [other, payout]) await change(each, { ...state(), problem })
    const ask = (payoutId: string, answer: SendingAnswer = 'GIVE_BACK') =>
      inTransaction(db, (tx) => answerSending(tx, instance.deps, { payoutId, answer }))
    const may = (payoutId: string, answer: SendingAnswer = 'GIVE_BACK') => inTransaction(db, (tx) => assertAnswerable(tx, payoutId, answer))
    const before = await storedRows()
    await expect(ask('nobody')).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(may('nobody')).rejects.toMatchObject({ code: 'NOT_FOUND' })
    if (cancels) {
      await expect(ask(payout.id, 'ARRIVED')).rejects.toMatchObject({ code: 'CHANGE_OUTDATED' })
      await expect(may(payout.id, 'ARRIVED')).rejects.toMatchObject({ code: 'CHANGE_OUTDATED' })
    }
    expect([await may(payout.id), await storedRows()]).toEqual([{ problem }, before])
    expect(await ask(payout.id)).toEqual({ memberId: payout.member.id })
    const after = with_(before, payout, { answer: 'GIVE_BACK', ...(cancels ? { cancel_asked_at: instance.clock.now() } : {}) })
    expect(await storedRows()).toEqual(after)
    for (const again of [ask, may]) await expect(again(payout.id)).rejects.toMatchObject({ code: 'CHANGE_OUTDATED' })
    expect(await storedRows()).toEqual(after)
  })

  it('locks the payout until it is stored, and a read does not', async () => {
    const payout = await approved('100')
    await change(payout, { ...MINED(), problem: NO_TRANSFER })
    const free = async () => {
      // The embedded database has one session, so no other call could wait.
      if (inject('testDatabase').kind !== 'postgres') return undefined
      const { rows } = await sql`select from payout_request where id = ${payout.requestId} for update skip locked`.execute(db)
      return rows.length
    }
    const seen = await inTransaction(db, async (tx) => {
      await assertAnswerable(tx, payout.id, 'ARRIVED')
      const asked = await free()
      await answerSending(tx, instance.deps, { payoutId: payout.id, answer: 'ARRIVED' })
      return [asked, await free()]
    })
    expect(seen).toEqual(inject('testDatabase').kind === 'postgres' ? [1, 0] : [undefined, undefined])
  })
})

describe('payout cancellation', () => {
  const cancel = (id: string, kind: 'bridge' | 'withdrawal' = 'bridge') =>
    inTransaction(db, (tx) => cancelSending(tx, instance.deps, { id, kind }))

  it('takes effect at once when nothing is signed, and is requested otherwise; once, and for that payout only', async () => {
    const [other, waits, out] = [await approved('70'), await approved('100'), await approved('50')]
    await change(out, SIGNED())
    const before = await storedRows()
    await expect(cancel('nobody')).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(cancel(waits.id, 'withdrawal')).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect(await cancel(out.id)).toBe('asked')
    const at = instance.clock.now()
    const asked = with_(before, out, { cancel_asked_at: at })
    expect(await storedRows()).toEqual(asked)
    await change(waits, { problem: 'too little' })
    expect([await cancel(waits.id), await icoOf(waits), await icoOf(other)]).toEqual(['returned', 100n * 10n ** 8n, 0n])
    expect(await storedRows()).toEqual({
      ...with_(asked, waits, { state: 'CANCELLED', cancel_asked_at: at, ended_at: at, problem: null }),
      requests: before.requests.map((row) =>
        row.id === waits.requestId ? { ...row, status: 'REJECTED', returned_at: at, reason: 'Cancelled before it was sent' } : row,
      ),
      words: [{ request: waits.id, step: 'returned' }],
    })
    await change(other, DONE())
    for (const { id } of [out, waits, other]) await expect(cancel(id)).rejects.toMatchObject({ code: 'ALREADY_DECIDED' })
    expect(await icoOf(waits)).toBe(100n * 10n ** 8n)
  })

  it('is rejected before the approval and for manual payouts', async () => {
    const { id: memberId } = await createTestMember(db)
    const to = someone()
    await fund(db, memberId, 'icoWallet', 100n * 10n ** 8n)
    await confirmPayoutAddress(db, memberId, to)
    const ask = { memberId, amount: 100n * 10n ** 8n, address: to, network: 0 as const }
    const { id } = await inTransaction(db, (tx) => requestBridge(tx, instance.deps, ask))
    await expect(cancel(id)).rejects.toMatchObject({ code: 'NOT_APPROVED' })
    const [staffId, txHash] = [(await createTestMember(db)).id, `0x${'a'.repeat(64)}`]
    await inTransaction(db, (tx) => approvePayout(tx, instance.deps, { payoutId: id, staffId, reason: 'paid', txHash, ...byOne }))
    expect((await storedRows()).sendings).toEqual([])
    await expect(cancel(id)).rejects.toMatchObject({ code: 'NOT_APPROVED' })
  })
})

describe('end of a payout', () => {
  it('happens once: a second or early end changes nothing', async () => {
    const payout = await approved('100')
    const { requestId } = payout
    const ended = { requestId, hash: '0x1' }
    const tries = {
      paid: () => inTransaction(db, (tx) => completePaid(tx, instance.deps, ended)),
      failed: () => inTransaction(db, (tx) => endFailed(tx, instance.deps, { ...ended, state: 'FAILED' })),
      taken: () =>
        inTransaction(db, (tx) =>
          returnReplacedPayout(tx, instance.deps, { requestId, kind: 'PAYOUT', wallet: '0xaa', nonce: 0, takenBy: null }),
        ),
      unsigned: () => inTransaction(db, async (tx) => (await returnUnsigned(tx, instance.deps, requestId), 0)),
    }
    for (const [state, may] of [
      [{ problem: null }, ['unsigned']],
      [{ ...SIGNED(), cancel_asked_at: instance.clock.now() }, ['taken']],
      [MINED(), ['paid', 'failed']],
      [DONE(), []],
    ] as const) {
      await change(payout, state)
      const before = await storedRows()
      for (const [name, end] of Object.entries(tries).filter(([one]) => !(may as readonly string[]).includes(one))) {
        expect(await end(), name).toBe(0)
        expect(await storedRows(), name).toEqual(before)
      }
    }
  })

  it('works with the smallest fee, and applies to that payout only', async () => {
    const [other, payout] = [await approved('70'), await approved('100')]
    const asked = await db.selectFrom('payout_request').selectAll().where('id', '=', payout.requestId).executeTakeFirstOrThrow()
    const changed = { ...asked, platform_fee: 1n, received: asked.received - 1n }
    await force((tx) =>
      tx
        .updateTable('payout_request')
        .set({ platform_fee: 1n, received: changed.received, owner_mac: ownerMac(instance.deps.config, changed) })
        .where('id', '=', payout.requestId)
        .execute(),
    )
    // Posts the missing unit.
    await inTransaction(db, (tx) =>
      post(tx, {
        kind: 'test',
        cause: { type: 'test', id: 'fee' },
        at: instance.clock.now(),
        transfers: [{ from: { system: 'SYS-BRIDGE', asset: 'COIN' }, to: { system: 'SYS-FEE', asset: 'COIN' }, amount: 1n }],
      }),
    )
    await inTransaction(db, (tx) => cancelSending(tx, instance.deps, { id: payout.id, kind: 'bridge' }))
    expect([await icoOf(payout), await icoOf(other)]).toEqual([100n * 10n ** 8n, 0n])
  })
})

describe('payout status', () => {
  it('shows staff the stored rows, and nothing for missing ones', async () => {
    const [other, payout] = [await approved('70'), await approved('100')]
    const at = instance.clock.now()
    expect(await sendingOf(db, instance.deps, 'nobody')).toBeUndefined()
    expect(await sendingOf(db, instance.deps, payout.id)).toEqual({ state: 'QUEUED', queuedAt: at, transactions: [] })
    const made = (hash: string, { requestId: request_id }: SentPayout, seconds: number, more: object = {}) =>
      db
        .insertInto('signed_transaction')
        .values({
          hash,
          request_id,
          purpose: 'PAYMENT',
          raw: '',
          gas_price: '1',
          made_at: new Date(at.getTime() + seconds * 1000),
          ...more,
        })
        .execute()
    await change(other, SIGNED())
    await change(payout, { ...MINED(), problem: NO_TRANSFER })
    await made('0x9', other, 0)
    await made('0x2', payout, 0)
    await made('0x1', payout, 1, { purpose: 'CANCEL', block: 7n, block_hash: '0x7' })
    const signed = { queuedAt: at, signedAt: at, nonce: Number(numbers), wallet: number().wallet }
    const explored = { ...instance.deps, config: { ...instance.deps.config, explorerUrl: 'https://scan.test' } }
    const transactions = (url: (hash: string) => object) => [
      { hash: '0x2', purpose: 'PAYMENT', ...url('0x2') },
      { hash: '0x1', purpose: 'CANCEL', block: 7, ...url('0x1') },
    ]
    expect(await sendingOf(db, explored, payout.id)).toEqual({
      ...signed,
      state: 'MINED',
      problem: NO_TRANSFER,
      answers: ['GIVE_BACK', 'ARRIVED'],
      transactions: transactions((hash) => ({ url: `https://scan.test/tx/${hash}` })),
    })
    await change(payout, { state: 'FAILED', problem: null, ended_at: at, cancel_asked_at: at, answer: 'GIVE_BACK' })
    const ended = {
      ...signed,
      state: 'FAILED',
      endedAt: at,
      cancelAskedAt: at,
      answer: 'GIVE_BACK',
      transactions: transactions(() => ({})),
    }
    expect(await sendingOf(db, { ...instance.deps, config: { ...instance.deps.config, explorerUrl: undefined } }, payout.id)).toEqual(ended)
    await change(other, { problem: NONCE_TAKEN })
    expect((await sendingOf(db, instance.deps, other.id))?.answers).toEqual(['GIVE_BACK'])
  })

  it('shows members a status for each requested payout that is under way or arrived', async () => {
    const rows = [
      {},
      SIGNED(),
      MINED(),
      DONE(),
      { ...DONE(), state: 'FAILED' },
      { ...DONE(), state: 'CANCELLED', cancel_asked_at: new Date() },
    ]
    const payouts: SentPayout[] = []
    for (const row of rows) {
      const payout = await approved('10')
      if ('state' in row) await change(payout, row)
      payouts.push(payout)
    }
    const ids = payouts.map(({ requestId }) => requestId)
    const words = ['waiting', 'sent', 'confirming', 'arrived']
    expect([...(await sendingLabels(db, ids))].toSorted(([a], [b]) => Number(a - b))).toEqual(
      words.map((word, index) => [ids[index], word]),
    )
    for (const [index, word] of words.entries())
      expect([...(await sendingLabels(db, ids.slice(index, index + 1)))]).toEqual([[ids[index], word]])
    // An empty list runs no query.
    expect(await sendingLabels({} as never, [])).toEqual(new Map())
  })

  it('shows the doctor open payouts with time, reason and wallets', async () => {
    const at = (seconds: number) => new Date(instance.clock.now().getTime() + seconds * 1000)
    const [W, V, U] = ['a', 'b', 'c'].map((letter) => `0x${letter.repeat(40)}`)
    expect(await sendingHealth(db)).toEqual({ wallets: [], open: 0, oldestSignedAt: null, problems: [], waiting: [] })
    for (const [address, chain_id] of [
      [U, CHAIN],
      [W, 2],
      [W, CHAIN],
      [V, CHAIN],
    ] as const)
      await db
        .insertInto('hot_wallet')
        .values({ chain_id: BigInt(chain_id), address: address ?? '', next_nonce: 7n })
        .execute()
    const signed = (state: string, wallet: string | undefined, seconds: number, more: object = {}) => ({
      ...number(),
      state,
      wallet,
      signed_at: at(seconds),
      ...more,
    })
    const ended = { ended_at: at(9), cancel_asked_at: at(9) }
    for (const row of [
      { problem: null },
      { problem: 'z' },
      { problem: 'short', token: USD },
      { problem: 'short' },
      signed('SIGNED', V, 5, { problem: 'taken' }),
      signed('SIGNED', V, 3, { problem: 'taken' }),
      signed('SIGNED', W, 4, { problem: 'taken' }),
      signed('MINED', W, 2, { problem: 'a' }),
      signed('DONE', W, 6, { ...ended, problem: 'old' }),
      signed('CANCELLED', V, 1, { ...ended, problem: 'old' }),
      signed('DONE', W, 8, { ...ended, chain_id: 2n }),
      signed('FAILED', V, 0, ended),
    ])
      await change(await approved('10'), row)
    const amount = exact('10')
    expect(await sendingHealth(db)).toEqual({
      wallets: [
        { chainId: 2, address: W, nextNonce: 7 },
        { chainId: CHAIN, address: W, nextNonce: 7 },
        { chainId: CHAIN, address: V, nextNonce: 7 },
        { chainId: CHAIN, address: U, nextNonce: 7 },
      ],
      open: 8,
      oldestSignedAt: at(3),
      problems: [
        { problem: 'taken', count: 3 },
        { problem: 'short', count: 2 },
        { problem: 'a', count: 1 },
        { problem: 'z', count: 1 },
      ],
      waiting: [
        { token: COIN, amount: 3n * amount },
        { token: USD, amount },
      ],
    })
  })
})
