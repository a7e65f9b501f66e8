import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { ONE } from '@tizara/money'
import { afterEach, describe, expect, it } from 'vitest'
import { createBreaker } from './circuit-breaker.ts'
import { createPaymentProvider, type PaymentProviderOptions, ProviderFailure, signNotice, sortedJson } from './index.ts'

type Answer = (request: IncomingMessage, response: ServerResponse, body: string) => void
const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

/** A provider on loopback with set answers, which records its requests. */
async function stub(answer: Answer, options: Partial<PaymentProviderOptions> = {}) {
  const requests: { method: string; url: string; body: string; key: string | string[] | undefined }[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString()
      requests.push({ method: request.method ?? '', url: request.url ?? '', body, key: request.headers['x-api-key'] })
      answer(request, response, body)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closing.push(
    () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  )
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    asked: requests,
    provider: createPaymentProvider({ url, apiKey: 'the-key', noticeSecrets: ['new', 'old'], ...options }),
  }
}

const json = (response: ServerResponse, body: unknown, status = 200) => {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify(body))
}
const order = {
  orderId: 'order-1',
  amount: 12n * ONE + ONE / 2n,
  noticeUrl: 'http://us/notice',
  successUrl: 'http://us/ok',
  cancelUrl: 'http://us/no',
}
const paymentBody = {
  payment_id: 5_000_000_001,
  order_id: 'order-1',
  payment_status: 'finished',
  pay_currency: 'USDTBSC',
  actually_paid: 0.00000001,
}

describe('provider client', () => {
  it('[API-33] [API-34] opens an invoice with the exact price and returns its page', async () => {
    const { provider, asked, url } = await stub((_, response) => json(response, { id: 77, invoice_url: `${url}/pay/77` }))
    expect(await provider.createInvoice(order)).toEqual({ providerInvoiceId: '77', invoiceUrl: `${url}/pay/77` })
    expect(asked[0]).toMatchObject({ method: 'POST', url: '/v1/invoice', key: 'the-key' })
    expect(JSON.parse(asked[0]?.body ?? '')).toMatchObject({
      price_amount: 12.5,
      price_currency: 'usd',
      order_id: 'order-1',
      ipn_callback_url: 'http://us/notice',
    })
  })

  it.each([
    ['on another host', 'https://evil.example/pay/1'],
    ['on another port', 'http://127.0.0.1:1/pay/1'],
    ['a script', 'javascript:alert(1)'],
    ['with credentials', 'http://a:b@HOST/pay/1'],
    ['not a URL', 'pay here'],
  ])('rejects a payment page that is %s', async (_, page) => {
    const { provider, url } = await stub((__, response) => json(response, { id: 1, invoice_url: page.replace('HOST', new URL(url).host) }))
    await expect(provider.createInvoice(order)).rejects.toThrow(ProviderFailure)
  })

  it('reads numbers, statuses and amounts from their JSON text', async () => {
    const { provider } = await stub((_, response) => json(response, paymentBody))
    expect(await provider.getPayment('5000000001')).toEqual({
      paymentId: '5000000001',
      orderId: 'order-1',
      status: 'settled',
      payCurrency: 'usdtbsc',
      actuallyPaid: 1n,
      paidText: '1e-8',
    })
  })

  it('reads an unrecognized status as unknown, and a 404 as no payment', async () => {
    const { provider } = await stub((request, response) =>
      request.url?.includes('gone') === true ? json(response, {}, 404) : json(response, { ...paymentBody, payment_status: 'dancing' }),
    )
    expect((await provider.getPayment('1'))?.status).toBe('unknown')
    expect(await provider.getPayment('gone')).toBeNull()
  })

  it.each<[string, Answer]>([
    ['429', (_, response) => json(response, {}, 429)],
    ['503', (_, response) => json(response, {}, 503)],
    ['HTML', (_, response) => response.end('<html>')],
    ['an unexpected body', (_, response) => json(response, { id: null })],
    ['no answer', () => undefined],
    ['a closed connection', (_, response) => response.destroy()],
    ['an endless answer', (_, response) => response.end('x'.repeat(400_000))],
  ])('fails on %s before the response deadline of a call', async (_, answer) => {
    const { provider } = await stub(answer, { timeoutMs: 300 })
    const start = performance.now()
    await expect(provider.getPayment('1')).rejects.toThrow(ProviderFailure)
    expect(performance.now() - start).toBeLessThan(10_000)
  })

  it.each([301, 302, 303, 307, 308])('fails on a redirect without following it: %s', async (status) => {
    const other = await stub((_, response) => json(response, paymentBody))
    for (const target of ['/elsewhere', `${other.url}/elsewhere`]) {
      const { provider, asked } = await stub((request, response) =>
        request.url === '/elsewhere' ? json(response, paymentBody) : response.writeHead(status, { location: target }).end(),
      )
      await expect(provider.getPayment('1')).rejects.toThrow(ProviderFailure)
      await expect(provider.createInvoice(order)).rejects.toThrow(ProviderFailure)
      expect(asked.map(({ url }) => url)).not.toContain('/elsewhere')
    }
    expect(other.asked).toEqual([])
  })

  it('[I8] lists the other payments beside an unreadable one, and the unreadable one as unknown', async () => {
    const odd = { ...paymentBody, payment_id: 6, actually_paid: 'many' }
    const { provider } = await stub((_, response) => json(response, { data: [odd, null, paymentBody] }))
    expect((await provider.listPayments('77')).map(({ paymentId, status }) => [paymentId, status])).toEqual([
      ['6', 'unknown'],
      ['unreadable-77', 'unknown'],
      ['5000000001', 'settled'],
    ])
  })

  it('stops calling a failing provider after five failures', async () => {
    const { provider, asked } = await stub((_, response) => json(response, {}, 500))
    for (let turn = 0; turn < 9; turn += 1) await expect(provider.getPayment('1')).rejects.toThrow(ProviderFailure)
    expect(asked).toHaveLength(5)
  })

  it('tries the provider with one call after the pause, and resumes when it answers', async () => {
    let now = 0
    let broken = true
    const calls: number[] = []
    const breaker = createBreaker(() => now)
    const call = () => {
      calls.push(now)
      return broken ? Promise.reject(new ProviderFailure('down')) : Promise.resolve('up')
    }
    for (let turn = 0; turn < 7; turn += 1) await expect(breaker.run(call)).rejects.toThrow()
    expect(calls).toHaveLength(5)
    now = 10_001
    await expect(breaker.run(call)).rejects.toThrow('down')
    await expect(breaker.run(call)).rejects.toThrow('not called after repeated failures')
    now = 20_002
    broken = false
    expect(await breaker.run(call)).toBe('up')
    expect(await breaker.run(call)).toBe('up')
  })
})

