import type { ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { type IncomingMessage, request as plainRequest } from 'node:http'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type HeldSocket, holdSocket } from '../../../../../test/held-socket.ts'
import type { Outside } from '../../../../../test/outside.ts'
import { freePort } from '../../../../../test/postgres.ts'
import { hasProgram, openProxy, PROXIES } from '../../../../../test/proxies.ts'
import { testApp } from '../../app.ts'
import { testDatabase } from '../../database.ts'
import { createTestMember, FREE_TRANSFERS, fund, type TestMember } from '../../members.ts'
import { applySettings } from '../../../src/modules/settings/index.ts'
import { inTransaction } from '../../../src/platform/db/database.ts'
import { systemClock, testClock } from '../../../src/platform/runtime/clock.ts'

const ENTRY = fileURLToPath(new URL('../../../src/main/api.ts', import.meta.url))
const { db, url = '' } = await testDatabase()
const folder = mkdtempSync(path.join(tmpdir(), 'zero-downtime-restart-'))
let people: (TestMember & { token: string })[]
const ends: (() => unknown)[] = []
afterAll(async () => {
  for (const end of ends.toReversed()) await end()
  rmSync(folder, { recursive: true, force: true })
})

/** Response, or its stream. */
interface Answer {
  status: number
  text: string
}

beforeAll(async () => {
  const app = await testApp(db, { routes: () => undefined, clock: testClock(systemClock.now().toISOString()) })
  await inTransaction(db, (tx) => applySettings(tx, app.deps, { changes: FREE_TRANSFERS, actorId: null, reason: 'test' }))
  people = []
  for (let index = 0; index < 3; index += 1) {
    const member = await createTestMember(db)
    await fund(db, member.id, 'depositWallet', 100_000_00000000n)
    people.push({ ...member, token: (await app.signIn(member.id)).token })
  }
})

