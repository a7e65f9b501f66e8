import { randomUUID } from 'node:crypto'
import { nothing, type Route, route } from '@tizara/contract'
import { type AddressInfo } from 'node:net'
import { request } from 'node:http'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { testDatabase } from '../../../test/database.ts'
import { memberSeven as viewer } from '../../../test/viewer.ts'
import { systemClock } from '../../platform/runtime/clock.ts'
import { readConfig } from '../../platform/config/config.ts'
import { randomIds } from '../../platform/runtime/ids.ts'
import { createLog } from '../../platform/runtime/log.ts'
import { createApp } from '../server/app.ts'
import type { Bind } from './bind-route.ts'
import { ANSWER_MS, FILE_MS, UPLOAD_MS } from './request-timeout.ts'

/** Pending work, ended by the test. */
let pending: ((error: Error) => void)[] = []
const never = () => new Promise<never>((_, reject) => pending.push(reject))
const beginning = async (many: number) => {
  // Waits for real turns of the event loop: only the clock is faked.
  while (pending.length < many) await new Promise((resolve) => setImmediate(resolve))
}
const post = route({ name: 'testPost', method: 'POST', path: '/post', access: 'member', summary: 'Waits.', reply: nothing, errors: [] })
const upload = { field: 'image', required: false, maxBytes: 1_000 }

/** Each way to bind a call. */
const WAYS: { [Way in keyof Bind]: (bind: Bind, of: (more: object) => Route) => void } = {
  read: (bind, of) => bind.read(of({ method: 'GET' }), never),
  write: (bind, of) => bind.write(of({}), never),
  money: (bind, of) => bind.money(of({ money: true }), never),
  moneyBatch: (bind, of) => bind.moneyBatch(of({ money: true }), never),
  withoutTransaction: (bind, of) => bind.withoutTransaction(of({ upload }), never),
  file: (bind, of) => bind.file(of({ method: 'GET', bare: true }), never),
}
const methods = Object.keys(WAYS) as (keyof Bind)[]

const { db } = await testDatabase()
let app: Awaited<ReturnType<typeof createApp>>
beforeAll(async () => {
  app = await createApp({
    deps: { config: readConfig({ NODE_ENV: 'test' }), clock: systemClock, ids: randomIds, log: createLog('silent') },
    db,
    authenticate: () => Promise.resolve(viewer),
    bindRoutes: (bind) => {
      for (const way of methods) WAYS[way](bind, (more) => route({ ...post, ...more, name: way, path: `/${way}` }))
    },
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(() => app.close())
beforeEach(() => {
  pending = []
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
})
afterEach(() => {
  vi.useRealTimers()
  for (const end of pending) end(new Error('over'))
})

function send(way: keyof Bind): Promise<{ status: number | undefined; retryAfter: string | undefined }> {
  const type = way === 'withoutTransaction' ? 'multipart/form-data; boundary=x' : 'application/json'
  const isRead = way === 'read' || way === 'file'
  return new Promise((resolve, reject) => {
    const options = {
      method: isRead ? 'GET' : 'POST',
      agent: false,
      headers: { authorization: 'any', 'idempotency-key': randomUUID(), ...(isRead ? {} : { 'content-type': type }) },
    }
    request(`http://127.0.0.1:${(app.server.address() as AddressInfo).port}/api/v1/${way}`, options, (reply) => {
      reply.resume().once('end', () => resolve({ status: reply.statusCode, retryAfter: reply.headers['retry-after'] }))
    })
      .once('error', reject)
      .end(isRead ? undefined : type.startsWith('multipart') ? '--x--\r\n' : '{}')
  })
}

it.each(methods)('[EN-04] a call of kind %s that never finishes is answered in time, with or without a body', async (way) => {
  const reply = send(way)
  await beginning(1)
  await vi.advanceTimersByTimeAsync(way === 'file' ? FILE_MS : way === 'withoutTransaction' ? UPLOAD_MS : ANSWER_MS)
  expect(await reply).toEqual({ status: 503, retryAfter: '2' })
})

it('[EN-04] a queued call does not run after its caller got an answer', async () => {
  // Fills all parallel slots and adds one waiting call.
  const replies = [send('moneyBatch')]
  await beginning(1)
  replies.push(send('moneyBatch'))
  await beginning(2)
  replies.push(send('moneyBatch'))
  let answered: number | undefined
  void Promise.all(replies).then((all) => (answered = all.filter(({ status }) => status === 503).length))
  while (answered === undefined) await vi.advanceTimersByTimeAsync(ANSWER_MS)
  expect(answered).toBe(3)
  for (const end of pending) end(new Error('over'))
  await new Promise((resolve) => setImmediate(resolve))
  expect(pending).toHaveLength(2)
})
