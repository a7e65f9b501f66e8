import { type AddressInfo, connect } from 'node:net'
import { nothing, route } from '@tizara/contract'
import { describe, expect, it } from 'vitest'
import { testDatabase } from '../../../test/database.ts'
import { AppError } from '../../platform/runtime/app-error.ts'
import { systemClock } from '../../platform/runtime/clock.ts'
import { readConfig } from '../../platform/config/config.ts'
import { randomIds } from '../../platform/runtime/ids.ts'
import { createLog } from '../../platform/runtime/log.ts'
import { createApp } from './app.ts'
import { answer } from '../calls/bind-route.ts'

const { db } = await testDatabase()
const wait = route({ name: 'testWait', method: 'GET', path: '/wait', access: 'public', summary: 'Waits.', reply: nothing, errors: [] })
const limit = route({ ...wait, name: 'testLimit', path: '/limit' })

/** Starts an app whose calls block until released. */
async function build(maxOpenCalls: number) {
  const gate = Promise.withResolvers<void>()
  let inside = 0
  const app = await createApp({
    deps: { config: readConfig({ NODE_ENV: 'test' }), clock: systemClock, ids: randomIds, log: createLog('silent') },
    db,
    maxOpenCalls,
    authenticate: () => Promise.reject(new AppError('UNAUTHENTICATED')),
    bindRoutes: (bind) => {
      bind.read(wait, async () => {
        inside += 1
        await gate.promise
        return answer(null)
      })
      bind.read(limit, () => Promise.reject(new AppError('TOO_MANY_REQUESTS')))
    },
  })
  // Returns a promise, because inject is lazy until it is awaited.
  const get = async (url: string) => app.inject({ method: 'GET', url })
  return { app, get, open: gate.resolve, inside: () => inside }
}
describe('load shedding', () => {
  it('[EN-04] answers 503 above the capacity, and completes the accepted calls', async () => {
    const { get, open, inside } = await build(5)
    const calls = Array.from({ length: 50 }, () => get('/api/v1/wait'))
    const refused = await Promise.all(calls.slice(5))
    expect(inside()).toBe(5)
    for (const reply of refused) {
      expect([reply.statusCode, reply.headers['retry-after'], reply.json().success]).toEqual([503, '2', false])
      expect(Object.keys(reply.json()).toSorted()).toEqual(['errorMessages', 'message', 'statusCode', 'success'])
    }
    expect((await get('/health/live')).statusCode).toBe(200)
    open()
    expect((await Promise.all(calls.slice(0, 5))).map((reply) => reply.statusCode)).toEqual([200, 200, 200, 200, 200])
    expect((await get('/api/v1/wait')).statusCode).toBe(200)
  })
})

it('delays an early retry on the same connection, and accepts it if there is capacity by then', async () => {
  const { app, get, open, inside } = await build(1)
  await app.listen({ port: 0, host: '127.0.0.1' })
  const running = get('/api/v1/wait')
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
  let received = ''
  socket.setEncoding('utf8').on('data', (text: string) => (received += text))
  const states = () => received.match(/(?<=HTTP\/1.1 )\d+/g)
  let arrived = 0
  app.server.on('request', () => (arrived += 1))
  for (const times of [1, 2]) {
    socket.write('GET /api/v1/wait HTTP/1.1\r\nHost: x\r\n\r\n')
    await expect.poll(() => arrived).toBe(times)
    if (times === 1) await expect.poll(states).toEqual(['503'])
  }
  open()
  expect((await running).statusCode).toBe(200)
  await expect.poll(states).toEqual(['503', '200'])
  expect(inside()).toBe(2)
  socket.destroy()
  await app.close()
})

it('sets Retry-After on each 429', async () => {
  const { get } = await build(5)
  const reply = await get('/api/v1/limit')
  expect([reply.statusCode, Number(reply.headers['retry-after']) > 0]).toEqual([429, true])
})
