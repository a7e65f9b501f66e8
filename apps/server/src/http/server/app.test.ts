import { type AddressInfo, connect } from 'node:net'
import { coinInput, type ErrorCode, errorCatalogue, nothing, route } from '@tizara/contract'
import { sql } from 'kysely'
import * as v from 'valibot'
import { afterAll, describe, expect, it } from 'vitest'
import { testDatabase } from '../../../test/database.ts'
import { memberSeven as viewer } from '../../../test/viewer.ts'
import { AppError } from '../../platform/runtime/app-error.ts'
import { testClock } from '../../platform/runtime/clock.ts'
import { readConfig } from '../../platform/config/config.ts'
import { randomIds } from '../../platform/runtime/ids.ts'
import { createLog } from '../../platform/runtime/log.ts'
import { createApp } from './app.ts'
import { answer, type Bind } from '../calls/bind-route.ts'
import type { Viewer } from '../calls/session-guard.ts'

const spend = route({
  name: 'testSpend',
  method: 'POST',
  path: '/test-spend',
  access: 'member',
  money: true,
  summary: 'Adds to a counter.',
  body: v.object({ amount: coinInput }),
  reply: v.object({ total: v.bigint() }),
  errors: ['INSUFFICIENT_BALANCE'],
})
const crash = route({
  name: 'testCrash',
  method: 'GET',
  path: '/test-crash',
  access: 'public',
  summary: 'Fails.',
  reply: nothing,
  errors: [],
})
const signIn = route({
  name: 'testSignIn',
  method: 'POST',
  path: '/test-sign-in',
  access: 'public',
  limited: true,
  summary: 'Is limited.',
  body: v.object({ email: v.string() }),
  reply: nothing,
  errors: [],
})
const staffOnly = route({
  name: 'testStaff',
  method: 'GET',
  path: '/test-staff',
  access: 'staff',
  role: 'all',
  summary: 'Is for staff.',
  reply: nothing,
  errors: [],
})

const viewers: Record<string, Viewer> = {
  good: viewer,
  other: { ...viewer, memberId: 8n },
  unverified: { ...viewer, isVerified: false },
  blocked: { ...viewer, isActive: false },
  staff: { ...viewer, role: 'ADMIN', isStaff: true },
}

const clock = testClock('2026-01-01T00:00:00Z')
const setup = async () => {
  const database = await testDatabase()
  await sql`create table spent (amount bigint not null)`.execute(database.db)
  const deps = { config: readConfig({ NODE_ENV: 'test' }), clock, ids: randomIds, log: createLog('silent') }
  const bindRoutes = (bind: Bind) => {
    bind.read(crash, () => Promise.reject(new Error('a secret detail')))
    bind.write(signIn, async () => answer(null))
    bind.read(staffOnly, async () => answer(null))
    bind.money(spend, async ({ tx, body }) => {
      await sql`insert into spent values (${body.amount})`.execute(tx)
      if (body.amount === 90_000_000_000n) throw new AppError('STOPPED', { why: 'ürgent & "50 %"' })
      if (body.amount > 100_000_000_000n) throw new AppError('INSUFFICIENT_BALANCE')
      const { rows } = await sql<{ total: bigint }>`select sum(amount)::bigint as total from spent`.execute(tx)
      return answer({ total: rows[0]?.total ?? 0n }, 'Spent')
    })
  }
  const authenticate = async (_: unknown, token: string) => {
    const found = viewers[token]
    if (token === 'expired') throw new AppError('TOKEN_EXPIRED')
    if (found === undefined) throw new AppError('UNAUTHENTICATED')
    return found
  }
  return { database, app: await createApp({ deps, db: database.db, authenticate, bindRoutes }) }
}

const at = await setup()

/** The port of the app; it listens from the first time on. */
const listening = async (): Promise<{ port: number }> => {
  if (!at.app.server.listening) await at.app.listen({ port: 0, host: '127.0.0.1' })
  return at.app.server.address() as AddressInfo
}
afterAll(() => at.app.close())

const post = (url: string, payload: unknown, headers: Record<string, string> = {}) =>
  at.app.inject({ method: 'POST', url: `/api/v1${url}`, payload: payload as object, headers })
const pay = (amount: unknown, key?: string, token = 'good') =>
  post('/test-spend', { amount }, { authorization: token, ...(key === undefined ? {} : { 'idempotency-key': key }) })
const spent = async () => Number((await sql<{ n: bigint }>`select count(*) as n from spent`.execute(at.database.db)).rows[0]?.n)

interface Response {
  statusCode: number
  headers: Record<string, unknown>
  json(): unknown
}

