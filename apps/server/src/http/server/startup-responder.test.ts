import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { fastify } from 'fastify'
import { afterAll, expect, it } from 'vitest'
import { freePort } from '../../../../../test/postgres.ts'
import { startStartupResponder } from './startup-responder.ts'

const ends: (() => unknown)[] = []
afterAll(() => Promise.all(ends.map((end) => end())))

const app = () => {
  const instance = fastify({ forceCloseConnections: true })
  instance.get('/call', async () => 'answered')
  ends.push(() => instance.close())
  return instance
}

async function open(patience: number) {
  const port = await freePort()
  const before = await startStartupResponder({ host: '127.0.0.1', port }, patience)
  const ask = (path: string) => fetch(`http://127.0.0.1:${port}${path}`)
  return { port, before, ask }
}

it('reports the reason on /health/ready, answers /health/live, and tells other calls to retry', async () => {
  const { before, ask } = await open(1)
  for (const why of ['The database is empty', 'The database does not answer']) {
    before.setReason(why)
    const ready = await ask('/health/ready')
    expect([ready.status, ready.headers.get('retry-after'), await ready.json()]).toEqual([503, '2', { status: 'not ready', why }])
  }
  expect((await ask('/health/live')).status).toBe(200)
  const late = await ask('/call')
  expect([late.status, late.headers.get('retry-after'), late.headers.get('error-code'), await late.json()]).toEqual([
    503,
    '2',
    'BUSY',
    expect.objectContaining({ success: false, statusCode: 503 }),
  ])
  await before.handOver(app())
})

it('hands waiting calls and the port to the app without rejecting one', async () => {
  const { before, ask } = await open(60_000)
  const waiting = [ask('/call'), ask('/call')]
  // The server sees a later call on another connection after the earlier ones.
  await ask('/health/live')
  let over = false
  const others = (async () => {
    const seen: number[] = []
    while (!over) seen.push((await ask('/call')).status)
    return seen
  })()
  await before.handOver(app())
  expect(await Promise.all((await Promise.all(waiting)).map((one) => one.text()))).toEqual(['answered', 'answered'])
  over = true
  expect(new Set(await others)).toEqual(new Set([200]))
})

it('fails when the port is in use, like the app', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  ends.push(() => other.close())
  const { port } = other.address() as AddressInfo
  await expect(startStartupResponder({ host: '127.0.0.1', port })).rejects.toMatchObject({ code: 'EADDRINUSE', port })
})
