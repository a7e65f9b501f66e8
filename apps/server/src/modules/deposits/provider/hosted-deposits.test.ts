import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { ONE } from '@tizara/money'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { testApp, type TestApp } from '../../../../test/app.ts'
import { testDatabase } from '../../../../test/database.ts'
import { createTestMember, type TestMember } from '../../../../test/members.ts'
import {
  createPaymentProvider,
  type PaymentProvider,
  ProviderFailure,
  type ProviderPayment,
  signNotice,
} from '../../../gateways/payment-provider/index.ts'
import { type SandboxProvider, startSandboxProvider } from '../../../sandbox/index.ts'
import { runJob } from '../../../jobs/job.ts'
import { balancesOf, ledgerChecks, runAudit } from '../../../ledger/index.ts'
import { findDepositReceipt } from '../deposit-receipt.ts'
import { auditChecks, depositRoutes, depositJobs, findingJob, lastScan, OPEN_PAYMENTS_MAX, type DepositPorts } from '../index.ts'

const SECRET = 'a-secret-of-these-tests'
const MINUTE = 60_000
const { db } = await testDatabase()
let instance: TestApp
let sandbox: SandboxProvider
let base = ''

/** Real provider client, with a switch for outages and overrides for answers. */
let down = false
const lies = new Map<string, Partial<ProviderPayment>>()
/** Payments listed by the provider before an order's true ones. */
const besides = new Map<string, ProviderPayment[]>()
/** Start dates of list requests, and orders omitted from the list. */
const listed: Date[] = []
const hidden = new Set<string>()
const ports: DepositPorts = {
  chain: null,
  noticeUrl: '',
  get provider() {
    return watched
  },
}
let real: PaymentProvider
const reported = (payment: ProviderPayment) => ({ ...payment, ...lies.get(payment.orderId ?? '') })
const reachable = async <T>(call: () => Promise<T>) => {
  if (down) throw new ProviderFailure('cut by the test')
  return call()
}
const watched: PaymentProvider = {
  createInvoice: (order) => reachable(() => real.createInvoice(order)),
  getPayment: (id) =>
    reachable(async () => {
      if (id === 'silent') throw new ProviderFailure('no answer about this one')
      const payment = await real.getPayment(id)
      return payment === null || hidden.has(payment.paymentId) ? null : reported(payment)
    }),
  listPayments: (id) =>
    reachable(async () => {
      const payments = (await real.listPayments(id)).map(reported)
      return [...(besides.get(payments[0]?.orderId ?? '') ?? []), ...payments]
    }),
  listSince: (since, page) =>
    reachable(async () => {
      listed.push(since)
      return (await real.listSince(since, page)).filter(({ orderId }) => !hidden.has(orderId ?? '')).map(reported)
    }),
  verifyNotice: (body, signature) => real.verifyNotice(body, signature),
}

beforeAll(async () => {
  sandbox = await startSandboxProvider({ secret: SECRET, port: 0, retryMs: 20 })
  real = createPaymentProvider({ url: sandbox.url, apiKey: SECRET, noticeSecrets: [SECRET] })
  instance = await testApp(db, { routes: (bind) => depositRoutes(bind, ports), jobs: depositJobs(ports) })
  base = await instance.app.listen({ port: 0, host: '127.0.0.1' })
  ports.noticeUrl = `${base}/api/v1/pay/notice`
})
afterAll(() => sandbox.close())
beforeEach(() => {
  down = false
  lies.clear()
  listed.length = 0
  hidden.clear()
})

interface Person {
  member: TestMember
  token: string
}
async function person(): Promise<Person> {
  const member = await createTestMember(db, { name: 'Ada Payer' })
  return { member, token: (await instance.signIn(member.id)).token }
}
const create = (who: Person, amount: unknown, key?: string) =>
  instance.call('POST', '/pay/create-payment', { token: who.token, body: { amount }, ...(key === undefined ? {} : { key }) })
/** Submits a choice on the payment page, like the browser's form. */
const pay = (url: string, outcome: string) => fetch(url, { method: 'POST', body: new URLSearchParams({ outcome }), redirect: 'manual' })
const usd = async (who: Person) => (await balancesOf(db, who.member.id)).depositWallet
const again = async (who: Person) => ({ ...who, token: (await instance.signIn(who.member.id)).token })
const records = async (who: Person) =>
  (await instance.call('GET', '/pay/get-my-depsit?page=1&limit=25', { token: (await again(who)).token })).body.data
