import { LIVE_PATH } from '@tizara/contract/live'
import { apiAddress } from './http.ts'
import { queryClient } from './query.ts'
import { readToken } from './session.ts'
import { endRefusedSession, refreshSession } from './session-calls.ts'

/** Changes that come together are fetched together. */
const GATHER_MS = 300
/** Pause before the next try after a break; doubles up to the longest one. */
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

/** What is to be done after a stream: come again at once, after a pause, or not before the page is looked at again. */
type Next = 'again' | 'pause' | 'stop'

/** What a page follows besides the names of reads. */
export interface Followed {
  /** Reads that may have changed unheard while there was no stream, the one of the session last. */
  unheard: readonly string[]
  /** Takes events of other kinds. */
  told?: (event: string, data: unknown) => void
}

async function readStream(token: string, signal: AbortSignal, { unheard, told }: Followed): Promise<Next> {
  const reply = await fetch(apiAddress(LIVE_PATH), { headers: { Authorization: token }, signal })
  // As for any call: an expired token is renewed (ST-12), and the session is over when the server says so (ST-16).
  if (reply.status === 403) return (await refreshSession(token)) === null ? 'stop' : 'pause'
  if (reply.status === 401) endRefusedSession(token)
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
        // If that was the session, the answer to this says so.
        outdated(unheard.slice(-1))
        return 'stop'
      }
      const [, event = 'changed', data = '[]'] = /^event: (\w+)\ndata: (.*)/.exec(message) ?? []
      const said: unknown = JSON.parse(data)
      if (event !== 'changed') told?.(event, said)
      else if (Array.isArray(said)) outdated(said)
    }
  }
}

async function follow(signal: AbortSignal, followed: Followed): Promise<void> {
  let missed = false
  for (let pause = FIRST_PAUSE_MS; !signal.aborted;) {
    const token = readToken()
    if (token === null) return
    if (missed) outdated(followed.unheard)
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
 * Keeps what is in sight up to date while the page is looked at: the server names the reads that have changed, and they
 * are fetched again. Without such a server, or when it says no, nothing happens.
 */
export function followChanges(over: AbortSignal, followed: Followed = { unheard: ['userWallet', 'profile'] }): void {
  let current: AbortController | undefined
  const look = () => {
    current?.abort()
    if (document.visibilityState === 'hidden' || over.aborted) return
    current = new AbortController()
    void follow(current.signal, followed)
  }
  document.addEventListener('visibilitychange', look, { signal: over })
  over.addEventListener('abort', look)
  look()
}
