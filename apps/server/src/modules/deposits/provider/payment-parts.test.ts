import { formatUnits, ONE, unitsRoundedDown } from '@tizara/money'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { searchParameters } from '../../../../../../test/search.ts'
import { type TestApp, testApp } from '../../../../test/app.ts'
import { testDatabase } from '../../../../test/database.ts'
import { createTestMember } from '../../../../test/members.ts'
import type { ProviderPayment } from '../../../gateways/payment-provider/index.ts'
import { balancesOf, ledgerChecks, runAudit } from '../../../ledger/index.ts'
import { inTransaction } from '../../../platform/db/database.ts'
import { applyPayment } from './apply-payment.ts'
import { findDepositReceipt } from '../deposit-receipt.ts'
import { approveDeposit, auditChecks, depositsToReview, queuedDeposit } from '../index.ts'
import { FAR_OVERPAID } from './payment.rules.ts'

let at: TestApp
beforeAll(async () => {
  const { db } = await testDatabase()
  at = await testApp(db, { routes: () => undefined })
})

/** Creates an order for 100 USD, and helpers for provider answers. */
async function order() {
  const member = await createTestMember(at.db)
  const orderId = at.deps.ids.publicId()
  const values = { public_id: orderId, member_id: member.id, method: 'hosted', description: 'USDT', created_at: at.clock.now() }
  const { id } = await at.db
    .insertInto('deposit')
    .values({ ...values, amount: 100n * ONE, usd_amount: 100n * ONE })
    .returning('id')
    .executeTakeFirstOrThrow()
  const answer = (name: string, status: ProviderPayment['status'], paidText: string, reported: Partial<ProviderPayment> = {}) =>
    inTransaction(at.db, (tx) =>
      applyPayment(tx, at.deps, id, {
        paymentId: `${name}-${orderId}`,
        orderId,
        status,
        payCurrency: 'usdtbsc',
        actuallyPaid: unitsRoundedDown(paidText) ?? 0n,
        paidText,
        ...reported,
      }),
    )
  const balance = async () => (await balancesOf(at.db, member.id)).depositWallet
  const flags = async () => {
    const rows = await at.db.selectFrom('provider_payment').select('review_reason').where('deposit_id', '=', id).execute()
    return rows.flatMap(({ review_reason: reason }) => reason ?? [])
  }
  return { member, orderId, answer, balance, flags }
}

const broken = async () => (await runAudit(at.db, [...ledgerChecks, ...auditChecks])).filter((result) => result.broken > 0)

