import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { ONE, parseUnits } from '@tizara/money'
import { afterEach, describe, expect, it } from 'vitest'
import { createPaymentProvider, ProviderFailure, signNotice } from '../gateways/payment-provider/index.ts'
import { startSandboxProvider, storyPaymentId } from './index.ts'

const SECRET = 'sandbox-secret'
const closing: (() => Promise<unknown> | void)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})

const client = (url: string, apiKey = SECRET) => createPaymentProvider({ url, apiKey, noticeSecrets: [SECRET] })
async function start(folder?: string, port = 0) {
  const provider = await startSandboxProvider({ secret: SECRET, port, retryMs: 10, ...(folder === undefined ? {} : { folder }) })
  closing.push(() => provider.close())
  return provider
}
/** Starts a shop that receives notices and can reject the first ones. */
async function shop(refuse = 0) {
  const got: { body: { payment_id: string; order_id: string; actually_paid: number; payment_status: string }; signed: boolean }[] = []
  let left = refuse
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = JSON.parse(Buffer.concat(chunks).toString())
      got.push({ body, signed: request.headers['x-nowpayments-sig'] === signNotice(body, SECRET) })
      response.statusCode = left > 0 ? 503 : 200
      left -= 1
      response.end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closing.push(() => new Promise<void>((resolve) => server.close(() => resolve())))
  return { got, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/notice` }
}
const order = (noticeUrl: string, orderId = 'order-1') => ({
  orderId,
  amount: 20n * ONE,
  noticeUrl,
  successUrl: 'http://shop.test/pay/success',
  cancelUrl: 'http://shop.test/pay/cancel',
})
const pay = (url: string, outcome: string) => fetch(url, { method: 'POST', body: new URLSearchParams({ outcome }), redirect: 'manual' })

describe('sandbox provider', () => {
  it('accepts a payment on its page, sends a signed notice, and redirects the browser', async () => {
    const { url } = await start()
    const { got, url: noticeUrl } = await shop()
    const invoice = await client(url).createInvoice(order(noticeUrl))
    const page = await fetch(invoice.invoiceUrl)
    expect(page.headers.get('content-security-policy')).toContain("form-action 'self' http://shop.test")
    const text = await page.text()
    for (const outcome of ['exact', 'half', 'double', 'cancel']) expect(text).toContain(`value="${outcome}"`)
    const back = await pay(invoice.invoiceUrl, 'double')
    expect([back.status, back.headers.get('location')]).toEqual([303, 'http://shop.test/pay/success'])
    expect(got).toHaveLength(1)
    expect(got[0]).toMatchObject({ signed: true, body: { order_id: 'order-1', actually_paid: 40, payment_status: 'finished' } })
    expect(await client(url).listPayments(invoice.providerInvoiceId)).toEqual([
      {
        paymentId: got[0]?.body.payment_id,
        orderId: 'order-1',
        status: 'settled',
        payCurrency: 'usdtbsc',
        actuallyPaid: 40n * ONE,
        paidText: '40',
      },
    ])
  })

  it('keeps invoices, payments and unsent notices over a restart', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'provider-'))
    closing.push(() => rmSync(folder, { recursive: true }))
    const first = await startSandboxProvider({ secret: SECRET, port: 0, folder, retryMs: 60_000 })
    const { got, url: noticeUrl } = await shop(1)
    const { invoiceUrl } = await client(first.url).createInvoice(order(noticeUrl))
    const open = await client(first.url).createInvoice(order(noticeUrl, 'order-2'))
    await pay(invoiceUrl, 'exact')
    expect(got).toHaveLength(1)
    await first.close()
    const second = await start(folder, Number(new URL(first.url).port))
    expect(second.url).toBe(first.url)
    await expect.poll(() => got).toHaveLength(2)
    expect(got[1]?.body.payment_id).toBe(got[0]?.body.payment_id)
    expect((await pay(open.invoiceUrl, 'cancel')).headers.get('location')).toBe('http://shop.test/pay/cancel')
    expect((await client(second.url).getPayment(got[0]?.body.payment_id ?? ''))?.status).toBe('settled')
    expect(readFileSync(path.join(folder, 'payment-provider.json'), 'utf8')).not.toContain(SECRET)
  })

  it('repeats a notice until it is accepted, and then stops', async () => {
    const { url } = await start()
    const { got, url: noticeUrl } = await shop(3)
    const { invoiceUrl } = await client(url).createInvoice(order(noticeUrl))
    await pay(invoiceUrl, 'exact')
    await expect.poll(() => got).toHaveLength(4)
    await new Promise((resolve) => setTimeout(resolve, 200))
    expect(got).toHaveLength(4)
  })

  it('requires its key for the API, and shows pages only for existing invoices', async () => {
    const { url } = await start()
    await expect(client(url, 'another key').createInvoice(order('http://shop.test/n'))).rejects.toThrow(ProviderFailure)
    expect(await client(url).getPayment('123')).toBeNull()
    expect((await fetch(`${url}/pay/${'0'.repeat(32)}`)).status).toBe(404)
    expect((await fetch(`${url}/v1/invoice`, { method: 'POST', headers: { 'x-api-key': SECRET }, body: '{' })).status).toBe(400)
    expect(
      (await fetch(`${url}/v1/invoice`, { method: 'POST', headers: { 'x-api-key': SECRET }, body: '{"price_amount":-1}' })).status,
    ).toBe(400)
    const { invoiceUrl } = await client(url).createInvoice(order('http://shop.test/n', '<b>"&'))
    expect((await pay(invoiceUrl, 'treble')).status).toBe(400)
    expect(await (await fetch(invoiceUrl)).text()).toContain('&lt;b&gt;&quot;&amp;')
  })

  it('returns the payments of the demo story from before its start', async () => {
    const { url } = await start()
    const paid = parseUnits('250.5') ?? 0n
    const id = storyPaymentId('order-7', paid)
    expect(await client(url).getPayment(id)).toMatchObject({ paymentId: id, orderId: 'order-7', status: 'settled', actuallyPaid: paid })
    for (const other of ['demo-order-7', 'demo-1.5-', 'demo--1-order-7', 'hand-order-7'])
      expect(await client(url).getPayment(other)).toBeNull()
  })

  it('uses another port when the configured one is in use', async () => {
    const first = await start()
    const second = await start(undefined, Number(new URL(first.url).port))
    expect(second.url).not.toBe(first.url)
  })

  it('pages through all payments since a day, with a login if configured', async () => {
    const login = { email: 'shop@example.com', password: 'its password' }
    const provider = await startSandboxProvider({ secret: SECRET, port: 0, login })
    closing.push(() => provider.close())
    const { url: noticeUrl } = await shop()
    const asShop = createPaymentProvider({ url: provider.url, apiKey: SECRET, noticeSecrets: [SECRET], login })
    const today = new Date()
    for (const orderId of ['order-1', 'order-2']) await pay((await asShop.createInvoice(order(noticeUrl, orderId))).invoiceUrl, 'exact')
    expect((await asShop.listSince(today, 0)).map(({ orderId }) => orderId)).toEqual(['order-1', 'order-2'])
    expect(await asShop.listSince(today, 1)).toEqual([])
    expect(await asShop.listSince(new Date(today.getTime() + 2 * 86_400_000), 0)).toEqual([])
    await expect(client(provider.url).listSince(today, 0)).rejects.toThrow('401')
  })
})