const notice = (body: object, secret = SECRET) =>
  instance.call('POST', '/pay/notice', { body, headers: { 'x-nowpayments-sig': signNotice(body, secret) } })
const paymentsOf = (orderId: string) =>
  db
    .selectFrom('provider_payment')
    .selectAll('provider_payment')
    .innerJoin('deposit', 'deposit.id', 'deposit_id')
    .where('public_id', '=', orderId)
    .execute()

describe('payment list of the provider', () => {
  const [hour, day] = [60 * MINUTE, 24 * 60 * MINUTE]
  const later = async (time: number) => {
    instance.clock.advance(time)
    listed.length = 0
    await instance.runJobs()
    return listed.map((since) => instance.clock.now().getTime() - since.getTime())
  }

  it('[I8] finds payments without a notice or poll, each hour since the last run and each day for a month', async () => {
    const who = await person()
    const { invoice_url: url, invoice_id: orderId } = (await create(who, 25)).body.data
    await later(day)
    // The order is no longer polled, and its notice is lost.
    await db.updateTable('deposit').set({ next_check_at: null }).where('public_id', '=', orderId).execute()
    down = true
    await pay(url, 'half')
    expect(await later(hour)).toEqual([])
    down = false
    expect(await later(MINUTE)).toEqual([hour + MINUTE + day])
    expect(await usd(who)).toBe((25n * ONE) / 2n)
    // The scan runs hourly with one day of overlap, and for a month once a day.
    expect(await later(hour - MINUTE)).toEqual([])
    expect(await later(MINUTE)).toEqual([hour + day])
    expect(await usd(who)).toBe((25n * ONE) / 2n)
    expect(await later(day)).toEqual([30 * day])
  })

  it('stops at an endless list, and stores a limited number of payments per order', async () => {
    const who = await person()
    const { invoice_url: url, invoice_id: orderId } = (await create(who, 30)).body.data
    await pay(url, 'exact')
    await later(day)
    const paymentOf = (paymentId: string, of: string): ProviderPayment => {
      const nothing = { payCurrency: 'usdtbsc', actuallyPaid: 1n, paidText: '0.00000001' }
      return { paymentId, orderId: of, status: 'confirming', ...nothing }
    }
    const flood = (name: string, of: string) => Array.from({ length: 100 }, (_, index) => paymentOf(`${name}-${index}`, of))
    let requestCount = 0
    const endless = {
      ...watched,
      listSince: (_: Date, page: number) => Promise.resolve(flood(`page ${(requestCount += 1)} ${page}`, 'not-ours')),
    }
    const before = await lastScan(db)
    instance.clock.advance(2 * day)
    expect(await runJob(db, instance.deps, findingJob(endless, { now: true, pages: 7 }), 'worker')).toBe(0)
    expect([requestCount, await lastScan(db)]).toEqual([7, before])
    besides.set(orderId, [...flood('one', orderId), ...flood('two', orderId)])
    await db.updateTable('deposit').set({ next_check_at: instance.clock.now() }).where('public_id', '=', orderId).execute()
    await instance.runJobs()
    expect(await paymentsOf(orderId)).toHaveLength(100)
    // Known payments are still updated.
    lies.set(orderId, { status: 'refunded' })
    await later(day)
    expect((await paymentsOf(orderId)).flatMap(({ review_reason: why }) => why ?? [])).toEqual(['refunded after the credit'])
    besides.clear()
  })

  it('[I8] sends a refund long after the credit to review, and reports payments that only one side has', async () => {
    const who = await person()
    const { invoice_url: url, invoice_id: orderId } = (await create(who, 30)).body.data
    await pay(url, 'exact')
    await later(20 * day)
    lies.set(orderId, { status: 'refunded' })
    await later(day)
    expect((await paymentsOf(orderId)).map(({ review_reason: why }) => why)).toEqual(['refunded after the credit'])
    expect(await usd(who)).toBe(30n * ONE)
    // The order belongs to another instance, and the provider lost one of our payments.
    lies.set(orderId, { orderId: 'not-ours' })
    await later(day)
    const [payment] = await paymentsOf(orderId)
    expect((await lastScan(db))?.unknown).toEqual([payment?.payment_id])
    lies.clear()
    hidden.add(orderId)
    await later(day)
    expect(await lastScan(db)).toMatchObject({ unknown: [], missing: [] })
    hidden.add(payment?.payment_id ?? '')
    await later(day)
    expect((await lastScan(db))?.missing).toEqual([payment?.payment_id])
  })
})

