import { randomInt } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'

/** An answer that a member has seen. */
export interface Reply {
  status: number
  text: string
}

/** A call of a money route, as it is sent and sent again. */
export interface Call {
  url: string
  token: string
  key: string
  body: string
  more?: Record<string, string>
}

/** What a call gets while it may be tried again, besides nothing: a refusal that says so. */
const AGAIN = new Set([409, 429, 502, 503, 504])
/** How long a client waits for an answer, in milliseconds. */
const PATIENCE = 30_000

/** Sends it once; undefined when no answer came. */
export const send = ({ url, token, key, body, more }: Call): Promise<Reply | undefined> =>
  fetch(url, {
    method: 'POST',
    headers: { authorization: token, 'content-type': 'application/json', 'idempotency-key': key, ...more },
    body,
    signal: AbortSignal.timeout(PATIENCE),
  }).then(
    async (reply) => ({ status: reply.status, text: await reply.text() }),
    () => undefined,
  )

/** What happened to a call until it had its final answer. */
export interface Answered extends Reply {
  /** How often it had to be sent. */
  sent: number
  /** Whether it once got no answer at all, so that nobody knew whether it was done. */
  unknown: boolean
  /** Milliseconds from the first time that it was sent, and of the slowest single answer. */
  took: number
  slowest: number
}

/**
 * Sends a call under its key until it has its final answer, as an app does.
 * @param refresh gives another token when one has expired
 */
export async function settle(call: Call, refresh: () => Promise<string>): Promise<Answered> {
  const began = performance.now()
  let [unknown, slowest] = [false, 0]
  for (let sent = 1; ; sent += 1) {
    const moment = performance.now()
    const reply = await send(call)
    slowest = Math.max(slowest, performance.now() - moment)
    unknown ||= reply === undefined
    if (reply?.status === 403) call.token = await refresh()
    else if (reply !== undefined && !AGAIN.has(reply.status)) return { ...reply, sent, unknown, slowest, took: performance.now() - began }
    await pause(100 + randomInt(200))
  }
}

/** Signs in, however long it takes. */
export async function signIn(base: string, email: string, password: string, more: Record<string, string> = {}): Promise<string> {
  for (;;) {
    const answer = await fetch(`${base}/api/v1/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...more },
      body: JSON.stringify({ email, password }),
      signal: AbortSignal.timeout(PATIENCE),
    }).catch(() => undefined)
    if (answer?.status === 200) return ((await answer.json()) as { data: { token: string } }).data.token
    await pause(200)
  }
}

/** Reads a path until it is answered by the product; undefined when that says that there is nothing. */
export async function look(url: string, token: string, more: Record<string, string> = {}): Promise<unknown> {
  for (;;) {
    const headers = { authorization: token, ...more }
    const answer = await fetch(url, { headers, signal: AbortSignal.timeout(PATIENCE) }).catch(() => undefined)
    const text = await answer?.text().catch(() => undefined)
    if (answer?.status === 404) return undefined
    // What no waiting mends is a fault of the drill itself.
    if (answer?.status === 400 || answer?.status === 401) throw new Error(`${url}: ${answer.status} ${text}`)
    if (answer?.status === 200 && text !== undefined) return (JSON.parse(text) as { data: unknown }).data
    await pause(100)
  }
}
