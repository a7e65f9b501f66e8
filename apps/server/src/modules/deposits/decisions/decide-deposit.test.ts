import { ONE } from '@tizara/money'
import { beforeAll, describe, expect, it } from 'vitest'
import { type TestApp, testApp } from '../../../../test/app.ts'
import { testDatabase } from '../../../../test/database.ts'
import { limitsOf } from '../../../../test/limits.ts'
import { byOne, createTestMember, type TestMember } from '../../../../test/members.ts'
import type { ProviderPayment } from '../../../gateways/payment-provider/index.ts'
import { balancesOf, runAudit } from '../../../ledger/index.ts'
import { inTransaction } from '../../../platform/db/database.ts'
import { applyPayment } from '../provider/apply-payment.ts'
import { readPageRange } from '../../../platform/db/paging.ts'
import { approveDeposit, auditChecks, depositQueue, depositsFound, depositsToReview, rejectDeposit } from '../index.ts'

let at: TestApp
let staff: TestMember
let second: TestMember
beforeAll(async () => {
  const { db } = await testDatabase()
  at = await testApp(db, { routes: () => undefined })
  staff = await createTestMember(db, { role: 'ADMIN' })
  second = await createTestMember(db, { role: 'ADMIN' })
})

async function order(usd: bigint) {
  const member = await createTestMember(at.db)
  const publicId = at.deps.ids.publicId()
  const { id } = await at.db
    .insertInto('deposit')
    .values({
      public_id: publicId,
      member_id: member.id,
      method: 'hosted',
      description: 'USDT',
      amount: usd * ONE,
      usd_amount: usd * ONE,
      created_at: at.clock.now(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const arrive = (paymentId: string, payCurrency: string, status: ProviderPayment['status'] = 'settled') =>
    inTransaction(at.db, (tx) =>
      applyPayment(tx, at.deps, id, {
        paymentId: `${paymentId}-${publicId}`,
        orderId: publicId,
        status,
        payCurrency,
        actuallyPaid: usd * ONE,
        paidText: String(usd),
      }),
    )
  const reject = () => inTransaction(at.db, (tx) => rejectDeposit(tx, at.deps, { depositId: publicId, staffId: staff.id, reason: 'seen' }))
  const approve = (credits = usd, who = staff) =>
    inTransaction(at.db, (tx) =>
      approveDeposit(tx, at.deps, { depositId: publicId, staffId: who.id, reason: 'seen', amount: credits * ONE, ...byOne }),
    )
  const balance = async () => (await balancesOf(at.db, member.id)).depositWallet
  /** Reads the deposit from both queue lists: pending, and all. */
  const queued = async () =>
    Promise.all(
      (['PENDING', undefined] as const).map(async (status) => {
        const { data, meta } = await depositQueue(at.db, { pageRange: readPageRange({}), status })
        expect(meta.total).toBe(data.length)
        return data.find((row) => row.id === publicId)
      }),
    )
  const rows = () =>
    Promise.all([
      at.db.selectFrom('deposit').selectAll().where('id', '=', id).execute(),
      at.db.selectFrom('provider_payment').selectAll().where('deposit_id', '=', id).orderBy('payment_id').execute(),
      balance(),
    ])
  return { id, publicId, memberId: member.id, arrive, approve, reject, balance, queued, rows }
}

it('finds open deposits by member and amount, any deposit by id, and none of other members', async () => {
  const [own, others] = [await order(83n), await order(84n)]
  for (const one of [own, others]) await one.arrive('p', 'usdc')
  const find = async (input: Partial<Parameters<typeof depositsFound>[1]>) =>
    (await depositsFound(at.db, { memberIds: [], limit: 5, ...input })).map((row) => row.id)
  const ways = [{ memberIds: [own.memberId] }, { amount: 83n * ONE }, { id: own.publicId }]
  expect(await Promise.all(ways.map(find))).toEqual([[own.publicId], [own.publicId], [own.publicId]])
  expect(await find({ memberIds: [own.memberId, others.memberId], limit: 1 })).toHaveLength(1)
  expect(await find({})).toEqual([])
  await own.reject()
  expect(await Promise.all(ways.map(find))).toEqual([[], [], [own.publicId]])
  await others.reject()
})

describe('deposit decided by staff', () => {
  it('[I8] is not credited again for a later payment, which goes to review', async () => {
    const { arrive, approve, balance } = await order(80n)
    expect(await approve()).toBe('waits-for-second')
    expect(await approve(80n, second)).toBe('approved')
    await arrive('late', 'usdtbsc')
    expect(await balance()).toBe(80n * ONE)
    expect(await depositsToReview(at.db)).toBe(1)
    expect(await approve(0n)).toBe('approved')
    await arrive('late', 'usdtbsc')
    expect(await balance()).toBe(80n * ONE)
    expect(await depositsToReview(at.db)).toBe(0)
  })

  it('[I8] is credited once for a payment in another currency, however often the provider repeats it', async () => {
    const { arrive, approve, balance } = await order(15n)
    await arrive('odd', 'doge')
    expect(await balance()).toBe(0n)
    expect(await approve()).toBe('waits-for-second')
    expect(await approve(15n, second)).toBe('approved')
    for (let time = 0; time < 3; time += 1) await arrive('odd', 'doge')
    expect(await balance()).toBe(15n * ONE)
    expect(await depositsToReview(at.db)).toBe(0)
  })

  it('[I8] keeps its credit when a review is rejected, and credits nothing for a refund', async () => {
    const { arrive, approve, reject, balance } = await order(33n)
    await arrive('one', 'usdtbsc')
    await arrive('one', 'usdtbsc', 'refunded')
    expect(await depositsToReview(at.db)).toBe(1)
    await reject()
    expect(await balance()).toBe(33n * ONE)
    await expect(approve(0n)).rejects.toMatchObject({ code: 'ALREADY_DECIDED' })
  })

  it.each(['approve', 'reject'] as const)('[I7] [I8] is closed after %s of its review, and does not change again', async (how) => {
    const { arrive, queued, rows, ...decide } = await order(21n)
    await arrive('odd', 'usdc')
    const waiting = { status: 'PENDING', reviews: ['paid in usdc'] }
    expect(await queued()).toMatchObject([waiting, waiting])
    await decide[how]()
    const [open, done] = await queued()
    expect(open).toBeUndefined()
    const credited = how === 'approve' ? 21n * ONE : 0n
    expect(done).toMatchObject({ status: how === 'approve' ? 'APPROVED' : 'REJECTED', reviews: [], credited })
    const [deposits, payments] = await rows()
    at.clock.advance(1_000)
    for (const again of [() => decide.approve(0n), () => decide.approve(), decide.reject])
      await expect(again()).rejects.toMatchObject({ code: 'ALREADY_DECIDED' })
    expect(await rows()).toEqual([deposits, payments, credited])
    const late = { status: 'PENDING', reviews: ['arrived after the decision'] }
    // A second payment is a separate review. The first keeps its closing time.
    await arrive('second', 'usdc')
    expect(await queued()).toMatchObject([late, late])
    await decide.reject()
    const decision = { decidedBy: staff.id, firstApprovedBy: null }
    const both = { ...decision, reason: 'seen', earlier: [{ ...decision, outcome: how === 'approve' ? 'APPROVED' : 'REJECTED' }] }
    expect((await queued())[1]).toMatchObject(both)
    const after = (await rows())[1]
    const odd = payments.find((payment) => payment.review_reason !== null)
    expect(after.find((payment) => payment.payment_id === odd?.payment_id)).toEqual(odd)
    expect(after.find((payment) => payment.payment_id.startsWith('second'))?.reviewed_at).toEqual(at.clock.now())
  })

  it('is listed after the pending ones, newest decision first', async () => {
    const orders = [await order(5n), await order(6n), await order(7n), await order(8n)]
    for (const one of orders.slice(0, 2)) await one.reject()
    const ids = orders.map(({ publicId }) => publicId)
    const { data } = await depositQueue(at.db, { pageRange: readPageRange({ limit: 1000 }) })
    const positions = data.map(({ id }) => ids.indexOf(id)).filter((position) => position >= 0)
    expect(positions).toEqual([2, 3, 1, 0])
  })

  it('[I8] passes the audit', async () => {
    expect((await runAudit(at.db, auditChecks)).filter((result) => result.broken > 0)).toEqual([])
  })
})

it('[I2] limits every amount column with a check', async () => {
  expect(await limitsOf(at.db, 'deposit')).toEqual({ amount: '1…', credited: '0…', usd_amount: '0…' })
  expect(await limitsOf(at.db, 'provider_payment')).toEqual({ actually_paid: '0…', credited_amount: '0…' })
  expect(await limitsOf(at.db, 'payment_credit')).toEqual({ part: '1…', amount: '1…' })
  expect(await limitsOf(at.db, 'invoice_transfer')).toEqual({ amount: '1…', confirmations: '0…', usd_amount: '0…' })
})
