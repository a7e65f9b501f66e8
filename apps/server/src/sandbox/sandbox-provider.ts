import { createHash, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import * as v from 'valibot'
import { signNotice } from '../gateways/payment-provider/index.ts'
import { PAGE_STYLE, paymentPage, plainPage } from './payment-page.ts'
import { openBook, type Outcome, type ProviderBook, type SandboxInvoice, type SandboxPayment } from './provider-book.ts'
import { invoiceAnswer, invoiceBody, paymentAnswer, storyPaymentAnswer, wireJson } from './provider-wire.ts'

export interface SandboxProviderOptions {
  /** Secret for signing notices. */
  secret: string
  /** The platform's API key; the secret if omitted. */
  apiKey?: string
  /** Login for lists; with the key alone if omitted. */
  login?: { email: string; password: string } | undefined
  /** Port to listen on. For 0, or if it is taken, any free one. */
  port: number
  host?: string
  /** Address for browsers; the listening address if omitted. */
  publicUrl?: string
  /** Folder for its data file; memory only if omitted. */
  folder?: string
  /** Milliseconds before an unacknowledged notice is sent again; doubles each time. */
  retryMs?: number
}

export interface SandboxProvider {
  /** API base URL. */
  url: string
  /** Payment page base URL. */
  publicUrl: string
  close(): Promise<void>
}

const MAX_BODY = 64 * 1024
const NOTICE_TIMEOUT_MS = 5_000
const NOTICE_ATTEMPTS = 8

interface Provider {
  book: ProviderBook
  secret: string
  apiKey: string
  login: SandboxProviderOptions['login']
  publicUrl: string
  retryMs: number
  timers: Set<NodeJS.Timeout>
}

export async function startSandboxProvider(options: SandboxProviderOptions): Promise<SandboxProvider> {
  const book = openBook(options.folder)
  const host = options.host ?? '127.0.0.1'
  const { secret, apiKey = secret, retryMs = 1_000 } = options
  const provider: Provider = { book, secret, apiKey, login: options.login, publicUrl: '', retryMs, timers: new Set() }
  const server = createServer({ requestTimeout: 10_000, headersTimeout: 5_000, keepAliveTimeout: 5_000 }, (request, response) => {
    serve(provider, request, response).catch(() => {
      if (response.headersSent) response.destroy()
      else send(response, 400, 'application/json', '{"message":"Bad request"}')
    })
  })
  const port = await listen(server, host, options.port)
  const url = `http://${host}:${port}`
  provider.publicUrl = (options.publicUrl ?? url).replace(/\/+$/, '')
  for (const payment of book.unannounced()) void announce(provider, payment)
  return {
    url,
    publicUrl: provider.publicUrl,
    close: () =>
      new Promise((resolve) => {
        for (const timer of provider.timers) clearTimeout(timer)
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function listen(server: Server, host: string, port: number): Promise<number> {
  server.listen(port, host)
  try {
    await once(server, 'listening')
  } catch (error) {
    if (port === 0 || !(error instanceof Error) || !('code' in error) || error.code !== 'EADDRINUSE') throw error
    return listen(server, host, 0)
  }
  const address = server.address()
  if (address === null || typeof address !== 'object') throw new Error('the sandbox provider got no port')
  return address.port
}

function send(response: ServerResponse, status: number, type: string, body: string, headers: Record<string, string> = {}): void {
  response.writeHead(status, {
    'content-type': `${type}; charset=utf-8`,
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
    ...headers,
  })
  response.end(body)
}

async function serve(provider: Provider, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://provider')
  const page = /^\/pay\/([0-9a-f]{32})$/.exec(pathname)
  if (page !== null) return servePage(provider, request, response, page[1] ?? '')
  if (pathname === '/style.css') return send(response, 200, 'text/css', PAGE_STYLE)
  if (!pathname.startsWith('/v1/')) return send(response, 404, 'text/html', plainPage('There is no such page.'))
  if (!sameText(request.headers['x-api-key'], provider.apiKey))
    return send(response, 403, 'application/json', '{"message":"Invalid api key"}')
  return serveApi(provider, request, response, pathname, searchParams)
}

function sameText(actual: string | string[] | undefined, expected: string): boolean {
  const [a, b] = [Buffer.from(typeof actual === 'string' ? actual : ''), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}

async function serveApi(
  provider: Provider,
  request: IncomingMessage,
  response: ServerResponse,
  pathname: string,
  query: URLSearchParams,
): Promise<void> {
  const answer = (status: number, body: unknown) => send(response, status, 'application/json', wireJson(body))
  if (request.method === 'POST' && pathname === '/v1/invoice') {
    const body = v.safeParse(invoiceBody, JSON.parse(await readBody(request)))
    if (!body.success) return answer(400, { message: 'Invalid invoice' })
    const invoice = provider.book.addInvoice({
      orderId: body.output.order_id,
      price: body.output.price_amount,
      noticeUrl: body.output.ipn_callback_url,
      successUrl: body.output.success_url,
      cancelUrl: body.output.cancel_url,
    })
    return answer(200, invoiceAnswer(invoice, provider.publicUrl))
  }
  const shown = (payment: SandboxPayment) => {
    const invoice = provider.book.invoice(payment.invoiceId)
    return invoice === undefined ? [] : [paymentAnswer(payment, invoice)]
  }
  if (request.method === 'GET' && /^\/v1\/payment\/?$/.test(pathname)) {
    if (provider.login !== undefined && request.headers.authorization !== `Bearer ${tokenOf(provider.login)}`)
      return answer(401, { message: 'Authorization is missing' })
    return answer(200, { data: listed(provider.book, query).flatMap(shown) })
  }
  if (request.method === 'POST' && pathname === '/v1/auth') {
    const submitted = await readBody(request)
    const right = provider.login !== undefined && sameText(submitted, JSON.stringify(provider.login))
    return right ? answer(200, { token: tokenOf(provider.login) }) : answer(403, { message: 'Invalid login' })
  }
  const id = /^\/v1\/payment\/([\w.-]+)$/.exec(pathname)?.[1] ?? ''
  const payment = provider.book.payment(id)
  const found = request.method !== 'GET' ? undefined : payment === undefined ? storyPaymentAnswer(id) : shown(payment)[0]
  return found === undefined ? answer(404, { message: 'Not found' }) : answer(200, found)
}

/** A fixed token. A real one expires after five minutes. */
const tokenOf = (login: SandboxProviderOptions['login']) => createHash('sha256').update(JSON.stringify(login)).digest('hex')

/** Returns an invoice's payments, or a page with those since a day. */
function listed(book: ProviderBook, query: URLSearchParams): SandboxPayment[] {
  const [limit, page] = [Number(query.get('limit') ?? 10), Number(query.get('page') ?? 0)]
  const invoiceId = query.get('invoiceId')
  const found = invoiceId === null ? book.paymentsSince(query.get('dateFrom') ?? '') : book.paymentsOf(invoiceId)
  return found.slice(page * limit, (page + 1) * limit)
}

async function servePage(provider: Provider, request: IncomingMessage, response: ServerResponse, id: string): Promise<void> {
  const invoice = provider.book.invoice(id)
  const csp = (targets: string) =>
    `default-src 'none'; style-src 'self'; form-action 'self'${targets}; base-uri 'none'; frame-ancestors 'none'`
  const html = (status: number, text: string, targets = '') =>
    send(response, status, 'text/html', text, { 'content-security-policy': csp(targets), 'referrer-policy': 'no-referrer' })
  if (invoice === undefined) return html(404, plainPage('There is no such payment.'))
  // CSP `form-action` also covers redirects after a form.
  const targets = ` ${new URL(invoice.successUrl).origin} ${new URL(invoice.cancelUrl).origin}`
  if (request.method !== 'POST') return html(200, paymentPage(invoice, provider.book.paidOf(id)), targets)
  const outcome = new URLSearchParams(await readBody(request)).get('outcome')
  if (!isOutcome(outcome)) return html(400, plainPage('Please choose how to pay.'))
  const payment = provider.book.pay(invoice, outcome)
  if (payment !== undefined) await announce(provider, payment)
  response.writeHead(303, { location: backTo(invoice), 'content-security-policy': csp(targets) })
  response.end()
}

const isOutcome = (text: string | null): text is Outcome => text !== null && ['exact', 'half', 'double', 'cancel'].includes(text)
const backTo = (invoice: SandboxInvoice) => (invoice.cancelled ? invoice.cancelUrl : invoice.successUrl)

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request) {
    const bytes = Buffer.from(chunk)
    size += bytes.length
    if (size > MAX_BODY) throw new Error('body too large')
    chunks.push(bytes)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** Sends the signed notice of a payment, and retries later if it is not accepted. */
async function announce(provider: Provider, payment: SandboxPayment): Promise<void> {
  const invoice = provider.book.invoice(payment.invoiceId)
  if (invoice === undefined) return
  const body = wireJson(paymentAnswer(payment, invoice))
  const arrived = await fetch(invoice.noticeUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-nowpayments-sig': signNotice(JSON.parse(body), provider.secret) },
    body,
    redirect: 'error',
    signal: AbortSignal.timeout(NOTICE_TIMEOUT_MS),
  }).then(
    async (answer) => {
      await answer.body?.cancel()
      return answer.ok
    },
    () => false,
  )
  provider.book.noticeSent(payment, arrived, NOTICE_ATTEMPTS)
  if (payment.failedNotices === null) return
  const timer = setTimeout(
    () => {
      provider.timers.delete(timer)
      void announce(provider, payment)
    },
    provider.retryMs * 2 ** (payment.failedNotices - 1),
  )
  timer.unref()
  provider.timers.add(timer)
}