describe('hosted deposit', () => {
  it('[API-33] [API-34] [MF-01] [EN-43] [EN-56] is credited with the amount paid and becomes APPROVE', async () => {
    const who = await person()
    const reply = await create(who, 150.25)
    expect(reply.body).toMatchObject({
      success: true,
      data: { invoice_url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/pay\/[0-9a-f]{32}$/) },
    })
    const pending = await records(who)
    expect(pending.data[0]).toMatchObject({
      user: { name: 'Ada Payer' },
      priceAmount: 150.25,
      payAmountNum: 0,
      desc: 'USDT',
      status: 'PENDING',
      createdAt: instance.clock.now().toISOString(),
    })
    expect(await usd(who)).toBe(0n)

    const page = await fetch(reply.body.data.invoice_url)
    expect(await page.text()).toContain('150.25 USDT')
    const back = await pay(reply.body.data.invoice_url, 'exact')
    expect([back.status, back.headers.get('location')]).toEqual([303, `${instance.deps.config.publicUrl}/pay/success`])
    expect(await usd(who)).toBe(15_025n * (ONE / 100n))
    expect((await records(who)).data[0]).toMatchObject({
      priceAmount: 150.25,
      payAmountNum: 150.25,
      status: 'APPROVE',
      orderId: reply.body.data.invoice_id,
    })
  })

  it.each([
    ['half', 50, 'APPROVE', '/pay/success'],
    ['double', 200, 'APPROVE', '/pay/success'],
    ['cancel', 0, 'REJECT', '/pay/cancel'],
  ])('[MF-01] [EN-26] paid %s credits %d', async (outcome, arrived, status, path) => {
    const who = await person()
    const { invoice_url: url } = (await create(who, 100)).body.data
    expect((await pay(url, outcome)).headers.get('location')).toBe(`${instance.deps.config.publicUrl}${path}`)
    expect(await usd(who)).toBe(BigInt(arrived) * ONE)
    expect((await records(who)).data[0]).toMatchObject({ priceAmount: 100, payAmountNum: arrived, status })
  })

  it('[I8] credits two halves as two payments, and a form that is sent twice once', async () => {
    const who = await person()
    const { invoice_url: url } = (await create(who, 100)).body.data
    const id = url.slice(url.lastIndexOf('/') + 1)
    const order = await db.selectFrom('deposit').select('public_id').where('provider_invoice_id', '=', id).executeTakeFirstOrThrow()
    expect(await findDepositReceipt(db, who.member.id, order.public_id)).toMatchObject({
      status: 'PENDING',
      amount: 100n * ONE,
      lines: [{ label: 'Outcome', value: 'Nothing has arrived yet' }],
    })
    await pay(url, 'half')
    await pay(url, 'half')
    expect(await usd(who)).toBe(100n * ONE)
    expect(await findDepositReceipt(db, who.member.id, order.public_id)).toMatchObject({
      status: 'APPROVE',
      amount: 100n * ONE,
      to: { wallet: 'depositWallet' },
      balanceAfter: 100n * ONE,
      lines: [{ value: 'The exact amount arrived' }, { value: '50' }, { value: '50' }],
    })
    expect(await findDepositReceipt(db, who.member.id + 1n, order.public_id)).toBeUndefined()
    await Promise.all([pay(url, 'exact'), pay(url, 'exact')])
    expect(await usd(who)).toBe(100n * ONE)
  })

  it.each([0.5, 100_000.01, 0, -5, 10.001, '1e1', null])('[VA-24] [VA-25] [VA-26] [CO-11] rejects an amount of %s', async (amount) => {
    const who = await person()
    expect((await create(who, amount)).status).toBe(400)
    expect((await records(who)).meta.total).toBe(0)
  })

  it('requires a session', async () => {
    expect((await instance.call('POST', '/pay/create-payment', { body: { amount: 5 } })).status).toBe(401)
  })

  it('[I5] opens one invoice per idempotency key', async () => {
    const who = await person()
    const first = await create(who, 20, 'key-1')
    expect((await create(who, 20, 'key-1')).body.data).toEqual(first.body.data)
    expect((await create(who, 21, 'key-1')).body.message).toBe('This idempotency key was used for another request')
    expect((await records(who)).meta.total).toBe(1)
    const other = await person()
    expect((await create(other, 20, 'key-1')).body.data.invoice_id).not.toBe(first.body.data.invoice_id)
  })

  it('[I5] accepts one of many parallel calls with the same key, and calls the provider once', async () => {
    const who = await person()
    const replies = await Promise.all(Array.from({ length: 8 }, () => create(who, 20, 'key-2')))
    const opened = new Set(replies.filter((reply) => reply.status === 200).map((reply) => reply.body.data.invoice_id))
    expect(opened.size).toBe(1)
    expect(new Set(replies.map((reply) => reply.status))).toEqual(
      new Set(replies.some((reply) => reply.status === 409) ? [200, 409] : [200]),
    )
    expect((await records(who)).meta.total).toBe(1)
  })

  it('[I5] resumes an order whose call ended before the provider answered', async () => {
    const who = await person()
    const reply = await create(who, 20, 'key-3')
    await db
      .updateTable('deposit')
      .set({ invoice_url: null, provider_invoice_id: null })
      .where('public_id', '=', reply.body.data.invoice_id)
      .execute()
    expect((await create(who, 20, 'key-3')).body).toMatchObject({ statusCode: 409 })
    instance.clock.advance(16_000)
    const repeated = await create(who, 20, 'key-3')
    expect(repeated.body.data.invoice_id).toBe(reply.body.data.invoice_id)
    await pay(repeated.body.data.invoice_url, 'exact')
    expect(await usd(who)).toBe(20n * ONE)
  })

  it('is rejected above the limit of open orders per member', async () => {
    const who = await person()
    for (let count = 0; count < OPEN_PAYMENTS_MAX; count += 1) expect((await create(who, 5)).status).toBe(200)
    expect((await create(who, 5)).body.message).toBe('Please pay or wait for your open invoices first')
  })
})

