import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { errorCatalogue, type ErrorBody, type ErrorCode, errorMessage } from '@tizara/contract'
import { allRoutes } from '@tizara/contract/all-routes'
import { translateResponse } from '@tizara/contract/response-texts'
import type { Receipt } from '@tizara/contract/wallets'
import sources from '@tizara/languages/sources' with { type: 'json' }
import type { FastifyInstance } from 'fastify'
import { routeErrorsOf } from '../src/http/api-page/route-errors.ts'
import { createApp } from '../src/http/server/app.ts'
import type { Bind } from '../src/http/calls/bind-route.ts'
import { runOnce } from '../src/jobs/run-worker.ts'
import type { Job } from '../src/jobs/job.ts'
import { mailTerms } from '../src/modules/terms-of-use/index.ts'
import { recordSuspendedCall } from '../src/modules/audit/index.ts'
import { createAuthenticate, openSession } from '../src/modules/auth/index.ts'
import { memberById } from '../src/modules/members/index.ts'
import { testClock, type TestClock } from '../src/platform/runtime/clock.ts'
import { type Config, readConfig } from '../src/platform/config/config.ts'
import { type Db, inTransaction } from '../src/platform/db/database.ts'
import type { Deps } from '../src/platform/runtime/deps.ts'
import type { Reads } from '../src/platform/db/replica.ts'
import { randomIds } from '../src/platform/runtime/ids.ts'
import { createLog } from '../src/platform/runtime/log.ts'
import { onFileEnd } from './on-file-end.ts'

/** Request options for a test. */
export interface TestCall {
  token?: string | undefined
  body?: unknown
  /** Idempotency-Key: a new one per call by default, like our clients, and none if null. */
  key?: string | null
  cookie?: string | undefined
  headers?: Record<string, string>
}

/** Response for a test. */
export interface TestReply {
  status: number
  /** Parsed body, or undefined if it is not JSON. Untyped, because tests read any shape. */
  body: ReturnType<typeof JSON.parse>
  text: string
  headers: Record<string, string | string[] | number | undefined>
  /** Cookies set by the response, by name, with their attributes as text. */
  cookies: Record<string, { value: string; attributes: string }>
}

/** HTTP app of a test, without a socket. */
export interface TestApp {
  app: FastifyInstance
  deps: Deps
  clock: TestClock
  db: Db
  /** Calls a path below /api/v1, or any path that starts with `/invoice-api/`. */
  call(method: string, path: string, options?: TestCall): Promise<TestReply>
  /** Opens a session for a member without a password, and returns its tokens. Its device is trusted, unless `newDevice`. */
  signIn(memberId: bigint, how?: { userAgent?: string; newDevice?: boolean }): Promise<{ token: string; cookie: string; sessionId: bigint }>
  /** Runs the jobs until nothing is due. */
  runJobs(): Promise<void>
}

/** Test app options. */
export interface TestAppOptions {
  /** Binds the tested module's routes. */
  routes: (bind: Bind, deps: Deps) => void
  jobs?: readonly Job[] | ((deps: Deps) => readonly Job[])
  clock?: TestClock
  /** Additional environment variables. */
  env?: Record<string, string>
  addPages?: (app: FastifyInstance, deps: Deps) => Promise<void>
  /** Handles read calls. Defaults to read-only transactions. */
  reads?: Reads
}

/** Simulates a replica with read-only transactions, so that a member's read route that writes fails its tests. */
const readOnly = (db: Db): Reads => ({ read: (work) => db.transaction().setAccessMode('read only').execute(work) })

/**
 * Builds the HTTP app on a test database, within a test file's body or a `beforeAll`. Request limits are lifted (RATE_LIMIT_SCALE
 * 1000), staff need no second factor (STAFF_SECOND_FACTOR off), and the clock stays at 2026-03-02T09:00Z until the test moves it.
 */
export async function testApp(db: Db, options: TestAppOptions): Promise<TestApp> {
  const clock = options.clock ?? testClock('2026-03-02T09:00:00Z')
  const dataDir = mkdtempSync(path.join(tmpdir(), 'app-'))
  const config: Config = readConfig({
    NODE_ENV: 'test',
    LOG_LEVEL: 'silent',
    RATE_LIMIT_SCALE: '1000',
    DATA_DIR: dataDir,
    ...(options.env?.['NODE_ENV'] === 'production' ? {} : { STAFF_SECOND_FACTOR: 'off' }),
    ...options.env,
  })
  const deps: Deps = { config, clock, ids: randomIds, log: createLog(config.logLevel) }
  const app = await createApp({
    deps,
    db,
    reads: options.reads ?? readOnly(db),
    authenticate: createAuthenticate(deps),
    onSuspended: recordSuspendedCall,
    onTermsDue: mailTerms,
    bindRoutes: (bind) => options.routes(bind, deps),
    ...(options.addPages === undefined
      ? {}
      : { addPages: (instance: FastifyInstance) => options.addPages?.(instance, deps) ?? Promise.resolve() }),
  })
  onFileEnd(async () => {
    await app.close()
    rmSync(dataDir, { recursive: true, force: true })
  })
  const jobs = typeof options.jobs === 'function' ? options.jobs(deps) : (options.jobs ?? [])
  return {
    app,
    deps,
    clock,
    db,
    call: (method, url, call) => inject(app, method, url, call),
    signIn: async (memberId, { userAgent = 'test', newDevice = false } = {}) => {
      const opened = await inTransaction(db, async (tx) => {
        const member = await memberById(tx, memberId)
        if (member === undefined) throw new Error(`no member ${memberId}`)
        const session = await openSession(tx, deps, member, { ip: '127.0.0.1', userAgent, requestId: 'test' })
        if (!newDevice) await tx.updateTable('known_device').set({ trusted_from: clock.now() }).where('member_id', '=', memberId).execute()
        return session
      })
      return { token: opened.accessToken, cookie: `refreshToken=${opened.refreshToken}`, sessionId: opened.sessionId }
    },
    runJobs: () => runOnce(db, deps, jobs),
  }
}

