import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from '@playwright/test'
import { claimPort } from '../test/ports.ts'
import { acknowledge, complaints, signIn, watchCaptcha } from './browser-helpers.ts'
import { PASSWORD } from './session.ts'
import { type Stack, startStack } from './stack.ts'

const ADDRESS = '0x9f1a03B277c4D18e5A6b2C9044aFe1d38B7560Cc'

/** Runs only with `npm test -- --all`. */
const extended = { tag: '@extended' }

let web: Stack
let api: Stack
let invoices: Server
const requests: { url: string; headers: IncomingHttpHeaders }[] = []

/** Another vendor's invoice service: the specified keys, any origin, no credentials. */
function startInvoices(): Promise<Server> {
  const server = createServer((request, response) => {
    requests.push({ url: request.url ?? '', headers: request.headers })
    const invoice = { wallet_address: ADDRESS, amount: 250, token_name: 'TIZARA', created_at: new Date().toISOString() }
    response.writeHead(200, { 'content-type': 'application/json', 'access-control-allow-origin': '*' })
    response.end(JSON.stringify(request.url?.startsWith('/v2/invoice/') === true ? invoice : { status: false, payment_status: 'pending' }))
  })
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)))
}

test.beforeAll(async () => {
  const port = await claimPort()
  invoices = await startInvoices()
  api = await startStack('embedded', 'seeded', { ALLOWED_ORIGINS: `http://127.0.0.1:${port}` })
  web = await startStack('embedded', 'seeded', {
    PORT: String(port),
    API_BASE_URL: `${api.url}/api/v1`,
    INVOICE_BASE_URL: `http://127.0.0.1:${(invoices.address() as AddressInfo).port}/v2/`,
  })
})
test.afterAll(async ({ browser }) => {
  await Promise.all([web.stop(browser), api.stop(undefined)])
  invoices.close()
})

test(
  '[API-01] [API-02] [API-05] [API-13] [API-96] calls the API on another origin with credentials, and the invoice service on a third without',
  extended,
  async ({ page }) => {
    const found = complaints(page)
    const hosts = new Set<string>()
    const traced: string[] = []
    page.on('request', (request) => {
      if (request.resourceType() === 'fetch') hosts.add(new URL(request.url()).origin)
      if ('traceparent' in request.headers()) traced.push(request.url())
    })
    await watchCaptcha(page)
    await signIn(page, web.url, 'amara@example.com', PASSWORD)
    await acknowledge(page, 'Login successfull')
    await expect(page).toHaveURL(`${web.url}/dashboard`)
    await expect(page.getByRole('region', { name: 'Deposit Wallet', exact: true }).getByRole('button', { name: /\d USD$/ })).toBeVisible()
    await page.goto(`${web.url}/history/transaction-history`)
    await expect(page.getByRole('table').locator('tbody tr').first()).toBeVisible()

    // Money calls trigger a CORS preflight for their headers.
    await page.goto(`${web.url}/dashboard`)
    await page.getByRole('region', { name: 'TIZARA', exact: true }).getByRole('button', { name: 'Buy Now' }).click()
    const dialog = page.getByRole('dialog', { name: 'Buy Token' })
    await dialog.getByLabel('Coin Amount').fill('100')
    await dialog.getByRole('button', { name: 'Buy Now' }).click()
    await expect(page.getByRole('alertdialog').getByRole('heading', { name: 'success' })).toBeVisible()

    // The token expires; the other origin's cookie renews it.
    await api.setClock(3600)
    const renewed = page.waitForResponse((response) => response.url() === `${api.url}/api/v1/auth/refresh-token`)
    await page.goto(`${web.url}/my-stack-coin`)
    expect((await renewed).status()).toBe(200)
    await expect(page.getByRole('table').locator('tbody tr').first()).toBeVisible()

    const { origin } = new URL(`http://127.0.0.1:${(invoices.address() as AddressInfo).port}`)
    expect([...hosts]).toEqual([api.url])
    await page.goto(`${web.url}/invoice?id=inv-1`)
    await expect(page.getByText(ADDRESS)).toBeVisible()
    await expect(page.getByText('Waiting for payment')).toBeVisible()
    expect([...hosts].toSorted()).toEqual([api.url, origin].toSorted())
    expect(traced).toEqual([])
    expect(requests.map(({ url }) => url)).toEqual(expect.arrayContaining(['/v2/invoice/inv-1', '/v2/payments/inv-1']))
    for (const { url, headers } of requests) {
      const { authorization, cookie, origin: from } = headers
      expect({ url, from, authorization, cookie }).toEqual({ url, from: web.url, authorization: undefined, cookie: undefined })
    }
    // The browser logs the expired token's one 403.
    expect(found.filter((text) => !/status of 403/.test(text))).toEqual([])
  },
)

test('[API-02] rejects calls from any other origin', extended, async ({ request }) => {
  const ask = async (origin: string) => {
    const reply = await request.fetch(`${api.url}/api/v1/auth/login`, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization,content-type' },
    })
    return [reply.headers()['access-control-allow-origin'], reply.headers()['access-control-allow-credentials']]
  }
  expect(await ask(web.url)).toEqual([web.url, 'true'])
  expect((await ask('https://evil.example'))[0]).toBeUndefined()
  expect((await ask(web.url.replace('127.0.0.1', 'localhost')))[0]).toBeUndefined()
})