describe('while the provider is down', () => {
  it('[ER-17] a deposit answers 503 at once, sets the order to REJECT and frees its key', async () => {
    const who = await person()
    down = true
    const reply = await create(who, 30, 'key-4')
    expect(reply.body).toMatchObject({
      statusCode: 503,
      message: 'The payment service does not answer, please try again later',
      success: false,
    })
    expect((await records(who)).data[0]).toMatchObject({ status: 'REJECT', payAmountNum: 0 })
    down = false
    expect((await create(who, 30, 'key-4')).status).toBe(200)
    expect((await records(who)).data.map((row: { status: string }) => row.status)).toEqual(['PENDING', 'REJECT'])
  })

  it('a deposit answers within the response deadline when the provider accepts connections but never answers', async () => {
    const silent = createServer(() => undefined)
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    const { port } = silent.address() as AddressInfo
    const url = `http://127.0.0.1:${port}`
    const provider = createPaymentProvider({ url, apiKey: SECRET, noticeSecrets: [SECRET] })
    const slow = await testApp(db, { routes: (bind) => depositRoutes(bind, { provider, chain: null, noticeUrl: '' }) })
    const who = await person()
    const start = performance.now()
    const reply = await slow.call('POST', '/pay/create-payment', { token: (await slow.signIn(who.member.id)).token, body: { amount: 5 } })
    expect(performance.now() - start).toBeLessThan(10_000)
    silent.closeAllConnections()
    silent.close()
    expect(reply.body).toMatchObject({ statusCode: 503, success: false })
    expect(reply.headers['retry-after']).toBe('2')
    expect((await records(who)).data[0].status).toBe('REJECT')
  })

  it('a notice is stored, and the payment is credited when the provider is back', async () => {
    const who = await person()
    const { invoice_url: url } = (await create(who, 40)).body.data
    down = true
    await pay(url, 'exact')
    expect(await usd(who)).toBe(0n)
    await instance.runJobs()
    expect(await usd(who)).toBe(0n)
    down = false
    instance.clock.advance(MINUTE)
    await instance.runJobs()
    expect(await usd(who)).toBe(40n * ONE)
  })

  it('no order expires', async () => {
    const who = await person()
    await create(who, 45)
    down = true
    instance.clock.advance(25 * 60 * MINUTE)
    await instance.runJobs()
    expect((await records(who)).data[0].status).toBe('PENDING')
    down = false
    instance.clock.advance(MINUTE)
    await instance.runJobs()
    expect((await records(who)).data[0].status).toBe('REJECT')
  })
})

