import { ONE, unitsRoundedDown } from '@tizara/money'
import { sql } from 'kysely'
import { beforeEach, describe, expect, inject, it } from 'vitest'
import { testApp } from '../../../../test/app.ts'
import { lockWaits } from '../../../../test/lock-waits.ts'
import { testDatabase } from '../../../../test/database.ts'
import { createTestMember } from '../../../../test/members.ts'
import type { PaymentStatus, ProviderPayment } from '../../../gateways/payment-provider/index.ts'
import { balancesOf } from '../../../ledger/index.ts'
import { inTransaction, type Tx } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { applyPayment } from './apply-payment.ts'
import { FAR_OVERPAID } from './payment.rules.ts'

const { db } = await testDatabase()
const at = await testApp(db, { routes: () => undefined })
/** Captured log messages. */
let logged: string[] = []
const log = Object.create(at.deps.log, {
  error: { value: (_: object, text: string) => void logged.push(text) },
}) as Deps['log']
const deps = { ...at.deps, log }
beforeEach(() => void (logged = []))

interface Order {
  id: bigint
  publicId: string
  memberId: bigint
}
async function order(): Promise<Order> {
  const { id: memberId } = await createTestMember(db)
  const publicId = at.deps.ids.publicId()
  const row = { public_id: publicId, member_id: memberId, method: 'hosted', description: 'USDT', created_at: at.clock.now() }
  const { id } = await db
    .insertInto('deposit')
    .values({ ...row, amount: 100n * ONE, usd_amount: 100n * ONE })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { id, publicId, memberId }
}
const payment = (paymentId: string, status: PaymentStatus, paidText: string, more: Partial<ProviderPayment> = {}): ProviderPayment => ({
  paymentId,
  orderId: null,
  status,
  payCurrency: 'usdtbsc',
  actuallyPaid: unitsRoundedDown(paidText) ?? 0n,
  paidText,
  ...more,
})
const apply = ({ id }: Order, ...[name, status, text, more]: Parameters<typeof payment>) =>
  inTransaction(db, (tx) => applyPayment(tx, deps, id, payment(name, status, text, more)))
const rows = async () => ({
  deposits: await db.selectFrom('deposit').selectAll().orderBy('id').execute(),
  payments: await db.selectFrom('provider_payment').selectAll().orderBy('payment_id').execute(),
  credits: await db.selectFrom('payment_credit').selectAll().orderBy('payment_id').orderBy('part').execute(),
})
const walletOf = async ({ memberId }: Order) => (await balancesOf(db, memberId)).depositWallet
let names = 0
const name = () => `pay-${String((names += 1)).padStart(4, '0')}`

