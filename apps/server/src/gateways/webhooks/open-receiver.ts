import { Agent as HttpAgent, type IncomingMessage, request as requestHttp } from 'node:http'
import { Agent as HttpsAgent, request as requestHttps } from 'node:https'
import type { Config } from '../../platform/config/config.ts'
import { checkedLookup, receiverError } from './receiver-address.ts'

/** Time in ms for a whole attempt: name lookup, connection, request and response. */
const TIMEOUT_MS = 10_000
/** Bytes of a response after which the connection is closed. */
const MAX_BYTES = 64 * 1024
/** Bytes of a response that staff can see. */
const STORED_BYTES = 1024

/** Response to an attempt. */
export interface WebhookAnswer {
  /** Null if the receiver did not respond. */
  status: number | null
  /** Start of the body. */
  text: string
  durationMs: number
  /** Why there is no response. */
  error: string | null
  /** Header `Retry-After`. */
  retryAfter: string | undefined
}

/** Connections to one receiver, for one batch. */
export interface Receiver {
  /** Sends a webhook. Never throws: a fault is part of the answer. Follows no redirect. */
  post(headers: Readonly<Record<string, string>>, body: string): Promise<WebhookAnswer>
  close(): void
}

/** Opens the connections to a receiver. Certificates are verified as for every HTTPS client. */
export function openReceiver(config: Pick<Config, 'mode' | 'webhookNetworks'>, url: string, timeoutMs = TIMEOUT_MS): Receiver {
  const isHttps = url.startsWith('https:')
  const lookup = checkedLookup(config)
  const agent = isHttps ? new HttpsAgent({ keepAlive: true }) : new HttpAgent({ keepAlive: true })
  const send = (headers: Readonly<Record<string, string>>, body: string, onResponse: (response: IncomingMessage) => void) => {
    const options = {
      method: 'POST',
      agent,
      lookup,
      signal: AbortSignal.timeout(timeoutMs),
      headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body), 'user-agent': 'Webhooks/1.0', ...headers },
    }
    return isHttps ? requestHttps(url, options, onResponse) : requestHttp(url, options, onResponse)
  }
  return {
    async post(headers, body) {
      const began = performance.now()
      const answer = await new Promise<Omit<WebhookAnswer, 'durationMs'>>((resolve) => {
        const fail = (error: unknown) => resolve({ status: null, text: '', error: faultOf(error), retryAfter: undefined })
        const refused = receiverError(config, url)
        if (refused !== undefined) return fail(refused)
        let response: IncomingMessage | undefined
        const request = send(headers, body, (begun) => {
          response = begun
          const { statusCode: status = 0, headers: answered } = begun
          void readStart(begun).then((text) => resolve({ status, text, error: null, retryAfter: answered['retry-after'] }))
        })
        request.on('error', (error) => response === undefined && fail(error))
        request.end(body)
      })
      return { ...answer, durationMs: Math.round(performance.now() - began) }
    },
    close: () => agent.destroy(),
  }
}

/** Reads a response up to {@link MAX_BYTES} or the timeout, and returns the start as text that the database can store. */
async function readStart(response: IncomingMessage): Promise<string> {
  const start: Buffer[] = []
  let bytes = 0
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      if (bytes < STORED_BYTES) start.push(chunk.subarray(0, STORED_BYTES - bytes))
      bytes += chunk.length
      // Leaving the loop closes the connection.
      if (bytes > MAX_BYTES) break
    }
  } catch {
    // The status decides. A body that is cut or too slow is stored as far as it was read.
  }
  return Buffer.concat(start).toString('utf8').replaceAll('\0', '\u{FFFD}')
}

/** Returns the code of a fault, such as `ECONNREFUSED` or `CERT_HAS_EXPIRED`, otherwise its message. */
function faultOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error.name === 'AbortError' || error.name === 'TimeoutError') return 'TIMEOUT'
  return ('code' in error && typeof error.code === 'string' ? error.code : error.message).slice(0, 200)
}