describe('notice', () => {
  const opened = async (amount = 60) => {
    const who = await person()
    const { invoice_url: url, invoice_id: orderId } = (await create(who, amount)).body.data
    return { who, url, orderId }
  }

  it('lost: the reconciler finds the payment', async () => {
    const { who, url } = await opened()
    ports.noticeUrl = 'http://127.0.0.1:9/nobody-listens-here'
    const second = (await create(who, 70)).body.data
    ports.noticeUrl = `${base}/api/v1/pay/notice`
    await pay(second.invoice_url, 'exact')
    expect(await usd(who)).toBe(0n)
    await instance.runJobs()
    expect(await usd(who)).toBe(0n)
    instance.clock.advance(MINUTE)
    await instance.runJobs()
    await instance.runJobs()
    expect(await usd(who)).toBe(70n * ONE)
    await pay(url, 'cancel')
    expect((await records(who)).data.map((row: { status: string }) => row.status)).toEqual(['APPROVE', 'REJECT'])
  })

  it('lost, and the clock is set back by a day: the reconciler does not wait for that day', async () => {
    instance.clock.advance(24 * 60 * MINUTE)
    const who = await person()
    ports.noticeUrl = 'http://127.0.0.1:9/nobody-listens-here'
    const { invoice_url: url } = (await create(who, 35)).body.data
    ports.noticeUrl = `${base}/api/v1/pay/notice`
    await pay(url, 'exact')
    instance.clock.advance(-24 * 60 * MINUTE)
    await instance.runJobs()
    expect(await usd(who)).toBe(35n * ONE)
  })

  it('[I8] repeated in parallel: credits once', async () => {
    const { who, url, orderId } = await opened()
    await pay(url, 'exact')
    const [payment] = await paymentsOf(orderId)
    const body = { payment_id: payment?.payment_id, order_id: orderId, payment_status: 'finished' }
    const replies = await Promise.all(Array.from({ length: 10 }, () => notice(body)))
    expect(replies.map((reply) => [reply.status, reply.text])).toEqual(Array.from({ length: 10 }, () => [200, '{"ok":true}']))
    instance.clock.advance(2 * MINUTE)
    await instance.runJobs()
    expect(await usd(who)).toBe(60n * ONE)
  })

  it('out of order: an older state after the final one changes nothing', async () => {
    const { who, url, orderId } = await opened()
    await pay(url, 'exact')
    const [payment] = await paymentsOf(orderId)
    for (const status of ['awaiting', 'confirming', 'expired', 'failed'] as const) {
      lies.set(orderId, { status, actuallyPaid: 0n })
      await notice({ payment_id: payment?.payment_id, order_id: orderId, payment_status: status })
    }
    expect(await usd(who)).toBe(60n * ONE)
    expect((await records(who)).data[0]).toMatchObject({ status: 'APPROVE', payAmountNum: 60 })
  })

  it('forged, unsigned or modified: answers 401 and stores nothing', async () => {
    const { who, orderId } = await opened()
    const body = { payment_id: '12345', order_id: orderId, payment_status: 'finished', actually_paid: 60 }
    const kept = () => db.selectFrom('payment_notice').select('id').where('order_id', '=', orderId).execute()
    expect((await notice(body, 'another secret')).body).toEqual({
      statusCode: 401,
      message: 'Please sign in',
      errorMessages: [{ path: '', message: 'Please sign in' }],
      success: false,
    })
    expect((await instance.call('POST', '/pay/notice', { body })).status).toBe(401)
    const changed = await instance.call('POST', '/pay/notice', {
      body: { ...body, actually_paid: 61 },
      headers: { 'x-nowpayments-sig': signNotice(body, SECRET) },
    })
    expect(changed.status).toBe(401)
    expect(await kept()).toEqual([])
    expect(await usd(who)).toBe(0n)
  })

  it('of an unknown order or payment: answers 404, or has no effect', async () => {
    const { who, orderId } = await opened()
    expect((await notice({ payment_id: '1', order_id: 'nobody' })).status).toBe(404)
    expect((await notice({ payment_id: '1', order_id: orderId })).status).toBe(200)
    expect(await usd(who)).toBe(0n)
  })

  it("with a false amount: the provider's answer counts", async () => {
    const { who, url, orderId } = await opened(10)
    await pay(url, 'half')
    const [payment] = await paymentsOf(orderId)
    await notice({
      payment_id: payment?.payment_id,
      order_id: orderId,
      payment_status: 'finished',
      actually_paid: 1_000_000,
      price_amount: 1_000_000,
    })
    expect(await usd(who)).toBe(5n * ONE)
  })

  it('[I8] about a payment of another member: credits nobody twice', async () => {
    const mine = await opened(10)
    const theirs = await opened(90)
    await pay(theirs.url, 'exact')
    const [payment] = await paymentsOf(theirs.orderId)
    expect((await notice({ payment_id: payment?.payment_id, order_id: mine.orderId })).status).toBe(200)
    instance.clock.advance(MINUTE)
    await instance.runJobs()
    expect([await usd(mine.who), await usd(theirs.who)]).toEqual([0n, 90n * ONE])
  })

  it('about another currency, a change after the credit or a refund: goes to review', async () => {
    const odd = await opened(10)
    lies.set(odd.orderId, { payCurrency: 'doge' })
    await pay(odd.url, 'exact')
    expect(await usd(odd.who)).toBe(0n)
    expect((await paymentsOf(odd.orderId))[0]?.review_reason).toBe('paid in doge')

    const shrunk = await opened(10)
    await pay(shrunk.url, 'exact')
    lies.set(shrunk.orderId, { actuallyPaid: 9n * ONE, paidText: '9' })
    instance.clock.advance(MINUTE)
    await instance.runJobs()
    expect(await usd(shrunk.who)).toBe(10n * ONE)
    expect((await paymentsOf(shrunk.orderId))[0]?.review_reason).toBe('less than was credited')

    const back = await opened(10)
    await pay(back.url, 'exact')
    lies.set(back.orderId, { status: 'refunded' })
    instance.clock.advance(MINUTE)
    await instance.runJobs()
    expect((await paymentsOf(back.orderId))[0]?.review_reason).toBe('refunded after the credit')
    expect((await records(back.who)).data[0].status).toBe('APPROVE')
  })

  it('with an unknown status: credits nothing and stays in review until the status is known', async () => {
    const { who, url, orderId } = await opened(10)
    const reasons = async () => (await paymentsOf(orderId)).map(({ review_reason: reason }) => reason)
    lies.set(orderId, { status: 'unknown' })
    await pay(url, 'exact')
    expect([await usd(who), await reasons()]).toEqual([0n, ['unknown status']])
    lies.clear()
    instance.clock.advance(MINUTE)
    await instance.runJobs()
    expect([await usd(who), await reasons()]).toEqual([10n * ONE, [null]])
  })

  it('[I8] unreadable, unanswered or of another order: does not hide the other payments of its order', async () => {
    const theirs = await opened(90)
    await pay(theirs.url, 'exact')
    const [foreign] = await paymentsOf(theirs.orderId)
    const { who, url, orderId } = await opened(10)
    down = true
    await pay(url, 'half')
    down = false
    const paid: ProviderPayment = { paymentId: '', orderId, status: 'settled', payCurrency: 'usdtbsc', actuallyPaid: 0n, paidText: '0' }
    besides.set(orderId, [
      { ...paid, paymentId: `unreadable-${orderId}`, orderId: null, status: 'unknown', problem: 'could not read its ids' },
      { ...paid, paymentId: foreign?.payment_id ?? '', actuallyPaid: 5n * ONE },
    ])
    await notice({ payment_id: 'silent', order_id: orderId })
    instance.clock.advance(MINUTE)
    await instance.runJobs()
    expect([await usd(who), await usd(theirs.who)]).toEqual([5n * ONE, 90n * ONE])
    expect((await paymentsOf(orderId)).flatMap(({ review_reason: reason }) => reason ?? [])).toEqual(['could not read its ids'])
  })
})