/** Expects the error form, and a code whose words and status the body has. */
const expectError = (response: Response, statusCode: number, message?: string) => {
  expect(response.statusCode).toBe(statusCode)
  const code = response.headers['error-code'] as ErrorCode
  expect(errorCatalogue[code]).toMatchObject({ status: statusCode })
  const body = response.json() as Record<string, unknown>
  expect(Object.keys(body).toSorted()).toEqual(['errorMessages', 'message', 'statusCode', 'success'])
  expect(body).toMatchObject({ statusCode, success: false })
  expect(Array.isArray(body['errorMessages'])).toBe(true)
  if (message !== undefined) expect(body['message']).toBe(message)
}

describe('API', () => {
  it('[API-10] [EN-59] answers in the envelope, with amounts as exact numbers', async () => {
    const response = await pay(12.5)
    expect(response.statusCode).toBe(200)
    expect(response.headers['content-type']).toBe('application/json; charset=utf-8')
    const body = response.json<{ data: { total: number } }>()
    expect(body).toMatchObject({ success: true, statusCode: 200, message: 'Spent' })
    expect(typeof body.data.total).toBe('number')
  })

  it('[EN-04] answers an undecodable URL in the error form, with all security headers', async () => {
    const reply = await at.app.inject({ method: 'GET', url: '/api/v1/thing/%ff' })
    expect([reply.statusCode, reply.headers['error-code']]).toEqual([400, 'INVALID_INPUT'])
    expect(reply.json()).toMatchObject({ statusCode: 400, success: false, message: 'Invalid input' })
    expect(reply.headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'cache-control': 'no-store', 'x-frame-options': 'DENY' })
  })

  it('[EN-04] [EN-05] answers unknown routes in the error form', async () => {
    expectError(await at.app.inject({ method: 'GET', url: '/api/v1/none' }), 404)
    expectError(await at.app.inject({ method: 'DELETE', url: '/api/v1/test-spend' }), 404)
  })

  it.each([
    ['is not HTTP', 'HELLO\r\n\r\n', 400],
    [
      'has two lengths',
      'POST /api/v1/test-spend HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      400,
    ],
    ['has a token of 20 kB', `GET /api/v1/test-staff HTTP/1.1\r\nHost: a\r\nAuthorization: ${'x'.repeat(20_000)}\r\n\r\n`, 413],
    ['is never completed', 'GET /api/v1/test-staff HTTP/1.1\r\nHost: a\r\n', 503],
  ])('[EN-04] [I20] answers a request in the error form when it %s', async (_, sent, status) => {
    const { port } = await listening()
    at.app.server.headersTimeout = 300
    const got = await new Promise<string>((resolve, reject) => {
      let text = ''
      const socket = connect(port, '127.0.0.1', () => socket.write(sent))
      socket.setEncoding('utf8').on('data', (part) => (text += part))
      socket.on('end', () => resolve(text)).on('error', reject)
    })
    const [head = '', body = ''] = got.split('\r\n\r\n')
    expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
    expect(head.includes('Retry-After: 1')).toBe(status === 503)
    const [, code] = /^Error-Code: (.+)$/m.exec(head.replaceAll('\r', '')) ?? []
    expectError({ statusCode: status, headers: { 'error-code': code }, json: () => JSON.parse(body) as unknown }, status)
  })

  it('answers a crash with 500 and no detail', async () => {
    const response = await at.app.inject({ method: 'GET', url: '/api/v1/test-crash' })
    expectError(response, 500, 'Something went wrong')
    expect(response.headers['error-code']).toBe('INTERNAL')
    expect(response.body).not.toContain('secret')
  })

  it.each([
    ['broken JSON', '{"amount":', 400],
    ['deep nesting', `{"amount":${'['.repeat(500_000 / 10)}1${']'.repeat(500_000 / 10)}}`, 413],
    ['33 levels', `{"amount":${'['.repeat(33)}1${']'.repeat(33)}}`, 400],
    ['a prototype key', '{"__proto__":{"amount":1}}', 400],
    ['an escaped prototype key', '{"amount":1,"\\u005f_proto__":{"amount":1}}', 400],
    ['a text amount that is no plain decimal', '{"amount":"5e0"}', 400],
    ['an array amount', '{"amount":[5]}', 400],
    ['a boolean amount', '{"amount":true}', 400],
    ['no amount', '{}', 400],
    ['an infinite amount', '{"amount":1e309}', 400],
    ['a negative amount', '{"amount":-1}', 400],
    ['nine decimals', '{"amount":0.123456789}', 400],
    ['an array body', '[]', 400],
    ['null', 'null', 400],
  ])('rejects %s and changes nothing', async (_, payload, status) => {
    const before = await spent()
    const response = await at.app.inject({
      method: 'POST',
      url: '/api/v1/test-spend',
      payload,
      headers: { authorization: 'good', 'content-type': 'application/json' },
    })
    expectError(response, status)
    expect(await spent()).toBe(before)
  })

  it('[API-03] rejects other content types', async () => {
    const response = await at.app.inject({
      method: 'POST',
      url: '/api/v1/test-spend',
      payload: 'amount=5',
      headers: { authorization: 'good', 'content-type': 'application/x-www-form-urlencoded' },
    })
    expectError(response, 415)
  })
})