const METHODS = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE', 'HEAD', 'OPTIONS'] as const

async function inject(app: FastifyInstance, method: string, url: string, call: TestCall = {}): Promise<TestReply> {
  const verb = METHODS.find((one) => one === method)
  if (verb === undefined) throw new Error(`unknown method ${method}`)
  const reply = await app.inject({
    method: verb,
    url: /^\/(invoice-api|api|sandbox|health)\//.test(url) ? url : `/api/v1${url}`,
    headers: {
      ...(call.token === undefined ? {} : { authorization: call.token }),
      ...(call.key === null || (call.key === undefined && verb === 'GET') ? {} : { 'idempotency-key': call.key ?? randomUUID() }),
      ...(call.cookie === undefined ? {} : { cookie: call.cookie }),
      ...(call.body === undefined ? {} : { 'content-type': 'application/json' }),
      'user-agent': 'test',
      ...call.headers,
    },
    ...(call.body === undefined ? {} : { payload: JSON.stringify(call.body) }),
  })
  assertSaysWhen(verb, url, reply)
  const json = (reply.headers['content-type'] ?? '').startsWith('application/json')
  if (json && reply.body.includes('"success":false')) assertHasCode(`${verb} ${url}`, reply.headers, reply.json<ErrorBody>())
  if (json && reply.statusCode === 200 && url.startsWith('/receipts/')) assertTranslatable(reply.json<{ data: Receipt }>().data)
  return {
    status: reply.statusCode,
    body: json && reply.body !== '' ? JSON.parse(reply.body) : undefined,
    text: reply.body,
    headers: reply.headers,
    cookies: readCookies(reply.headers['set-cookie']),
  }
}

/** Checks in every test that a 429 or 503 response has `Retry-After`, for calls with a known wait. */
function assertSaysWhen(method: string, url: string, { statusCode, headers }: { statusCode: number; headers: TestReply['headers'] }): void {
  if (statusCode !== 429 && statusCode !== 503) return
  if (!(Number(headers['retry-after']) > 0)) throw new Error(`${method} ${url}: ${statusCode} without Retry-After`)
  const called = url.split('?')[0] ?? ''
  const route = allRoutes.find((one) => one.method === method && new RegExp(`^${one.path.replace(/:\w+/g, '[^/]+')}$`).test(called))
  if (route !== undefined && !routeErrorsOf(route).some(({ status }) => status === statusCode))
    throw new Error(`${route.name} answers ${statusCode}, which its page does not say`)
}

/** Checks in every test that a refusal's code and values make its words, which other languages depend on. */
function assertHasCode(call: string, headers: TestReply['headers'], { statusCode, message, errorMessages }: ErrorBody): void {
  const code = String(headers['error-code']) as ErrorCode
  if (!Object.hasOwn(errorCatalogue, code)) throw new Error(`${call}: refused without a code`)
  const words = errorMessage(code, Object.fromEntries(new URLSearchParams(String(headers['error-values'] ?? ''))))
  const isFieldError = code === 'INVALID_INPUT' && errorMessages[0]?.message === message
  if (errorCatalogue[code].status !== statusCode || (words !== message && !isFieldError))
    throw new Error(`${call}: ${code} does not make "${message}" with status ${statusCode}`)
}

/** Lines whose value is no text of the product: reasons of staff, names and numbers. */
const OWN_WORDS = new Set(['Reason', 'Kind', 'Movement', 'Reference', 'Reward run', 'Reverses transfer', 'Reward days so far'])

/** Checks in every test that the app can translate each text of a receipt (docs/decisions/0065-languages.md). */
function assertTranslatable({ title, rule, baseLabel, rateUnit, from, to, lines }: Receipt): void {
  const values = lines.flatMap(({ label, value, amount, at }) =>
    amount === undefined && at === undefined && !OWN_WORDS.has(label) ? [value] : [],
  )
  const parties = [from.label, to.label].filter((label) => !label.includes('@'))
  for (const text of [title, rule, baseLabel, rateUnit, ...parties, ...lines.map(({ label }) => label), ...values])
    if (text !== undefined && translateResponse(text, (found) => (translatable.has(found) ? 'translated' : found)) !== 'translated')
      throw new Error(`a receipt has a text that the app cannot translate: ${text}`)
}

const translatable: ReadonlySet<string> = new Set(sources.app)

function readCookies(header: string | string[] | number | undefined): TestReply['cookies'] {
  const lines = header === undefined ? [] : [header].flat().map(String)
  const parsed = lines.map((text) => {
    const [pair = '', ...attributes] = text.split(';')
    const [name = '', ...value] = pair.split('=')
    return [name.trim(), { value: value.join('='), attributes: attributes.map((item) => item.trim()).join('; ') }] as const
  })
  return Object.fromEntries(parsed)
}
