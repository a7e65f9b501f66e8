import { readFileSync } from 'node:fs'
import type { Route } from '@tizara/contract'
import { allRoutes } from '@tizara/contract/all-routes'
import { sql } from 'kysely'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ApiProcess, startApiProcess } from '../../api-process.ts'
import { testApp } from '../../app.ts'
import { testDatabase } from '../../database.ts'
import { exampleCall } from '../../example-call.ts'
import { createTestMember, fund, type TestMember } from '../../members.ts'
import { type SilentProxy, silentProxy } from '../../silent-proxy.ts'
import { startPooler } from '../../../../../test/pooler.ts'
import { startWorker } from '../../../src/jobs/run-worker.ts'
import type { Job } from '../../../src/jobs/job.ts'
import { balancesOf, ledgerChecks, runAudit } from '../../../src/ledger/index.ts'
import { systemClock, testClock } from '../../../src/platform/runtime/clock.ts'
import { BATCH_TIMEOUTS, type Db, inTransaction, openDatabase } from '../../../src/platform/db/database.ts'

/** Response deadline in ms: ten seconds, plus a margin for a busy machine. */
const IN_TIME_MS = 13_000

const database = await testDatabase()
const { db, url } = database

/** Applies the shipped pooler settings. The pooler's defaults wait 15 s for a new connection, and as long before the next. */
const { 0: newLines } = /^server_connect_timeout = .*\nserver_login_retry = .*$/m.exec(
  readFileSync(new URL('../../../../../deploy/cluster/pgbouncer.ini', import.meta.url), 'utf8'),
) ?? ['']

/** Position of the silent proxy, and how clients reach the database. Machines without a pooler skip that one. */
const WAYS: Readonly<Record<string, (databaseUrl: string) => Promise<SilentProxy>>> = {
  'the database': silentProxy,
  'the pooler before the database': async (databaseUrl) => {
    const pooler = await startPooler(databaseUrl)
    const proxy = await silentProxy(pooler?.url ?? databaseUrl)
    return { ...proxy, close: async () => void (await Promise.all([proxy.close(), pooler?.stop()])) }
  },
  'the database behind a pooler': async (databaseUrl) => {
    const proxy = await silentProxy(databaseUrl)
    const pooler = await startPooler(proxy.url, newLines)
    return { ...proxy, url: pooler?.url ?? proxy.url, close: async () => void (await Promise.all([proxy.close(), pooler?.stop()])) }
  },
}