// Proxies on this machine. The case without a proxy runs everywhere.
describe.each(['nobody', ...PROXIES.filter(hasProgram)] as const)('with %s in front', (proxyName) => {
  let socket: HeldSocket
  let api: ChildProcess
  let outside: Outside | undefined
  let port: number
  const startApi = () =>
    socket.start([process.execPath, ENTRY], {
      env: {
        PATH: process.env['PATH'],
        NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
        NODE_ENV: 'test',
        LOG_LEVEL: 'silent',
        DATABASE_URL: url,
        PORT: String(port),
        TRUST_PROXY: '1',
        RATE_LIMIT_SCALE: '1000',
      },
    })
  const ask = (
    method: string,
    where: string,
    options: { token?: string; body?: string | Buffer; headers?: object } = {},
    part?: (text: string) => void,
  ) =>
    new Promise<Answer>((resolve, reject) => {
      const { token, body, headers } = options
      const how = { method, path: where, headers: { ...headers, ...(token === undefined ? {} : { authorization: token }) } }
      const read = (answer: IncomingMessage) => {
        let text = ''
        answer.setEncoding('utf8').on('data', (chunk: string) => {
          text += chunk
          part?.(text)
        })
        answer.once('error', reject).once('end', () => resolve({ status: answer.statusCode ?? 0, text }))
      }
      const asked =
        outside === undefined
          ? plainRequest({ ...how, host: '127.0.0.1', port }, read)
          : request({ ...how, host: 'localhost', port: outside.port, ca: readFileSync(outside.certificate) }, read)
      asked.once('error', reject).end(body)
    })
  const pay = (index: number) =>
    ask('POST', '/api/v1/usd-transfer/user-to-user-deposit', {
      token: people[index % 3]?.token ?? '',
      headers: { 'content-type': 'application/json', 'idempotency-key': randomUUID() },
      body: JSON.stringify({ amount: 5, email: people[(index + 1) % 3]?.email }),
    })
  beforeAll(async () => {
    port = await freePort()
    socket = holdSocket(port)
    api = startApi()
    outside = proxyName === 'nobody' ? undefined : await openProxy(proxyName, port, folder)
    ends.push(
      () => socket.close(),
      () => outside?.close(),
      () => api.kill('SIGKILL'),
    )
    await vi.waitFor(async () => expect((await ask('GET', '/health/ready')).status).toBe(200), { timeout: 50_000, interval: 100 })
  })

  it('loses no call while a new process replaces the old one', async () => {
    const moves = async () =>
      (await sql<{ n: number }>`select count(*)::int as n from ledger_transfer where kind = 'userToUser'`.execute(db)).rows[0]?.n ?? 0
    const before = await moves()
    const answers: number[] = []
    let over = false
    const load = Promise.all(
      Array.from({ length: 4 }, async (_, index) => {
        while (!over) answers.push(await pay(index).then(({ status }) => status))
      }),
    )
    for (let round = 0; round < 2; round += 1) {
      const count = answers.length
      await expect.poll(() => answers.length).toBeGreaterThan(count + 10)
      const ended = once(api, 'exit')
      api.kill('SIGTERM')
      expect(await ended).toEqual([0, null])
      api = startApi()
    }
    await expect.poll(() => ask('GET', '/health/ready').then(({ status }) => status)).toBe(200)
    over = true
    await load
    expect(new Set(answers)).toEqual(new Set([200]))
    expect((await moves()) - before).toBe(answers.length)
  })

  it('forwards live events as they arrive', async () => {
    let came = ''
    const stream = ask('GET', '/api/v1/live', { token: people[0]?.token ?? '' }, (text) => {
      came = text
    }).catch(() => undefined)
    await expect.poll(() => came).toContain(': ')
    // The first event is the current state, and later changes follow.
    const received = async () => {
      await fund(db, people[0]?.id ?? 0n, 'depositWallet', 1n)
      return came
    }
    await expect.poll(received, { interval: 1_000 }).toContain('event: changed')
    void stream
  })

  it('accepts an image of the maximum size, and rejects a larger one in the error form', async () => {
    const noise = await sharp(Buffer.from(Array.from({ length: 560 * 560 * 3 }, (_, index) => (index * 7919 + (index >> 3)) % 251)), {
      raw: { width: 560, height: 560, channels: 3 },
    })
      .png({ compressionLevel: 0 })
      .toBuffer()
    const send = async (bytes: Buffer) => {
      const form = new FormData()
      form.set('title', 'An image')
      form.set('description', 'It is large')
      form.set('image', new Blob([new Uint8Array(bytes)], { type: 'image/png' }), 'image.png')
      const packed = new Response(form)
      const body = Buffer.from(await packed.arrayBuffer())
      return ask('POST', '/api/v1/ticket/create', {
        token: people[0]?.token ?? '',
        headers: { 'content-type': packed.headers.get('content-type') ?? '' },
        body,
      })
    }
    expect(noise.length).toBeGreaterThan(900_000)
    expect(await send(noise)).toMatchObject({ status: 200 })
    const refused = await send(Buffer.concat([noise, Buffer.alloc(500_000)]))
    expect([refused.status, JSON.parse(refused.text)]).toEqual([400, expect.objectContaining({ success: false, statusCode: 400 })])
  })

  it('uses the address of the connection, and not one that the client wrote', async () => {
    await ask('POST', '/api/v1/auth/login', {
      headers: { 'content-type': 'application/json', 'x-forwarded-for': '192.0.2.77' },
      body: '{"email":"nobody@gmail.com","password":"wrong password 7"}',
    })
    const { rows } = await sql<{ key: string }>`select key from rate_limit where key like '%192.0.2.77%'`.execute(db)
    // Without a proxy, the only trusted hop is the client itself.
    expect(rows.length > 0).toBe(proxyName === 'nobody')
    await sql`delete from rate_limit`.execute(db)
  })
})
