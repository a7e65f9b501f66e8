import { formatUnits } from '@tizara/money'
import * as v from 'valibot'
import { createBreaker } from './circuit-breaker.ts'
import { signatureMatches } from './notice-signature.ts'
import { PAGE, type PaymentProvider, ProviderFailure } from './payment-provider.ts'
import { idText, parseExact, readPayment } from './read-payment.ts'

/** Timeout in ms: a member's call has to end within five seconds. */
const TIMEOUT_MS = 4_000
/** Maximum response size in bytes. */
const MAX_BYTES = 256 * 1024

/** The provider's address and the shared secrets. */
export interface PaymentProviderOptions {
  url: string
  /** Sent as `x-api-key`. */
  apiKey: string
  /** Secrets for the signatures of webhooks: the current secret and, during a rotation, the previous one. */
  noticeSecrets: readonly string[]
  /** Allowed hosts (with port) of payment pages; the API's host by default. */
  invoiceHosts?: readonly string[]
  /** Login for lists, if the provider requires one. The provider returns a short-lived token. */
  login?: { email: string; password: string } | undefined
  /** Response timeout in ms; 4000 by default. */
  timeoutMs?: number
}

const invoiceAnswer = v.object({ id: idText, invoice_url: v.pipe(v.string(), v.maxLength(2000)) })
const listAnswer = v.object({ data: v.array(v.unknown()) })
const tokenAnswer = v.object({ token: v.pipe(v.string(), v.regex(/^[\x21-\x7e]{1,4000}$/)) })
const namedPayment = v.looseObject({ payment_id: idText })
const noticeBody = v.object({ payment_id: idText, order_id: idText })

/**
 * Client of a hosted provider with the published invoice API: `POST /v1/invoice`, `GET /v1/payment/{id}`, `GET /v1/payment/?invoiceId=` and
 * `?dateFrom=`, `POST /v1/auth` for the token of lists, and webhooks signed in `x-nowpayments-sig`.
 */
export function createPaymentProvider(options: PaymentProviderOptions): PaymentProvider {
  const breaker = createBreaker()
  const ask = (path: string, body?: string, token?: string) => breaker.run(() => call(options, path, body, token))
  const tokens = tokensOf(options, ask)
  const list = async (query: string, fallbackId: string) => {
    const answer = await tokens.with((token) => ask(`/v1/payment/?limit=${PAGE}&${query}`, undefined, token))
    return answer === null ? [] : shaped(listAnswer, answer).data.map((item) => readPayment(item, fallbackId))
  }
  return {
    async createInvoice(order) {
      const body = JSON.stringify({
        price_amount: JSON.rawJSON(formatUnits(order.amount)),
        price_currency: 'usd',
        pay_currency: 'usdtbsc',
        order_id: order.orderId,
        ipn_callback_url: order.noticeUrl,
        success_url: order.successUrl,
        cancel_url: order.cancelUrl,
        is_fixed_rate: true,
      })
      const answer = shaped(invoiceAnswer, await ask('/v1/invoice', body))
      return { providerInvoiceId: answer.id, invoiceUrl: allowed(answer.invoice_url, options) }
    },
    async getPayment(paymentId) {
      const answer = await ask(`/v1/payment/${encodeURIComponent(paymentId)}`)
      return answer === null ? null : readPayment(shaped(namedPayment, answer), paymentId)
    },
    listPayments: (invoiceId) => list(`invoiceId=${encodeURIComponent(invoiceId)}`, `unreadable-${invoiceId}`),
    listSince: (since, page) =>
      list(`page=${page}&sortBy=created_at&orderBy=asc&dateFrom=${since.toISOString().slice(0, 10)}`, 'unreadable'),
    verifyNotice(body, signature) {
      if (!options.noticeSecrets.some((secret) => signatureMatches(body, signature, secret))) return null
      const notice = v.safeParse(noticeBody, body)
      return notice.success ? { paymentId: notice.output.payment_id, orderId: notice.output.order_id } : null
    },
  }
}

/** Lifetime of a cached token in ms. The provider's tokens expire after five minutes. */
const TOKEN_MS = 4 * 60_000

/** Returns the token for lists from a cache. Requests a token if none exists, and again after a call with the token failed. */
function tokensOf({ login }: PaymentProviderOptions, ask: (path: string, body: string) => Promise<unknown>) {
  let known: { token: string; until: number } | undefined
  const fresh = async (credentials: { email: string; password: string }) => {
    if (known === undefined || known.until < performance.now()) {
      const { token } = shaped(tokenAnswer, await ask('/v1/auth', JSON.stringify(credentials)))
      known = { token, until: performance.now() + TOKEN_MS }
    }
    return known.token
  }
  return {
    async with<T>(request: (token: string | undefined) => Promise<T>): Promise<T> {
      if (login === undefined) return request(undefined)
      const token = await fresh(login)
      return request(token).catch((error: unknown) => {
        known = undefined
        throw error
      })
    },
  }
}

function shaped<S extends v.GenericSchema>(schema: S, answer: unknown): v.InferOutput<S> {
  const result = v.safeParse(schema, answer)
  if (!result.success) throw new ProviderFailure('the provider returned an unreadable answer')
  return result.output
}

/** Rejects payment pages on foreign hosts, because members enter data there. */
function allowed(address: string, options: PaymentProviderOptions): string {
  const base = new URL(options.url)
  const page = URL.canParse(address) ? new URL(address) : undefined
  const hosts = options.invoiceHosts ?? [base.host]
  const secure = page?.protocol === 'https:' || (page?.protocol === 'http:' && base.protocol === 'http:')
  if (page === undefined || !secure || page.username !== '' || !hosts.includes(page.host)) {
    throw new ProviderFailure('the provider named a payment page on another host')
  }
  return page.href
}

/** Returns null for 404. */
async function call(options: PaymentProviderOptions, path: string, body?: string, token?: string): Promise<unknown> {
  try {
    const answer = await fetch(`${options.url.replace(/\/+$/, '')}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        accept: 'application/json',
        'x-api-key': options.apiKey,
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body }),
      redirect: 'error',
      signal: AbortSignal.timeout(options.timeoutMs ?? TIMEOUT_MS),
    })
    if (answer.status === 404 && body === undefined) {
      await answer.body?.cancel()
      return null
    }
    if (!answer.ok) throw new ProviderFailure(`the provider answered ${answer.status}`)
    return parseExact(await limitedText(answer))
  } catch (error) {
    if (error instanceof ProviderFailure) throw error
    throw new ProviderFailure('the provider did not answer', { cause: error })
  }
}

async function limitedText(answer: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of answer.body ?? []) {
    size += chunk.byteLength
    if (size > MAX_BYTES) throw new ProviderFailure('the answer is too large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
