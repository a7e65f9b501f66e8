import type { Route } from '@tizara/contract'
import { allRoutes } from '@tizara/contract/all-routes'
import { Kysely, PostgresDialect, sql } from 'kysely'
import sharp from 'sharp'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type TestApp, testApp } from '../../app.ts'
import { testDatabase } from '../../database.ts'
import { exampleCall } from '../../example-call.ts'
import { createTestMember, fund, PAYOUT_ADDRESS, TEST_PASSWORD, type TestMember } from '../../members.ts'
import { ledgerChecks, runAudit } from '../../../src/ledger/index.ts'
import type { DB } from '../../../src/platform/db/tables.generated.ts'
import { createPorts } from '../../../src/main/ports.ts'
import { bindRoutes } from '../../../src/main/routes.ts'

/** Database errors during failover, restart, full disk or contention, and a broken connection's error. */
const coded = (code: string) => Object.assign(new Error(`database says ${code}`), { code })
const FAULTS: Readonly<Record<string, Error>> = {
  '57P01 ended by the operator': coded('57P01'),
  '57P03 starting or shutting down': coded('57P03'),
  '53300 too many connections': coded('53300'),
  '53100 disk full': coded('53100'),
  '25006 read-only': coded('25006'),
  '55P03 lock timeout': coded('55P03'),
  '57014 statement timeout': coded('57014'),
  '40P01 deadlock': coded('40P01'),
  '40001 serialisation': coded('40001'),
  '08P01 pooler without its server': Object.assign(new Error('server conn crashed?'), { code: '08P01' }),
  'a lost connection': new Error('Connection terminated unexpectedly'),
  'an unreachable host': Object.assign(new Error('connect'), { code: 'EHOSTUNREACH', syscall: 'connect' }),
}

const real = await testDatabase()
/** First failing statement with its error, and how many statements were sent. */
let fault: { error: Error; from: number } | undefined
let asked = 0

/** Database that fails from a statement onward, like the product's pool. */
const faulty = new Kysely<DB>({
  dialect: new PostgresDialect({
    pool: {
      connect: async () => {
        const client = await real.pool.connect()
        let tripped = false
        return {
          query: (text: string, values: unknown[]) => {
            asked += 1
            if (fault !== undefined && asked > fault.from) {
              tripped = true
              return Promise.reject(fault.error)
            }
            return client.query(text, values)
          },
          release: () => client.release(tripped),
        }
      },
      end: () => Promise.resolve(),
    } as never,
  }),
})

let at: TestApp
let healthy: TestApp
let member: TestMember
let receiver: TestMember
let token: string
let staffToken: string
let image: Buffer
beforeAll(async () => {
  at = await testApp(faulty, { routes: (bind, deps) => bindRoutes(bind, createPorts(deps.config, 'http://127.0.0.1:9')) })
  healthy = await testApp(real.db, { routes: () => undefined })
  receiver = await createTestMember(real.db)
  staffToken = (await healthy.signIn((await createTestMember(real.db, { role: 'ADMIN' })).id)).token
  image = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#0aa' } })
    .png()
    .toBuffer()
})
beforeEach(async () => {
  fault = undefined
  // Uses a new member per test, because daily limits apply.
  member = await createTestMember(real.db)
  await fund(real.db, member.id, 'depositWallet', 100_000_000_000_000n)
  token = (await healthy.signIn(member.id)).token
})