// Needs a database connection over the network.
if (url !== undefined) {
  describe.each(Object.entries(WAYS))('while %s is silent', (...[, reach]) => {
    describe('API', () => {
      let proxy: SilentProxy
      let api: ApiProcess
      let people: (TestMember & { token: string })[]
      beforeAll(async () => {
        proxy = await reach(url)
        const app = await testApp(db, { routes: () => undefined, clock: testClock(systemClock.now().toISOString()) })
        people = []
        for (let index = 0; index < 6; index += 1) {
          const member = await createTestMember(db)
          await fund(db, member.id, 'depositWallet', 1000_00000000n)
          people.push({ ...member, token: (await app.signIn(member.id)).token })
        }
        api = await startApiProcess({ PATH: process.env['PATH'], NODE_ENV: 'test', LOG_LEVEL: 'silent', DATABASE_URL: proxy.url })
      })
      afterAll(async () => {
        api.child.kill('SIGKILL')
        await proxy.close()
      })

      const call = async (path: string, init: RequestInit = {}) => {
        const reply = await fetch(`${api.url}${path}`, { ...init, signal: AbortSignal.timeout(IN_TIME_MS) })
        await reply.text()
        return reply.status
      }
      const pay = (index: number, key: string) =>
        call('/api/v1/usd-transfer/user-to-user-deposit', {
          method: 'POST',
          headers: { authorization: people[index % 6]?.token ?? '', 'content-type': 'application/json', 'idempotency-key': key },
          body: JSON.stringify({ amount: 5, email: people[(index + 1) % 6]?.email }),
        })
      const read = () => call('/api/v1/buy-token', { headers: { authorization: people[0]?.token ?? '' } })

      it('answers every call in time, reports not ready, and recovers automatically', async () => {
        const transfers = async () =>
          (await sql<{ n: number }>`select count(*)::int as n from ledger_transfer where kind = 'userToUser'`.execute(db)).rows[0]?.n ?? 0
        const before = await transfers()
        // Opens every connection kind first.
        const opened = [...Array.from({ length: 12 }, (_, index) => pay(index, `before-${index}`)), read(), read()]
        expect(await Promise.all(opened)).not.toContain(503)
        proxy.silence()
        const asked = [...Array.from({ length: 12 }, (_, index) => pay(index, `silent-${index}`)), read(), read()]
        expect(new Set(await Promise.all(asked))).toEqual(new Set([503]))
        expect(await Promise.all([pay(1, 'silent-again'), read(), call('/health/ready')])).toEqual([503, 503, 503])
        proxy.heal()
        const back = { timeout: IN_TIME_MS, interval: 200 }
        await expect.poll(() => call('/health/ready'), back).toBe(200)
        await expect.poll(() => pay(0, 'after'), back).toBe(200)
        expect(await read()).toBe(200)
        // Repeats the same keys. Each takes effect once, regardless of its result during the silence.
        for (let index = 0; index < 12; index += 1) expect(await pay(index, `silent-${index}`)).toBe(200)
        const total = (await Promise.all(people.map(async ({ id }) => (await balancesOf(db, id)).depositWallet))).reduce(
          (sum, one) => sum + one,
          0n,
        )
        expect(total).toBe(6000_00000000n)
        expect((await transfers()) - before).toBeLessThanOrEqual(12 + 12 + 2)
        expect((await runAudit(db, ledgerChecks)).filter((result) => result.broken > 0)).toEqual([])
      })

      it('shuts down in time', async () => {
        proxy.silence()
        const open = pay(0, 'at-the-end').catch(() => 'cut')
        api.child.kill('SIGTERM')
        expect(await Promise.race([api.ended, new Promise((resolve) => setTimeout(resolve, IN_TIME_MS, 'still there').unref())])).not.toBe(
          'still there',
        )
        expect([503, 'cut']).toContain(await open)
        proxy.heal()
      })
    })
  })

  describe('while the database is silent', () => {
    let proxy: SilentProxy
    let api: ApiProcess
    let tokens: Record<'member' | 'staff', string>
    let image: Buffer
    beforeAll(async () => {
      proxy = await silentProxy(url)
      const app = await testApp(db, { routes: () => undefined, clock: testClock(systemClock.now().toISOString()) })
      const tokenOf = async (options: Parameters<typeof createTestMember>[1]) =>
        (await app.signIn((await createTestMember(db, options)).id)).token
      tokens = { member: await tokenOf({}), staff: await tokenOf({ role: 'ADMIN' }) }
      image = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#0aa' } })
        .png()
        .toBuffer()
      api = await startApiProcess({ PATH: process.env['PATH'], NODE_ENV: 'test', LOG_LEVEL: 'silent', DATABASE_URL: proxy.url })
    })
    afterAll(async () => {
      api.child.kill('SIGKILL')
      await proxy.close()
    })

    const ask = async (route: Route) => {
      const { url: path, headers, payload } = exampleCall(route, image)
      const reply = await fetch(api.url + path, {
        method: route.method,
        headers: { authorization: tokens[route.access === 'staff' ? 'staff' : 'member'], ...headers },
        ...(payload === undefined ? {} : { body: payload }),
        signal: AbortSignal.timeout(IN_TIME_MS),
      })
      await reply.text()
      return `${route.name} ${reply.status} ${reply.headers.get('retry-after') !== null}`
    }

    it('every API call is answered in time, and calls of members and staff with "try again"', async () => {
      proxy.silence()
      // Stays below the load shedding limit.
      const answers: string[] = []
      for (let from = 0; from < allRoutes.length; from += 100)
        answers.push(...(await Promise.all(allRoutes.slice(from, from + 100).map(ask))))
      expect(answers.filter((answer) => / 5/.test(answer) && !answer.endsWith(' 503 true'))).toEqual([])
      const guarded = allRoutes.filter(({ access }) => access === 'member' || access === 'staff').map(({ name }) => `${name} 503 true`)
      expect(answers).toEqual(expect.arrayContaining(guarded))
    })
  })

  beforeAll(() => sql`create table turn (way text not null)`.execute(db))

  // Concurrent, because these tests mostly wait.
  describe.concurrent.each(Object.entries(WAYS))('while %s is silent', (way, reach) => {
    it('a worker drops silent connections, continues on new ones, and stops', async (test) => {
      const turns = async () =>
        (await sql<{ n: number }>`select count(*)::int as n from turn where way = ${way}`.execute(db)).rows[0]?.n ?? 0
      const insert = Promise.withResolvers<void>()
      let silences = 0
      const job: Job = {
        name: `turn while ${way} is silent`,
        everySeconds: 30,
        run: async (lease) => {
          for (;;) {
            await lease.inTransaction(async (tx) => {
              await sql`insert into turn values (${way})`.execute(tx)
              // The connection fails while its transaction locks the job's row in job_lease.
              if (silences === 1) {
                proxy.silence()
                silences = 2
                insert.resolve()
              }
            })
            if (silences === 0) silences = 1
          }
        },
      }
      const { deps } = await testApp(db, { routes: () => undefined })
      const proxy = await reach(url)
      const own = openDatabase({ url: proxy.url }, { max: 4, limits: { ...BATCH_TIMEOUTS, idle: 2_000 } })
      startWorker(own.db, deps, [job])
      await insert.promise
      const before = await turns()
      proxy.heal()
      // A worker owes no answer in time. On a busy machine it needs longer to give up a connection and to take its job again.
      const back = { timeout: 40_000, interval: 200 }
      await test.expect.poll(turns, back).toBeGreaterThan(before + 1)
      proxy.silence()
      await own.close()
      await proxy.close()
    })

    it('a slow statement does not count as silence in batch connections, inside or outside a transaction', async (test) => {
      const proxy = await reach(url)
      const own = openDatabase({ url: proxy.url }, { max: 2, limits: false })
      const sleep = (at: Db) => sql<{ done: number }>`select 1 as done from pg_sleep(9)`.execute(at)
      const slept = await Promise.all([sleep(own.db), inTransaction(own.db, sleep)])
      test.expect(slept.map(({ rows }) => rows)).toEqual([[{ done: 1 }], [{ done: 1 }]])
      await own.close()
      await proxy.close()
    })
  })
}