describe('unpaid order', () => {
  it('[EN-26] becomes REJECT after a day, and is still credited when the money arrives late', async () => {
    const who = await person()
    const { invoice_url: url } = (await create(who, 80)).body.data
    instance.clock.advance(24 * 60 * MINUTE - 1)
    await instance.runJobs()
    expect((await records(who)).data[0].status).toBe('PENDING')
    instance.clock.advance(MINUTE + 1)
    await instance.runJobs()
    expect((await records(who)).data[0].status).toBe('REJECT')
    await pay(url, 'exact')
    expect(await usd(who)).toBe(80n * ONE)
    expect((await records(who)).data[0].status).toBe('APPROVE')
  })

  it('is polled every minute for a day, then every hour for 13 days, and then never again', async () => {
    const order = async (outcome?: string) => {
      const who = await person()
      const { invoice_url: url } = (await create(who, 80)).body.data
      if (outcome !== undefined) await pay(url, outcome)
      return () =>
        db.selectFrom('deposit').select(['status', 'next_check_at']).where('member_id', '=', who.member.id).executeTakeFirstOrThrow()
    }
    const begun = instance.clock.now()
    const [unpaid, paid] = [await order(), await order('exact')]
    const looked = async (after: number) => {
      instance.clock.set(new Date(begun.getTime() + after))
      await instance.runJobs()
      const wait = (next: Date | null) => next && next.getTime() - instance.clock.now().getTime()
      return (await Promise.all([unpaid(), paid()])).map(({ status, next_check_at: next }) => [status, wait(next)])
    }
    const [day, hour] = [24 * 60 * MINUTE, 60 * MINUTE]
    expect(await looked(hour)).toEqual([
      ['PENDING', MINUTE],
      ['APPROVE', hour],
    ])
    expect(await looked(day)).toEqual([
      ['REJECT', hour],
      ['APPROVE', hour],
    ])
    expect(await looked(14 * day - 1)).toEqual([
      ['REJECT', hour],
      ['APPROVE', hour],
    ])
    expect(await looked(14 * day + hour)).toEqual([
      ['REJECT', null],
      ['APPROVE', null],
    ])
  })
})

