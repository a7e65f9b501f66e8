import type { Route, WireReplyOf } from '@tizara/contract'

/** One request that a test's back end has seen. */
export interface Seen {
  /** The body as it stood in JSON; undefined without one. */
  body: unknown
  headers: Headers
  credentials: RequestCredentials
  query: URLSearchParams
  /** The `:name` parts of the path. */
  params: Readonly<Record<string, string>>
}

type Answerer = (seen: Seen) => Promise<Response> | Response

interface Bound {
  route: Route
  pattern: RegExp
  answer: Answerer
}

function json(status: number, body: unknown): Response {
  return new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } })
}

/** JSON, or the fields of an upload. */
async function readBody(request: Request): Promise<unknown> {
  if (request.headers.get('content-type')?.startsWith('multipart/') === true) return Object.fromEntries(await request.formData())
  const text = await request.text()
  return text === '' ? undefined : JSON.parse(text)
}

function patternOf(route: Route): RegExp {
  const base = route.base === 'invoice' ? '/invoice-api' : '/api/v1'
  const path = route.path.replace(/^\/*/, '/').replace(/:(\w+)/g, '(?<$1>[^/]+)')
  return new RegExp(`^${base}${path}$`)
}

/**
 * A back end inside the page: `fetch` answers from the routes that a test binds, anything else is 404, as at a back end
 * that has only the calls of the specification. Every request is kept.
 */
export class FakeApi {
  private readonly bound: Bound[] = []
  private readonly seen = new Map<string, Seen[]>()
  private readonly original = globalThis.fetch

  constructor() {
    globalThis.fetch = (input, init) => this.handle(new Request(input, init))
  }

  /** Answers a route with its data as it stands in JSON. */
  reply<R extends Route>(route: R, data: WireReplyOf<R>, message = ''): this {
    return this.answer(route, () => data, message)
  }

  /** Answers a route with data that depends on the request. */
  answer<R extends Route>(route: R, answer: (seen: Seen) => WireReplyOf<R>, message = ''): this {
    return this.on(route, (seen) => {
      const data = answer(seen)
      return json(200, route.bare === true ? data : { success: true, statusCode: 200, message, data })
    })
  }

  /** Refuses a route in the server's form (EN-04); without a message the body says nothing. */
  refuse(route: Route, status: number, message?: string): this {
    return this.on(route, () =>
      json(status, message === undefined ? {} : { success: false, statusCode: status, message, errorMessages: [] }),
    )
  }

  /** No answer arrives. */
  drop(route: Route): this {
    return this.on(route, () => Promise.reject(new TypeError('Failed to fetch')))
  }

  /** Answers a route when the returned function is called. */
  hold<R extends Route>(route: R, data: WireReplyOf<R>, message = ''): () => void {
    const gate = Promise.withResolvers<void>()
    this.on(route, async () => {
      await gate.promise
      return json(200, { success: true, statusCode: 200, message, data })
    })
    return () => gate.resolve()
  }

  /** Binds a route to anything; the last binding counts. */
  on(route: Route, answer: Answerer): this {
    this.bound.unshift({ route, pattern: patternOf(route), answer })
    return this
  }

  /** The requests that a route has had, oldest first. */
  calls(route: Route): readonly Seen[] {
    return this.seen.get(route.name) ?? []
  }

  /** Names of the routes that were called. */
  names(): string[] {
    return [...this.seen.keys()]
  }

  /** Gives the page its own `fetch` back. */
  restore(): void {
    globalThis.fetch = this.original
  }

  private async handle(request: Request): Promise<Response> {
    const url = new URL(request.url)
    for (const { route, pattern, answer } of this.bound) {
      const match = route.method === request.method ? pattern.exec(url.pathname) : null
      if (match === null) continue
      const body = await readBody(request)
      const seen: Seen = {
        body,
        headers: request.headers,
        credentials: request.credentials,
        query: url.searchParams,
        params: { ...match.groups },
      }
      this.seen.set(route.name, [...this.calls(route), seen])
      return await answer(seen)
    }
    return json(404, { success: false, statusCode: 404, message: 'Not found', errorMessages: [] })
  }
}
