import type { Route } from '@tizara/contract'
import { allRoutes } from '@tizara/contract/all-routes'
import { toJsonSchema } from '@valibot/to-json-schema'
import { beforeAll, describe, expect, it } from 'vitest'
import { searchSample } from '../../../../../test/search.ts'
import { type TestApp, testApp } from '../../app.ts'
import { checksOfTests } from '../../audited-instance.ts'
import { testDatabase } from '../../database.ts'
import { createTestMember, fund } from '../../members.ts'
import { storedState } from '../../stored-state.ts'
import { runAudit } from '../../../src/ledger/index.ts'
import { readConfig } from '../../../src/platform/config/config.ts'
import { createPorts } from '../../../src/main/ports.ts'
import { bindRoutes } from '../../../src/main/routes.ts'

/** JSON values tried for a single value. */
const VALUES: Readonly<Record<string, string>> = {
  nothing: 'null',
  yes: 'true',
  zero: '0',
  'minus zero': '-0',
  negative: '-1',
  'a fraction of a unit': '0.000000001',
  'beyond 64 bits': '9223372036854775808',
  'nearly the largest amount': '92233720368.5',
  'the largest double': '1.7976931348623157e308',
  'beyond doubles': '1e99999',
  'many digits': '9'.repeat(20_000),
  'text with an exponent': '"1e3"',
  'text with a comma': '"1,5"',
  'text with blanks': '" 1 "',
  'NaN as text': '"NaN"',
  'Infinity as text': '"Infinity"',
  'hex as text': '"0x10"',
  empty: '""',
  blanks: '"   "',
  'a null character': '"a\\u0000b"',
  'half a surrogate pair': '"\\ud800"',
  'the other half': '"x\\udc00y"',
  'marks that turn text around': '"\\u202e\\u2066"',
  'a long text': `"${'x'.repeat(20_000)}"`,
  'a text with SQL': '"\'; drop table member; --"',
  'a list': '[1]',
  'an object': '{"$gt":""}',
  'an object with a text form': '{"toString":1,"valueOf":1}',
  'a prototype': '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}',
  'deep lists': `${'['.repeat(5_000)}${']'.repeat(5_000)}`,
  'deep objects': `${'{"a":'.repeat(3_000)}1${'}'.repeat(3_000)}`,
}

/** Whole bodies, with their content type. */
const BODIES: readonly (readonly [string, string, string | Buffer])[] = [
  ['no JSON', 'application/json', '{'],
  ['a comma too many', 'application/json', '{"amount":1,}'],
  ['an amount twice', 'application/json', '{"amount":1,"amount":2}'],
  ['a constructor', 'application/json', '{"constructor":{"prototype":{"polluted":true}}}'],
  ['an amount twice, once escaped', 'application/json', '{"amount":1,"\\u0061mount":2}'],
  ['NaN', 'application/json', '{"amount":NaN}'],
  ['hex', 'application/json', '{"amount":0x10}'],
  ['a list', 'application/json', '[]'],
  ['a text', 'application/json', '"amount"'],
  ['a number', 'application/json', '1'],
  ['null', 'application/json', 'null'],
  ['nothing', 'application/json', ''],
  ['blanks', 'application/json', ' \n '],
  ['broken UTF-8', 'application/json', Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d])],
  ['a byte order mark', 'application/json', '\ufeff{}'],
  ['1 MB', 'application/json', `{"amount":"${'x'.repeat(1024 * 1024)}"}`],
  ['1 MB of depth', 'application/json', '['.repeat(1024 * 1024)],
  ['a form', 'application/x-www-form-urlencoded', 'amount=1'],
  ['plain text', 'text/plain', '{"amount":1}'],
  ['XML', 'application/xml', '<amount>1</amount>'],
  ['no known type', 'nonsense', '{}'],
  ['an upload without its boundary', 'multipart/form-data', 'x'],
  ['an upload that ends early', 'multipart/form-data; boundary=x', '--x\r\nContent-Disposition: form-data; name="title"\r\n\r\nhalf'],
]

/** Headers of calls with an empty object. */
const HEADERS: readonly (readonly [string, Record<string, string>])[] = [
  ['a packed body that is none', { 'content-encoding': 'gzip' }],
  ['a key of blanks', { 'idempotency-key': 'a b' }],
  ['a long key', { 'idempotency-key': 'k'.repeat(5_000) }],
  ['a key that no header may hold', { 'idempotency-key': 'k\u00e9' }],
]