describe('lists', () => {
  it('[API-60] [API-09] [EN-25] [UI-DASH-21] sum the credited amounts', async () => {
    const who = await person()
    await pay((await create(who, 100)).body.data.invoice_url, 'exact')
    await pay((await create(who, 100)).body.data.invoice_url, 'half')
    await pay((await create(who, 7)).body.data.invoice_url, 'cancel')
    await create(who, 9)
    const list = (await instance.call('GET', '/deposit-request', { token: who.token })).body.data
    expect(list.data.map((row: { status: string; amount: number }) => [row.status, row.amount])).toEqual([
      ['PENDING', 9],
      ['REJECT', 7],
      ['APPROVE', 50],
      ['APPROVE', 100],
    ])
    const meta = { total: 4, page: 1, limit: 1000, sum: 166, sumByStatus: { APPROVE: 150, PENDING: 9, REJECT: 7 } }
    expect(list.meta).toMatchObject(meta)
    expect((await instance.call('GET', '/pay/get-my-depsit', { token: who.token })).body.data.meta, '[API-09]').toMatchObject(meta)
  })

  it("[API-74] [API-75] [API-76] [RO-14] show only the member's payments, whatever userId is sent", async () => {
    const who = await person()
    await create(who, 100)
    const other = await person()
    const asked = (await instance.call('GET', `/pay/get-my-depsit?page=1&limit=25&userId=${who.member.publicId}`, { token: other.token }))
      .body.data
    expect(asked).toMatchObject({ data: [], meta: { total: 0, page: 1, limit: 25 } })
  })
})

it('[I1] [I2] [I8] leave the ledger intact', async () => {
  const results = await runAudit(db, [...ledgerChecks, ...auditChecks])
  expect(results.filter((result) => result.broken > 0)).toEqual([])
})