const send = async (method: 'GET' | 'POST', url: string, payload?: object | Buffer, contentType = 'application/json', key?: string) => {
  // Clears failures, because an aborted attempt counts as wrong.
  await real.db.deleteFrom('sign_in_failure').execute()
  asked = 0
  const reply = await at.app.inject({
    method,
    url: `/api/v1${url}`,
    headers: {
      authorization: url.startsWith('/staff/') ? staffToken : token,
      ...(payload === undefined ? {} : { 'content-type': contentType }),
      ...(key === undefined ? {} : { 'idempotency-key': key }),
    },
    ...(payload === undefined ? {} : { payload }),
  })
  return { status: reply.statusCode, body: reply.json(), headers: reply.headers }
}
const form = () => {
  const field = (name: string, value: string) => `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
  const head = `--x\r\nContent-Disposition: form-data; name="image"; filename="a.png"\r\nContent-Type: image/png\r\n\r\n`
  return Buffer.concat([
    Buffer.from(field('title', 'A title') + field('description', 'A description') + head),
    image,
    Buffer.from('\r\n--x--\r\n'),
  ])
}
let keys = 0

const CALLS: Readonly<Record<string, () => ReturnType<typeof send>>> = {
  'a read': () => send('GET', '/buy-token'),
  'a write': () => send('POST', '/staking/calendar-link', {}),
  'a money call in a group': () =>
    send('POST', '/usd-transfer/user-to-user-deposit', { amount: 5, email: receiver.email }, undefined, `k${(keys += 1)}`),
  'a money call of its own': () =>
    send('POST', '/buy-token', { coinPrice: 0.008, coinAmount: 1000, totalPrice: 8 }, undefined, `k${(keys += 1)}`),
  'a payout': () =>
    send('POST', '/deposit-wallet/transfer-deposit-wallet', { amount: 10, address: PAYOUT_ADDRESS }, undefined, `k${(keys += 1)}`),
  'a proof for a payout': () =>
    send('POST', '/withdrawals/step-up', { kind: 'withdrawal', amount: 10, address: PAYOUT_ADDRESS, password: TEST_PASSWORD }),
  'a read of staff': () => send('GET', '/staff/overview?days=7'),
  'a decision of staff': () =>
    send('POST', `/staff/members/${receiver.publicId}/special-rcm`, { isSpecialRcm: false, reason: `turn ${(keys += 1)}` }),
  'an upload': () => send('POST', '/ticket/create', form(), 'multipart/form-data; boundary=x'),
}

/** Counts rows in every table written by the calls. */
const rows = async () =>
  (
    await sql<{ rows: string }>`select concat_ws(' ', (select count(*) from ledger_transfer), (select count(*) from idempotency),
      (select count(*) from coin_purchase), (select count(*) from ticket), (select max(token_digest) from calendar_link),
      (select count(*) from payout_request), (select count(*) from mail_outbox), (select count(*) from audit_event),
      (select is_special_rcm from member where id = ${receiver.id})) as rows`.execute(real.db)
  ).rows[0]?.rows

describe.each(Object.entries(FAULTS))('%s', (_, error) => {
  it.each(Object.keys(CALLS))('at any statement of %s answers "try again", and changes nothing', async (name) => {
    const call = CALLS[name] ?? (() => Promise.reject(new Error(`no call ${name}`)))
    expect((await call()).status).toBe(200)
    const statements = asked
    expect(statements).toBeGreaterThan(1)
    const before = await rows()
    for (let from = 0; from < statements; from += 1) {
      fault = { error, from }
      const reply = await call()
      expect([from, reply.status, reply.headers['retry-after']]).toEqual([from, 503, '2'])
      expect(reply.body).toMatchObject({ success: false, statusCode: 503 })
    }
    expect(await rows()).toBe(before)
    fault = undefined
    expect((await call()).status).toBe(200)
  })
})

/** Sends a call with the example from the API documentation. */
async function ask(route: Route) {
  const { url, headers, payload } = exampleCall(route, image)
  asked = 0
  return at.app.inject({
    method: route.method,
    url,
    headers: { authorization: route.access === 'staff' ? staffToken : token, ...headers },
    ...(payload === undefined ? {} : { payload }),
  })
}

describe('API call', () => {
  // Excludes the health page, which reports failed checks in its response.
  const calls = allRoutes.filter(({ name }) => name !== 'staffHealth')
  // Restores what one call stops and the next ones need.
  afterEach(() => real.db.deleteFrom('ledger_stop').execute())
  beforeEach(() => real.db.deleteFrom('rate_limit').execute())
  const { 'a lost connection': lost = coded('57P01'), ...others } = FAULTS
  it.each(calls.map((route, index) => [route.name, route, index] as const))(
    '%s answers "try again" for a fault at any statement',
    async (_, route, index) => {
      const isTryAgain = async (error: Error, from: number) => {
        fault = { error, from }
        const reply = await ask(route)
        if (asked > from)
          expect([error.message, from, reply.statusCode, reply.headers['retry-after'], reply.body]).toEqual([
            error.message,
            from,
            503,
            '2',
            reply.body,
          ])
        else expect(reply.statusCode, reply.body).not.toBe(500)
        return asked > from
      }
      let statements = 0
      while (await isTryAgain(lost, statements)) statements += 1
      // Runs the other errors once each, spread over the statements. A repeated call may finish earlier.
      for (const [turn, error] of Object.values(others).entries()) {
        let from = (index + turn) % Math.max(statements, 1)
        while (!(await isTryAgain(error, from)) && from > 0) from -= 1
        if (statements > 0) expect(asked, error.message).toBeGreaterThan(from)
      }
    },
  )
})

it('reports not ready while the database is read-only', async () => {
  const app = await testApp(faulty, { routes: () => undefined })
  fault = { error: coded('25006'), from: 0 }
  asked = 0
  const refused = await app.app.inject({ method: 'GET', url: '/health/ready' })
  expect([refused.statusCode, refused.headers['retry-after']]).toEqual([503, '2'])
})

it('leaves the ledger intact after all faults', async () => {
  const results = await runAudit(real.db, ledgerChecks)
  expect(results.filter((result) => result.broken > 0)).toEqual([])
})