/** Encoded texts tried for a path segment. */
const IN_ADDRESS = [
  '%00',
  '%ff',
  '%',
  '..%2f..%2fetc',
  '%F0%9F%92%A9',
  "'%20or%201=1--",
  'NaN',
  '-1',
  '1e999',
  '9'.repeat(400),
  '%5B%5D',
  '%20',
]

let at: TestApp
let tokens: Record<'member' | 'staff', () => Promise<string>>
beforeAll(async () => {
  const { db } = await testDatabase(10)
  const ports = createPorts(readConfig({ NODE_ENV: 'test' }), 'http://127.0.0.1:9')
  at = await testApp(db, { routes: (bind) => bindRoutes(bind, ports) })
  const member = await createTestMember(db, { specialRcm: true })
  const admin = await createTestMember(db, { role: 'ADMIN' })
  for (const wallet of ['depositWallet', 'nftWallet', 'nativeWallet', 'icoWallet', 'newIcoWallet', 'rcmWallet'] as const) {
    await fund(db, member.id, wallet, 1_000_000_000_000n)
  }
  tokens = {
    member: async () => (await at.signIn(member.id)).token,
    staff: async () => (await at.signIn(admin.id)).token,
  }
})

const urlOf = (route: Route, param = 'x') =>
  `${route.base === 'invoice' ? '/invoice-api' : '/api/v1'}${route.path.replace(/:(\w+)/g, () => param)}`
const fieldsOf = (route: Route): [string, string][] => {
  if (route.body === undefined) return []
  const { properties = {} } = toJsonSchema(route.body, { typeMode: 'input', errorMode: 'ignore' })
  return Object.entries(properties).map(([name, schema]) => [name, isNumber(schema) ? '1' : '"x"'])
}

type JsonSchema = ReturnType<typeof toJsonSchema> | boolean
/** Returns true if a schema accepts a number, or a number as an alternative to text. */
const isNumber = (schema: JsonSchema): boolean =>
  typeof schema === 'object' && (schema.type === 'number' || schema.type === 'integer' || (schema.anyOf ?? []).some(isNumber))

/** Returns the route's query parameters. */
const queryOf = (route: Route): string[] =>
  route.query === undefined ? [] : Object.keys(toJsonSchema(route.query, { typeMode: 'input', errorMode: 'ignore' }).properties ?? {})

interface Sent {
  url: string
  type?: string
  body?: string | Buffer
  headers?: Record<string, string>
}

