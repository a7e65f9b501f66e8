import type { Route, WireReplyOf } from '@tizara/contract'
import { onTestFinished } from 'vitest'

/** Request recorded by the test's API. */
export interface RecordedRequest {
  /** Body as JSON; undefined without one. */
  body: unknown
  headers: Headers
  credentials: RequestCredentials
  query: URLSearchParams
  /** The path's `:name` parts. */
  params: Readonly<Record<string, string>>
}

type Answerer = (seen: RecordedRequest) => Promise<Response> | Response

interface Bound {
  route: Route
  pattern: RegExp
  answer: Answerer
}

function json(status: number, body: unknown): Response {
  return new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } })
}

/** Reads a JSON text or the fields of a form; undefined without a body. */
function readBody(body: RequestInit['body']): unknown {
  if (body instanceof FormData) return Object.fromEntries(body)
  if (typeof body === 'string') return JSON.parse(body)
  if (body === undefined || body === null) return undefined
  throw new TypeError('The fake API reads JSON texts and forms only')
}

function patternOf(route: Route): RegExp {
  const base = route.base === 'invoice' ? '/invoice-api' : '/api/v1'
  const path = route.path.replace(/^\/*/, '/').replace(/:(\w+)/g, '(?<$1>[^/]+)')
  return new RegExp(`^${base}${path}$`)
}

const fetchOfPage = globalThis.fetch

/**
 * Fake API inside the page: `fetch` answers from bound routes and otherwise 404, like a server with only the specified calls. It records
 * every request. It is replaced by the next one, or by the page's `fetch` after the test. Requests that wait then are never answered,
 * so that no answer reaches the next test.
 */
export class FakeApi {
  private static current: FakeApi | undefined
  private readonly bound: Bound[] = []
  private readonly seen = new Map<string, RecordedRequest[]>()

  constructor() {
    FakeApi.current = this
    onTestFinished(() => {
      FakeApi.current = undefined
      globalThis.fetch = fetchOfPage
    })
    globalThis.fetch = (input, init) => this.handle(new Request(input, init), init?.body)
  }

  /** Answers a route with data in JSON form. */
  reply<R extends Route>(route: R, data: WireReplyOf<R>, message = ''): this {
    return this.answer(route, () => data, message)
  }

  /** Answers a route with data computed from the request. */
  answer<R extends Route>(route: R, answer: (seen: RecordedRequest) => WireReplyOf<R>, message = ''): this {
    return this.on(route, (seen) => {
      const data = answer(seen)
      return json(200, route.bare === true ? data : { success: true, statusCode: 200, message, data })
    })
  }

  /** Rejects a route in the server's error form (EN-04); without a message the body is empty. */
  refuse(route: Route, status: number, message?: string): this {
    return this.on(route, () =>
      json(status, message === undefined ? {} : { success: false, statusCode: status, message, errorMessages: [] }),
    )
  }

  /** Fails the request without a response. */
  drop(route: Route): this {
    return this.on(route, () => Promise.reject(new TypeError('Failed to fetch')))
  }

  /** Answers a route after the returned function is called. */
  hold<R extends Route>(route: R, data: WireReplyOf<R>, message = ''): () => void {
    const gate = Promise.withResolvers<void>()
    this.on(route, async () => {
      await gate.promise
      return json(200, { success: true, statusCode: 200, message, data })
    })
    return () => gate.resolve()
  }

  /** Binds a route to any answer; the last binding wins. */
  on(route: Route, answer: Answerer): this {
    this.bound.unshift({ route, pattern: patternOf(route), answer })
    return this
  }

  /** Returns a route's requests, oldest first. */
  calls(route: Route): readonly RecordedRequest[] {
    return this.seen.get(route.name) ?? []
  }

  /** Returns the called routes' names. */
  names(): string[] {
    return [...this.seen.keys()]
  }

  /** Records the request before it returns, so that a test may read it as soon as the screen shows that it runs. */
  private async handle(request: Request, body: RequestInit['body']): Promise<Response> {
    const url = new URL(request.url)
    for (const { route, pattern, answer } of this.bound) {
      const match = route.method === request.method ? pattern.exec(url.pathname) : null
      if (match === null) continue
      const seen: RecordedRequest = {
        body: readBody(body),
        headers: request.headers,
        credentials: request.credentials,
        query: url.searchParams,
        params: { ...match.groups },
      }
      this.seen.set(route.name, [...this.calls(route), seen])
      const response = await answer(seen)
      if (FakeApi.current !== this) await new Promise(() => undefined)
      return response
    }
    return json(404, { success: false, statusCode: 404, message: 'Not found', errorMessages: [] })
  }
}