describe('payment answer of the provider', () => {
  it('[I8] changes only that payment and its order, and credits a separate part', async () => {
    const [mine, theirs] = [await order(), await order()]
    const [one, two, three] = [name(), name(), name()]
    await apply(theirs, three, 'partial', '30')
    await apply(mine, two, 'partial', '20')
    at.clock.advance(60_000)
    let before = await rows()
    const now = at.clock.now()
    await apply(mine, one, 'partial', '40.000000009')
    const credited = (part: number, amount: bigint, credited_at = now) => ({
      payment_id: one,
      part,
      amount,
      credited_at,
      transfer_id: expect.any(BigInt),
    })
    const row = {
      payment_id: one,
      deposit_id: mine.id,
      status: 'partial',
      pay_currency: 'usdtbsc',
      actually_paid: 40n * ONE,
      paid_text: '40.000000009',
    }
    const found = { ...row, credited_amount: 40n * ONE, review_reason: null, updated_at: now, reviewed_at: null }
    const order_ = (after: object) => before.deposits.map((one_) => (one_.id === mine.id ? { ...one_, ...after } : one_))
    expect(await rows()).toEqual({
      deposits: order_({ credited: 60n * ONE, usd_amount: 60n * ONE }),
      payments: [found, ...before.payments],
      credits: [credited(1, 40n * ONE), ...before.credits],
    })
    at.clock.advance(60_000)
    before = await rows()
    await apply(mine, one, 'settled', '41')
    const later = at.clock.now()
    expect(await rows()).toEqual({
      deposits: order_({ credited: 61n * ONE, usd_amount: 61n * ONE }),
      payments: before.payments.map((each) =>
        each.payment_id === one
          ? { ...found, status: 'settled', actually_paid: 41n * ONE, paid_text: '41', credited_amount: 41n * ONE, updated_at: later }
          : each,
      ),
      credits: [credited(1, 40n * ONE), credited(2, ONE, later), ...before.credits.filter((each) => each.payment_id !== one)],
    })
    expect([await walletOf(mine), await walletOf(theirs), logged]).toEqual([61n * ONE, 30n * ONE, []])
  })

  it('[I8] credits the smallest unit, decides once, and keeps the requested amount while nothing arrived', async () => {
    const [least, none, ended] = [await order(), await order(), await order()]
    await apply(none, name(), 'confirming', '0')
    await apply(ended, name(), 'expired', '0')
    const paid = name()
    await apply(least, paid, 'settled', '0.00000001')
    const decided_at = at.clock.now()
    at.clock.advance(1000)
    await apply(least, paid, 'settled', '0.00000001')
    const of = async ({ id }: Order) =>
      db.selectFrom('deposit').select(['status', 'credited', 'usd_amount', 'decided_at']).where('id', '=', id).executeTakeFirst()
    expect(await of(least)).toEqual({ status: 'APPROVE', credited: 1n, usd_amount: 1n, decided_at })
    expect(await of(none)).toEqual({ status: 'PENDING', credited: 0n, usd_amount: 100n * ONE, decided_at: null })
    expect(await of(ended)).toEqual({ status: 'REJECT', credited: 0n, usd_amount: 100n * ONE, decided_at })
  })

  it('[I8] changes nothing for a payment of another order, and alerts staff', async () => {
    const [mine, theirs] = [await order(), await order()]
    const theirsIs = name()
    await apply(theirs, theirsIs, 'confirming', '5')
    const before = await rows()
    await apply(mine, name(), 'settled', '50', { orderId: theirs.publicId })
    await apply(mine, theirsIs, 'settled', '50')
    expect([await rows(), logged.length]).toEqual([before, 2])
    await apply(mine, name(), 'settled', '50', { orderId: mine.publicId })
    expect([await walletOf(mine), await walletOf(theirs), logged.length]).toEqual([50n * ONE, 0n, 2])
  })

  it('[I8] stores up to 100 payments per order, whatever other orders have', async () => {
    const [full, other] = [await order(), await order()]
    await sql`insert into provider_payment (payment_id, deposit_id, status, pay_currency, actually_paid, paid_text, updated_at)
      select 'many-' || n, ${full.id}, 'awaiting', 'usdtbsc', 0, '0', ${at.clock.now()} from generate_series(1, 99) n`.execute(db)
    await apply(full, name(), 'settled', '1')
    await apply(full, name(), 'settled', '2')
    await apply(other, name(), 'settled', '3')
    expect([await walletOf(full), await walletOf(other), logged.length]).toEqual([ONE, 3n * ONE, 1])
  })

  it("[I8] is held when the order's total far exceeds the request, without counting the payment twice", async () => {
    const mine = await order()
    const grows = name()
    await apply(mine, grows, 'partial', '600')
    await apply(mine, grows, 'partial', '700')
    expect([await walletOf(mine), logged]).toEqual([700n * ONE, []])
    await apply(mine, name(), 'settled', '300.00000001')
    expect([await walletOf(mine), logged]).toEqual([700n * ONE, ['a payment needs a decision by staff']])
    await apply(mine, name(), 'settled', '300')
    expect(await walletOf(mine)).toBe(1000n * ONE)
  })

  it('[I8] is held when two parallel payments together far exceed the request', async () => {
    const mine = await order()
    const pay = (tx: Tx) => applyPayment(tx, deps, mine.id, payment(name(), 'settled', '600'))
    const waiting = () => lockWaits(db)
    const { other } = await inTransaction(db, async (tx) => {
      await pay(tx)
      const begun = inTransaction(db, pay)
      // The embedded database has one session, so the other call has not begun there.
      if (inject('testDatabase').kind === 'postgres') await expect.poll(waiting).toHaveLength(1)
      return { other: begun }
    })
    await other
    const flags = await db
      .selectFrom('provider_payment')
      .select('review_reason')
      .where('deposit_id', '=', mine.id)
      .orderBy('payment_id')
      .execute()
    expect([await walletOf(mine), flags.map(({ review_reason }) => review_reason)]).toEqual([600n * ONE, [null, FAR_OVERPAID]])
  })
})

describe('reviewed payment', () => {
  const reviewed_at = new Date('2026-03-01T00:00:00Z')
  const looked = async () => {
    const [mine, pay] = [await order(), name()]
    await apply(mine, pay, 'settled', '40', { payCurrency: 'doge' })
    await db.updateTable('provider_payment').set({ reviewed_at }).where('payment_id', '=', pay).execute()
    logged = []
    const flag = async () => {
      const found = await db.selectFrom('provider_payment').selectAll().where('payment_id', '=', pay).executeTakeFirstOrThrow()
      return [found.review_reason, found.reviewed_at, found.credited_amount]
    }
    return { flag, answer: (status: PaymentStatus, text: string, payCurrency = 'doge') => apply(mine, pay, status, text, { payCurrency }) }
  }

  it.each<[string, Parameters<Awaited<ReturnType<typeof looked>>['answer']>, unknown[], string[]]>([
    ['the same again, keeps the review', ['settled', '40'], ['paid in doge', reviewed_at, 0n], []],
    ['another amount, needs review again', ['settled', '41'], ['paid in doge', null, 0n], []],
    ['another state, needs review again', ['partial', '40'], ['paid in doge', null, 0n], []],
    [
      'another currency, needs review again and alerts staff',
      ['settled', '40', 'btc'],
      ['paid in btc', null, 0n],
      ['a payment needs a decision by staff'],
    ],
    ['a creditable payment, credits it', ['settled', '40', 'usdtbsc'], ['paid in doge', reviewed_at, 40n * ONE], []],
  ])('[I8] after the provider reports %s', async (_, answered, flagged, expected) => {
    const { answer, flag } = await looked()
    await answer(...answered)
    expect([await flag(), logged]).toEqual([flagged, expected])
  })

  it('[I8] alerts staff once per review reason, and not when the reason ends', async () => {
    const [mine, pay] = [await order(), name()]
    for (const [currency, expected] of [
      ['doge', 1],
      ['doge', 1],
      ['btc', 2],
      ['usdtbsc', 2],
    ] as const) {
      await apply(mine, pay, 'settled', '40', { payCurrency: currency })
      expect(logged).toHaveLength(expected)
    }
    const found = await db
      .selectFrom('provider_payment')
      .select(['review_reason', 'reviewed_at'])
      .where('payment_id', '=', pay)
      .executeTakeFirst()
    expect(found).toEqual({ review_reason: null, reviewed_at: null })
  })
})
