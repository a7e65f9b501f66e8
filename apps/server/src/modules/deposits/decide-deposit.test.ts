import { ONE } from '@tizara/money'
import { beforeAll, describe, expect, it } from 'vitest'
import { type TestApp, testApp } from '../../../test/app.ts'
import { testDatabase } from '../../../test/database.ts'
import { byOne, createTestMember, type TestMember } from '../../../test/members.ts'
import type { ProviderPayment } from '../../gateways/payment-provider/index.ts'
import { balancesOf, runAudit } from '../../ledger/index.ts'
import { inTransaction } from '../../platform/database.ts'
import { applyPayment } from './apply-payment.ts'
import { approveDeposit, auditChecks, depositsToReview, rejectDeposit } from './index.ts'

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
      way: 'hosted',
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
      }),
    )
  const reject = () => inTransaction(at.db, (tx) => rejectDeposit(tx, at.deps, { depositId: publicId, staffId: staff.id, reason: 'seen' }))
  const approve = (credits = usd, who = staff) =>
    inTransaction(at.db, (tx) =>
      approveDeposit(tx, at.deps, { depositId: publicId, staffId: who.id, reason: 'seen', amount: credits * ONE, ...byOne }),
    )
  const balance = async () => (await balancesOf(at.db, member.id)).depositWallet
  return { id, arrive, approve, reject, balance }
}

describe('a deposit that a person decided', () => {
  it('[I8] is not credited again when the payment is reported afterwards; it is looked at instead', async () => {
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

  it('[I8] credits a payment in another currency once, however often the provider repeats itself', async () => {
    const { arrive, approve, balance } = await order(15n)
    await arrive('odd', 'doge')
    expect(await balance()).toBe(0n)
    await approve()
    for (let time = 0; time < 3; time += 1) await arrive('odd', 'doge')
    expect(await balance()).toBe(15n * ONE)
    expect(await depositsToReview(at.db)).toBe(0)
  })

  it('[I8] keeps what was credited when a review is refused, and credits nothing for a refund', async () => {
    const { arrive, approve, reject, balance } = await order(33n)
    await arrive('one', 'usdtbsc')
    await arrive('one', 'usdtbsc', 'refunded')
    expect(await depositsToReview(at.db)).toBe(1)
    await reject()
    expect(await balance()).toBe(33n * ONE)
    await expect(approve(0n)).rejects.toMatchObject({ code: 'ALREADY_DECIDED' })
  })

  it('[I8] leaves sums that the audit can follow', async () => {
    expect((await runAudit(at.db, auditChecks)).filter((result) => result.broken > 0)).toEqual([])
  })
})
