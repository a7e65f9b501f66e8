import { randomInt } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'

/** Response that a member received. */
export interface Reply {
  status: number
  text: string
}

/** Call of a money route, with an idempotency key so that it can be repeated. */
export interface Call {
  url: string
  token: string
  key: string
  body: string
  extraHeaders?: Record<string, string>
}

/** Retryable statuses. A call without an answer is retried too. */
const RETRYABLE_STATUSES = new Set([409, 429, 502, 503, 504])
/** Client timeout in ms. */
const TIMEOUT_MS = 30_000

/** Sends the call once. Returns undefined if no response arrives. */
export const send = ({ url, token, key, body, extraHeaders }: Call): Promise<Reply | undefined> =>
  fetch(url, {
    method: 'POST',
    headers: { authorization: token, 'content-type': 'application/json', 'idempotency-key': key, ...extraHeaders },
    body,
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).then(
    async (reply) => ({ status: reply.status, text: await reply.text() }),
    () => undefined,
  )

/** Final response of a call, with the number of attempts. */
export interface FinalReply extends Reply {
  /** Number of attempts. */
  sent: number
  /** True if an attempt got no response, so that the client could not know the effect. */
  unknown: boolean
  /** Milliseconds from the first attempt to the final response, and duration of the slowest attempt in ms. */
  took: number
  slowest: number
}

/**
 * Repeats a call with the same idempotency key until the final response, like the member app.
 * @param refresh returns a new token after one has expired
 */
export async function settle(call: Call, refresh: () => Promise<string>): Promise<FinalReply> {
  const began = performance.now()
  let [unknown, slowest] = [false, 0]
  for (let sent = 1; ; sent += 1) {
    const moment = performance.now()
    const reply = await send(call)
    slowest = Math.max(slowest, performance.now() - moment)
    unknown ||= reply === undefined
    if (reply?.status === 403) call.token = await refresh()
    else if (reply !== undefined && !RETRYABLE_STATUSES.has(reply.status))
      return { ...reply, sent, unknown, slowest, took: performance.now() - began }
    await pause(100 + randomInt(200))
  }
}

/** Signs in, with unlimited retries. */
export async function signIn(base: string, email: string, password: string, extraHeaders: Record<string, string> = {}): Promise<string> {
  for (;;) {
    const answer = await fetch(`${base}/api/v1/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...extraHeaders },
      body: JSON.stringify({ email, password }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    }).catch(() => undefined)
    if (answer?.status === 200) return ((await answer.json()) as { data: { token: string } }).data.token
    await pause(200)
  }
}

/** Reads a path until the product responds. Returns undefined if the response is 404. */
export async function readUntilAnswered(url: string, token: string, extraHeaders: Record<string, string> = {}): Promise<unknown> {
  for (;;) {
    const headers = { authorization: token, ...extraHeaders }
    const answer = await fetch(url, { headers, signal: AbortSignal.timeout(TIMEOUT_MS) }).catch(() => undefined)
    const text = await answer?.text().catch(() => undefined)
    if (answer?.status === 404) return undefined
    // A retry cannot change these statuses: the drill has an error.
    if (answer?.status === 400 || answer?.status === 401) throw new Error(`${url}: ${answer.status} ${text}`)
    if (answer?.status === 200 && text !== undefined) return (JSON.parse(text) as { data: unknown }).data
    await pause(100)
  }
}
