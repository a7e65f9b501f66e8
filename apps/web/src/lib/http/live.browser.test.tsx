import { QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { followChanges } from './live.ts'
import { queryClient } from './query.ts'
import { readToken, storeToken } from './session.ts'

const original = globalThis.fetch
/** The page's requests, and functions that end its streams. */
let requests: { url: string; token: string | null }[] = []
let streams: ReadableStreamDefaultController<Uint8Array>[] = []
let over: AbortController
let fetched: Record<string, number>

const say = (text: string) => streams.at(-1)?.enqueue(new TextEncoder().encode(text))
const pathsOf = () => requests.map(({ url }) => new URL(url).pathname)

/** Mounts a query under this name. */
function watch(name: string) {
  const observer = new QueryObserver(queryClient, {
    queryKey: [name],
    queryFn: () => (fetched[name] = (fetched[name] ?? 0) + 1),
  })
  over.signal.addEventListener(
    'abort',
    observer.subscribe(() => undefined),
  )
}

function answer(live: () => Response) {
  globalThis.fetch = async (input, init) => {
    const request = new Request(input, init)
    requests.push({ url: request.url, token: request.headers.get('Authorization') })
    if (request.url.endsWith('/auth/refresh-token')) return Response.json({ success: true, data: { accessToken: 'fresh' } })
    return live()
  }
}
const stream = () =>
  new Response(
    new ReadableStream<Uint8Array>({
      start: (controller) => void streams.push(controller),
    }),
  )

beforeEach(() => {
  requests = []
  streams = []
  fetched = {}
  over = new AbortController()
  queryClient.clear()
  storeToken('token')
})
afterEach(() => {
  over.abort()
  globalThis.fetch = original
  localStorage.clear()
  queryClient.clear()
})

it('sends the token in the header, and refetches the named keys once in one batch', async () => {
  answer(stream)
  for (const name of ['userWallet', 'tickets', 'stakePlans']) watch(name)
  await expect.poll(() => fetched).toEqual({ userWallet: 1, tickets: 1, stakePlans: 1 })
  followChanges(over.signal)
  await expect.poll(() => streams.length).toBe(1)
  expect(requests[0]).toEqual({ url: `${location.origin}/api/v1/live`, token: 'token' })
  // Split at an arbitrary point, as networks do.
  say(': \n\nevent: cha')
  say('nged\ndata: ["userWallet"]\n\nevent: changed\ndata: ["userWallet","tickets"]\n\n')
  await expect.poll(() => [fetched['userWallet'], fetched['tickets']]).toEqual([2, 2])
  await new Promise((resolve) => setTimeout(resolve, 400))
  expect(fetched).toEqual({ userWallet: 2, tickets: 2, stakePlans: 1 })
})

it('renews the token after it expires and continues', async () => {
  answer(stream)
  followChanges(over.signal)
  await expect.poll(() => streams.length).toBe(1)
  say('event: expired\ndata: \n\n')
  await expect.poll(() => requests.at(-1)?.token).toBe('fresh')
  expect(pathsOf()).toEqual(['/api/v1/live', '/api/v1/auth/refresh-token', '/api/v1/live'])
  expect(readToken()).toBe('fresh')
})

it('[ST-16] [ER-05] ends the session when the server does not know it', async () => {
  answer(() => new Response(null, { status: 401 }))
  followChanges(over.signal)
  await expect.poll(readToken).toBeNull()
  expect(pathsOf()).toEqual(['/api/v1/live', '/api/v1/auth/log-out'])
})

it('[ST-12] renews an expired token, for example after sleep, and reconnects', async () => {
  answer(() => (requests.at(-1)?.token === 'fresh' ? stream() : new Response(null, { status: 403 })))
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  followChanges(over.signal)
  // The pause before the next stream lasts 2.5 to 7.5 seconds.
  await expect
    .poll(async () => {
      await vi.advanceTimersByTimeAsync(1_000)
      return streams.length
    })
    .toBe(1)
  expect(pathsOf()).toEqual(['/api/v1/live', '/api/v1/auth/refresh-token', '/api/v1/live'])
  // The reads after the gap are collected with a timer, which the next test would wait for.
  await vi.advanceTimersByTimeAsync(1_000)
})

it.each([404, 204, 429])('stops silently when the server answers %d', async (status) => {
  const errors = vi.spyOn(console, 'error')
  answer(() => new Response(null, { status }))
  followChanges(over.signal)
  await expect.poll(() => requests.length).toBe(1)
  await new Promise((resolve) => setTimeout(resolve, 300))
  expect(requests).toHaveLength(1)
  expect(errors).not.toHaveBeenCalled()
  expect(readToken()).toBe('token')
})

it('refetches the profile when the server ends the session, and does not reconnect', async () => {
  answer(stream)
  watch('profile')
  await expect.poll(() => fetched['profile']).toBe(1)
  followChanges(over.signal)
  await expect.poll(() => streams.length).toBe(1)
  say('event: over\ndata: \n\n')
  await expect.poll(() => fetched['profile']).toBe(2)
  expect(requests).toHaveLength(1)
})

it('closes the stream while the page is hidden, and reopens it afterwards', async () => {
  const visibility = vi.spyOn(document, 'visibilityState', 'get')
  answer(stream)
  followChanges(over.signal)
  await expect.poll(() => streams.length).toBe(1)
  visibility.mockReturnValue('hidden')
  document.dispatchEvent(new Event('visibilitychange'))
  await new Promise((resolve) => setTimeout(resolve, 200))
  expect(requests).toHaveLength(1)
  visibility.mockReturnValue('visible')
  document.dispatchEvent(new Event('visibilitychange'))
  await expect.poll(() => requests.length).toBe(2)
  over.abort()
  visibility.mockRestore()
})