/** Sends a call, checks the response format, and returns the status. */
async function send(route: Route, what: string, { url, type, body, headers }: Sent): Promise<number> {
  const reply = await at.app.inject({
    method: route.method,
    url,
    headers: { ...(type === undefined ? {} : { 'content-type': type }), ...headers },
    ...(body === undefined ? {} : { payload: body }),
  })
  const about = `${route.name}, ${what}: ${reply.statusCode} ${reply.body.slice(0, 200)}`
  expect(reply.statusCode, about).toBeLessThan(500)
  expect(reply.headers['cache-control'], about).toBe('no-store')
  if (reply.statusCode >= 400) {
    expect(reply.headers['content-type'], about).toBe('application/json; charset=utf-8')
    const parsed = JSON.parse(reply.body) as Record<string, unknown>
    expect(Object.keys(parsed).toSorted(), about).toEqual(['errorMessages', 'message', 'statusCode', 'success'])
    expect(parsed, about).toMatchObject({ statusCode: reply.statusCode, success: false })
    expect(reply.body, about).not.toMatch(/node_modules|at \w+ \(|\.ts:\d|select .+ from |insert into |pg_|syntax error at|FST_ERR/)
  } else {
    expect(reply.statusCode, about).toBe(200)
  }
  return reply.statusCode
}

/** Calls between two full data comparisons. */
const CALLS_PER_READING = 40

/** Headers of the open sessions. An accepted call may end them. */
const sessions = new Map<'member' | 'staff', { authorization: string }>()
/** The stored data after the last refused call; undefined after an accepted one or a sign-in. */
let known: string | undefined

async function headersFor({ access }: Route): Promise<{ authorization?: string }> {
  if (access === 'public' || access === 'link') return {}
  const role = access === 'staff' ? 'staff' : 'member'
  const open = sessions.get(role)
  if (open !== undefined) return open
  const opened = { authorization: await tokens[role]() }
  sessions.set(role, opened)
  known = undefined
  return opened
}

/** Sends invalid calls and checks that the rejected ones changed nothing. */
async function sendAll(route: Route, calls: readonly (readonly [string, Sent])[]): Promise<void> {
  for (let first = 0; first < calls.length; first += CALLS_PER_READING) {
    const some = calls.slice(first, first + CALLS_PER_READING)
    let own = await headersFor(route)
    const before = (known ??= await storedState(at.db))
    let refused = true
    for (const [what, sent] of some) {
      if ((await send(route, what, { ...sent, headers: { ...own, ...sent.headers } })) >= 400) continue
      refused = false
      sessions.clear()
      own = await headersFor(route)
    }
    known = refused ? await storedState(at.db) : undefined
    const about = `${route.name}: one of ${some.map(([what]) => what).join(', ')} was refused and changed something`
    if (refused) expect(known, about).toBe(before)
  }
}

const writing = allRoutes.filter((route) => route.method !== 'GET')

describe('input to', () => {
  it.each(writing.map((route, index) => [route.name, route, index] as const))(
    '[I20] %s is rejected in the error form or accepted, and never causes a server error',
    async (_, route, routeIndex) => {
      const fields = fieldsOf(route)
      const json = (changed: string, value: string) =>
        `{${fields.map(([name, plain]) => `${JSON.stringify(name)}:${name === changed ? value : plain}`).join(',')}}`
      const url = urlOf(route)
      const type = 'application/json'
      await sendAll(route, [
        ...fields.flatMap(([name], index) =>
          searchSample(Object.entries(VALUES), routeIndex + index, 15).map(
            ([what, value]) => [`${name} is ${what}`, { url, type, body: json(name, value) }] as const,
          ),
        ),
        ...searchSample(fields, routeIndex, 4).map(
          ([name, plain]) =>
            [`${name} comes twice`, { url, type, body: `{${JSON.stringify(name)}:${plain},${json(name, '[1]').slice(1)}` }] as const,
        ),
        ...searchSample(BODIES, routeIndex, 8).map(([what, bodyType, body]) => [what, { url, type: bodyType, body }] as const),
        ...searchSample(HEADERS, routeIndex, 4).map(([what, headers]) => [what, { url, type, body: '{}', headers }] as const),
        ...searchSample([['nothing at all', { url }] as const], routeIndex, 4),
      ])
    },
  )

  it.each(allRoutes.map((route, index) => [route.name, route, index] as const))(
    '[I20] the URL of %s is rejected in the error form or answered',
    async (_, route, routeIndex) => {
      const plain = route.method === 'GET' ? {} : { type: 'application/json', body: '{}' }
      const query = [...queryOf(route), 'nonsense']
      const calls: (readonly [string, Sent])[] = query.flatMap((name, index) =>
        searchSample(IN_ADDRESS, routeIndex + index, 12).map(
          (value) => [`${name}=${value.slice(0, 20)}`, { ...plain, url: `${urlOf(route)}?${name}=${value}` }] as const,
        ),
      )
      calls.push(['names of prototypes', { ...plain, url: `${urlOf(route)}?__proto__=1&__proto__[polluted]=1&constructor=1&prototype=1` }])
      calls.push(['a name that comes twice', { ...plain, url: `${urlOf(route)}?page=1&page=2&limit=25&limit[]=1` }])
      if (route.path.includes(':'))
        for (const value of searchSample(IN_ADDRESS, routeIndex, 2))
          calls.push([`a part ${value.slice(0, 20)}`, { ...plain, url: urlOf(route, value) }])
      for (const token of searchSample(['x', 'Bearer ', 'a.b.c', '\u00e9', 'x'.repeat(8_000)], routeIndex, 5)) {
        calls.push([`the token ${token.slice(0, 8)}`, { ...plain, url: urlOf(route), headers: { authorization: token } }])
      }
      await sendAll(route, calls)
    },
  )
})

it('any route leaves the ledger intact and pollutes no prototype', async () => {
  expect((await runAudit(at.db, checksOfTests)).filter((result) => result.broken > 0)).toEqual([])
  expect(Object.keys(Object.prototype)).toEqual([])
  expect('polluted' in {}).toBe(false)
})