describe('payment in parts', () => {
  it('[MF-01] [I8] credits the increase of each part, and shows each on the receipt', async () => {
    const { answer, balance, member, orderId, flags } = await order()
    await answer('a', 'partial', '40.000000009')
    expect(await balance()).toBe(40n * ONE)
    await answer('a', 'partial', '40.000000019')
    await answer('a', 'confirming', '70')
    expect(await balance()).toBe(40n * ONE + 1n)
    at.clock.advance(60_000)
    await answer('a', 'settled', '100')
    expect(await balance()).toBe(100n * ONE)
    expect(await flags()).toEqual([])
    const lines = (await findDepositReceipt(at.db, member.id, orderId))?.lines.map(({ value }) => value)
    expect(lines).toEqual(['The exact amount arrived', '40', '0.00000001', '59.99999999'])
    const row = await at.db.selectFrom('provider_payment').selectAll().where('payment_id', '=', `a-${orderId}`).executeTakeFirst()
    expect(row).toMatchObject({ paid_text: '100', updated_at: at.clock.now() })
  })

  it.each<[string, ProviderPayment['status'], string, Partial<ProviderPayment>]>([
    ['less than was credited', 'settled', '39', {}],
    ['refunded after the credit', 'refunded', '40', {}],
    ['expired after the credit', 'expired', '40', {}],
    ['awaiting after the credit', 'awaiting', '0', {}],
    ['confirming after the credit', 'confirming', '1', {}],
    ['paid in doge', 'settled', '60', { payCurrency: 'doge' }],
    ['paid, but nothing arrived', 'settled', '0', {}],
    ['could not read its amount many', 'unknown', 'many', { problem: 'could not read its amount many' }],
  ])('[I8] %s: goes to review until the provider reports something else', async (reason, status, text, reported) => {
    const { answer, balance, flags } = await order()
    await answer('a', 'partial', '40')
    await answer('a', status, text, reported)
    expect([await flags(), await balance(), await depositsToReview(at.db)]).toEqual([[reason], 40n * ONE, 1])
    expect(await broken()).toEqual([])
    await answer('a', 'settled', '100')
    expect([await flags(), await balance(), await depositsToReview(at.db)]).toEqual([[], 100n * ONE, 0])
  })

  it('[I8] far above the requested amount: is credited only after two approvals of the whole amount', async () => {
    const { answer, balance, flags, orderId } = await order()
    await answer('a', 'partial', '40')
    await answer('b', 'settled', '1061')
    expect([await flags(), await balance()]).toEqual([[FAR_OVERPAID], 40n * ONE])
    // A larger first payment does not lower the credit.
    await answer('a', 'settled', '1041')
    expect([(await flags()).length, await balance(), await broken()]).toEqual([2, 40n * ONE, []])
    expect(await queuedDeposit(at.db, orderId)).toMatchObject({ credit: 2062n * ONE, credited: 40n * ONE, isPaid: false })
    const [first, second] = [await createTestMember(at.db), await createTestMember(at.db)]
    const approve = (staffId: bigint, amount = 2062n * ONE) =>
      inTransaction(at.db, (tx) =>
        approveDeposit(tx, at.deps, { depositId: orderId, staffId, reason: 'seen', amount, needsTwo: () => Promise.resolve(false) }),
      )
    await expect(approve(first.id, 60n * ONE)).rejects.toMatchObject({ code: 'INVALID_AMOUNT' })
    expect(await approve(first.id)).toBe('waits-for-second')
    await expect(approve(first.id)).rejects.toMatchObject({ code: 'FOUR_EYES' })
    expect([await approve(second.id), await balance()]).toEqual(['approved', 2102n * ONE])
    await answer('b', 'settled', '1061')
    expect([await balance(), await depositsToReview(at.db), await broken()]).toEqual([2102n * ONE, 0, []])
    await answer('b', 'settled', '5000')
    expect([await balance(), await depositsToReview(at.db)]).toEqual([2102n * ONE, 1])
  })

  const texts = fc.tuple(fc.bigInt({ min: 0n, max: 200n * ONE }), fc.constantFrom('', '9', '004', '999999999999')).map(
    // Digits beyond the platform's 8 decimals never add a unit.
    ([units, finer]) => `${units / ONE}.${(units % ONE).toString().padStart(8, '0')}${finer}`,
  )
  const story = fc.record({
    amounts: fc.array(texts, { minLength: 1, maxLength: 4 }),
    /** Answers in order, with repeats; -1 is an unreadable answer. */
    reports: fc.array(fc.integer({ min: -1, max: 3 }), { maxLength: 8 }),
  })

  it('[MF-01] [I8] of two payments reported in any order: credits the received amount once', async () => {
    await fc.assert(
      fc.asyncProperty(story, story, fc.array(fc.boolean(), { minLength: 16, maxLength: 16 }), async (first, second, turns) => {
        const { answer, balance, flags } = await order()
        const payments = [first, second].map(({ amounts, reports }, index) => {
          const grown = amounts.toSorted((a, b) => Number((unitsRoundedDown(a) ?? 0n) - (unitsRoundedDown(b) ?? 0n)))
          const last = grown.length - 1
          const hear = (which: number) =>
            which < 0
              ? answer(`p${index}`, 'unknown', '?', { orderId: null, problem: 'could not read its amount ?' })
              : answer(`p${index}`, which >= last ? 'settled' : 'partial', grown[Math.min(which, last)] ?? '0')
          return { arrived: unitsRoundedDown(grown[last] ?? '0') ?? 0n, hear, reports: [...reports], last }
        })
        const all = payments.reduce((sum, { arrived }) => sum + arrived, 0n)
        for (const turn of turns) {
          const payment = payments[turn ? 1 : 0]
          const which = payment?.reports.shift()
          if (which !== undefined) await payment?.hear(which)
          expect(await balance()).toBeLessThanOrEqual(all)
        }
        for (const { hear, last } of payments) await hear(last)
        const zero = payments.filter(({ arrived }) => arrived === 0n).map(() => 'paid, but nothing arrived')
        expect([formatUnits(await balance()), await flags()]).toEqual([formatUnits(all), zero])
      }),
      searchParameters('payments in parts', { short: 25, long: 250 }),
    )
    expect(await broken()).toEqual([])
  })
})
