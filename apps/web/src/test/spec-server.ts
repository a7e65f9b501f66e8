import { onTestFinished } from 'vitest'
import { specActions, specInvoices, specReads } from './spec-answers.ts'

/** Request received by the server. */
export interface RecordedCall {
  /** Method and path below the base, such as `POST /buy-token`. */
  call: string
  body: unknown
  query: URLSearchParams
  headers: Headers
}

async function bodyOf(request: Request): Promise<unknown> {
  if (request.headers.get('content-type')?.startsWith('multipart/') === true) return Object.fromEntries(await request.formData())
  const text = await request.text()
  return text === '' ? undefined : JSON.parse(text)
}

const json = (status: number, body: unknown) =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } })

/**
 * Another vendor's server inside the page. It has the specified calls and keys, and answers this product's own calls like a framework
 * without such a route.
 */
export class SpecServer {
  readonly asked: RecordedCall[] = []
  /** Response to unknown calls, instead of a 404. */
  unknown: Response | undefined
  /** Response to every read. */
  everyRead: Response | undefined
  private readonly changed = new Map<string, Response | object>()

  constructor() {
    const original = globalThis.fetch
    onTestFinished(() => {
      globalThis.fetch = original
    })
    globalThis.fetch = (input, init) => this.handle(new Request(input, init))
  }

  /** Replaces a call's response: a raw body or a whole response. */
  set(call: string, answer: Response | object): this {
    this.changed.set(call, answer)
    return this
  }

  /** Returns a call's request bodies, oldest first. */
  bodies(call: string): unknown[] {
    return this.asked.filter((one) => one.call === call).map(({ body }) => body)
  }

  private async handle(request: Request): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url)
    const [, base = '', path = ''] = /^\/(api\/v1|invoice-api)(\/.*)$/.exec(pathname) ?? []
    const call = `${request.method} ${path}`
    this.asked.push({ call, body: await bodyOf(request), query: searchParams, headers: request.headers })
    if (this.everyRead !== undefined && request.method === 'GET') return this.everyRead.clone()
    const changed = this.changed.get(call)
    if (changed instanceof Response) return changed.clone()
    if (changed !== undefined) return json(200, changed)
    if (base === 'invoice-api' && call in specInvoices) return json(200, specInvoices[call])
    if (call in specReads) return json(200, { success: true, statusCode: 200, message: 'Fetched', data: specReads[call] })
    if (call in specActions) return json(200, specActions[call])
    if (this.unknown !== undefined) return this.unknown.clone()
    return new Response(`<!doctype html><pre>Cannot ${call}</pre>`, { status: 404, headers: { 'content-type': 'text/html' } })
  }
}