describe('session guard', () => {
  it('[API-15] answers 401 without a token or with a dead one, and 403 only for an expired one', async () => {
    expectError(await post('/test-spend', { amount: 1 }), 401)
    expectError(await pay(1, undefined, 'dead'), 401)
    expectError(await pay(1, undefined, 'expired'), 403)
  })

  it('[API-07] accepts the token bare or after Bearer', async () => {
    expect((await pay(1, undefined, 'good')).statusCode).toBe(200)
    expect((await pay(2, undefined, 'Bearer good')).statusCode).toBe(200)
  })

  it('[RO-16] rejects unverified members with 400 and blocked ones with 401', async () => {
    expectError(await pay(1, undefined, 'unverified'), 400, 'Please verify your email')
    expectError(await pay(1, undefined, 'blocked'), 401)
  })

  it('hides staff routes from members', async () => {
    const as = (token: string) => at.app.inject({ method: 'GET', url: '/api/v1/test-staff', headers: { authorization: token } })
    const hidden = await as('good')
    expectError(hidden, 404)
    expect(hidden.headers['error-code']).toBe('NOT_FOUND')
    expect((await as('staff')).statusCode).toBe(200)
  })
})

describe('idempotency keys', () => {
  it('return the stored answer to a repeat, which has no second effect', async () => {
    const before = await spent()
    const first = await pay(3, 'key-1')
    const second = await pay(3, 'key-1')
    expect(second.body).toBe(first.body)
    expect(await spent()).toBe(before + 1)
  })

  it('store business rejections too', async () => {
    const first = await pay(2000, 'key-2')
    expectError(first, 400, 'Insufficient balance')
    const second = await pay(2000, 'key-2')
    expect(second.body).toBe(first.body)
    expect([first, second].map(({ headers }) => headers['error-code'])).toEqual(['INSUFFICIENT_BALANCE', 'INSUFFICIENT_BALANCE'])
  })

  it('store the values of a rejection, in any script, and give them to a repeat', async () => {
    const replies = [await pay(900, 'key-values'), await pay(900, 'key-values')]
    for (const reply of replies) {
      expectError(reply, 400, 'Payouts and rewards are paused: ürgent & "50 %"')
      expect(reply.headers['error-code']).toBe('STOPPED')
      expect([...new URLSearchParams(String(reply.headers['error-values']))]).toEqual([['why', 'ürgent & "50 %"']])
    }
    expect((await pay(4, 'key-none')).headers).not.toHaveProperty('error-code')
  })

  it('reject another body under the same key', async () => {
    await pay(4, 'key-3')
    expectError(await pay(5, 'key-3'), 400, 'This idempotency key was used for another request')
  })

  it('are separate for each member', async () => {
    const before = await spent()
    await pay(6, 'key-4')
    await pay(6, 'key-4', 'other')
    expect(await spent()).toBe(before + 2)
  })

  it('store nothing when the input is invalid', async () => {
    expectError(await pay('x', 'key-5'), 400)
    expect((await pay(1, 'key-5')).statusCode).toBe(200)
  })

  it.each(['', 'x'.repeat(256), 'sp ace'])('reject a key that is not 1 to 255 printable characters', async (key) => {
    expectError(await pay(1, key), 400)
  })

  it('have one effect when repeats arrive at the same time', async () => {
    const before = await spent()
    const answers = await Promise.all(Array.from({ length: 12 }, () => pay(7, 'key-6')))
    expect(await spent()).toBe(before + 1)
    expect(new Set(answers.map((item) => item.statusCode)).difference(new Set([200, 409])).size).toBe(0)
    expect((await pay(7, 'key-6')).statusCode).toBe(200)
  })
})

describe('rate limits', () => {
  it('[API-17] allow 10 calls in 15 minutes per address and per account, then answer 429', async () => {
    for (let call = 0; call < 10; call += 1) expect((await post('/test-sign-in', { email: 'a@gmail.com' })).statusCode).toBe(200)
    clock.advance(60_000)
    const refused = await post('/test-sign-in', { email: 'b@gmail.com' })
    expectError(refused, 429, 'Too many requests, please try again later')
    expect(refused.headers['retry-after']).toBe(String(14 * 60))
    clock.advance(14 * 60_000 + 1000)
    expect((await post('/test-sign-in', { email: 'a@gmail.com' })).statusCode).toBe(200)
  })
})
