import { LIVE_PATH } from '@tizara/contract/live'
import { apiAddress } from './http.ts'
import { queryClient } from './query.ts'
import { readToken } from './session.ts'
import { endRejectedSession, refreshSession } from './session-calls.ts'

/** Collects changes for this long before refetching, in ms. */
const GATHER_MS = 300
/** First reconnect delay in ms; doubles up to the maximum. */
const FIRST_PAUSE_MS = 5_000
const LONGEST_PAUSE_MS = 60_000

let waiting: Set<unknown> | undefined

function outdated(names: readonly unknown[]): void {
  if (waiting === undefined) {
    const gathered = (waiting = new Set())
    setTimeout(() => {
      waiting = undefined
      void queryClient.invalidateQueries({ predicate: ({ queryKey }) => gathered.has(queryKey[0]) })
    }, GATHER_MS)
  }
  for (const name of names) waiting.add(name)
}

/** Action after a stream ends: reconnect at once, after a pause, or when the page is visible again. */
type Next = 'again' | 'pause' | 'stop'

/** Options for `followChanges`. */
export interface FollowOptions {
  /** Names of the reads to refetch after a gap in the stream. The last one must answer 401 when the session has ended. */
  afterGap: readonly string[]
  /** Receives other event types. */
  onEvent?: (event: string, data: unknown) => void
}

async function readStream(token: string, signal: AbortSignal, { afterGap, onEvent }: FollowOptions): Promise<Next> {
  const reply = await fetch(apiAddress(LIVE_PATH), { headers: { Authorization: token }, signal })
  // As for any call: refreshes an expired token (ST-12) and ends a rejected session (ST-16).
  if (reply.status === 403) return (await refreshSession(token)) === null ? 'stop' : 'pause'
  if (reply.status === 401) endRejectedSession(token)
  if (reply.status !== 200 || reply.body === null) return reply.status >= 500 ? 'pause' : 'stop'
  const reader = reply.body.pipeThrough(new TextDecoderStream()).getReader()
  for (let text = ''; ;) {
    const { done, value } = await reader.read()
    if (done) return 'pause'
    const messages = (text + value).split('\n\n')
    text = messages.pop() ?? ''
    for (const message of messages) {
      if (message.startsWith('event: expired')) return (await refreshSession(token)) === null ? 'stop' : 'again'
      if (message.startsWith('event: over')) {
        // Refetches the last read of `afterGap`: its answer 401 shows that the session ended.
        outdated(afterGap.slice(-1))
        return 'stop'
      }
      const [, event = 'changed', data = '[]'] = /^event: (\w+)\ndata: (.*)/.exec(message) ?? []
      const payload: unknown = JSON.parse(data)
      if (event !== 'changed') onEvent?.(event, payload)
      else if (Array.isArray(payload)) outdated(payload)
    }
  }
}

async function follow(signal: AbortSignal, followed: FollowOptions): Promise<void> {
  let missed = false
  for (let pause = FIRST_PAUSE_MS; !signal.aborted;) {
    const token = readToken()
    if (token === null) return
    if (missed) outdated(followed.afterGap)
    const began = Date.now()
    const next = await readStream(token, signal, followed).catch((): Next => 'pause')
    missed = next === 'pause'
    if (next === 'stop') return
    if (next === 'again') continue
    if (Date.now() - began > LONGEST_PAUSE_MS) pause = FIRST_PAUSE_MS
    await new Promise((resolve) => setTimeout(resolve, pause * (0.5 + Math.random())))
    pause = Math.min(pause * 2, LONGEST_PAUSE_MS)
  }
}

/**
 * Keeps visible queries current while the page is visible: the server names changed reads and the page refetches them. Does nothing if
 * the server has no stream or rejects it.
 */
export function followChanges(signal: AbortSignal, followed: FollowOptions = { afterGap: ['userWallet', 'profile'] }): void {
  let current: AbortController | undefined
  const restart = () => {
    current?.abort()
    if (document.visibilityState === 'hidden' || signal.aborted) return
    current = new AbortController()
    void follow(current.signal, followed)
  }
  document.addEventListener('visibilitychange', restart, { signal })
  signal.addEventListener('abort', restart)
  restart()
}