describe('notice', () => {
  const body = { payment_id: 7, order_id: 'order-1', fee: { b: 1, a: { d: [{ y: 1, x: 2 }], c: 3 } } }

  it('is signed over its keys in sorted order at every depth', async () => {
    expect(sortedJson(body)).toBe('{"fee":{"a":{"c":3,"d":[{"x":2,"y":1}]},"b":1},"order_id":"order-1","payment_id":7}')
    expect(sortedJson(JSON.parse('{"b":5.0,"a":0.0000001}'))).toBe('{"a":1e-7,"b":5}')
  })

  it('is accepted only unchanged, under the current or the previous secret', async () => {
    const { provider } = await stub(() => undefined)
    const read = { paymentId: '7', orderId: 'order-1' }
    expect(provider.verifyNotice(body, signNotice(body, 'new'))).toEqual(read)
    expect(provider.verifyNotice(body, signNotice(body, 'old').toUpperCase())).toEqual(read)
    expect(provider.verifyNotice(body, signNotice(body, 'other'))).toBeNull()
    expect(provider.verifyNotice({ ...body, fee: { ...body.fee, b: 2 } }, signNotice(body, 'new'))).toBeNull()
    for (const signature of [undefined, '', 'zz', signNotice(body, 'new').slice(2)])
      expect(provider.verifyNotice(body, signature)).toBeNull()
    for (const odd of [null, [], 'text', {}, { payment_id: {}, order_id: 1 }])
      expect(provider.verifyNotice(odd, signNotice(odd, 'new'))).toBeNull()
  })
})

describe('payment list', () => {
  it('pages through all payments since a day, with a token if the provider requires one, and renews it when rejected', async () => {
    let [issued, good] = [0, 1]
    const { provider, asked } = await stub(
      (request, response) => {
        if (request.url === '/v1/auth') return json(response, { token: `token-${(issued += 1)}` })
        if (request.headers.authorization !== `Bearer token-${good}`) return json(response, { message: 'no' }, 401)
        json(response, { data: [paymentBody] })
      },
      { login: { email: 'shop@example.com', password: 'its password' } },
    )
    const since = new Date('2026-03-02T23:59:59Z')
    expect((await provider.listSince(since, 3)).map(({ paymentId }) => paymentId)).toEqual(['5000000001'])
    expect(await provider.listPayments('77')).toHaveLength(1)
    expect(asked.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'POST /v1/auth',
      'GET /v1/payment/?limit=100&page=3&sortBy=created_at&orderBy=asc&dateFrom=2026-03-02',
      'GET /v1/payment/?limit=100&invoiceId=77',
    ])
    expect(JSON.parse(asked[0]?.body ?? '')).toEqual({ email: 'shop@example.com', password: 'its password' })
    good = 2
    await expect(provider.listPayments('77')).rejects.toThrow(ProviderFailure)
    expect(await provider.listPayments('77')).toHaveLength(1)
    expect(issued).toBe(2)
  })
})
