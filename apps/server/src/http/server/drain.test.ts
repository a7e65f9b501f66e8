import { connect, type AddressInfo, type Socket } from 'node:net'
import { nothing, route } from '@tizara/contract'
import { expect, it } from 'vitest'
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

/** Starts an app on a port. Its calls block until released. */
async function build() {
  const gate = Promise.withResolvers<void>()
  let inside = 0
  const app = await createApp({
    deps: { config: readConfig({ NODE_ENV: 'test' }), clock: systemClock, ids: randomIds, log: createLog('silent') },
    db,
    authenticate: () => Promise.reject(new AppError('UNAUTHENTICATED')),
    bindRoutes: (bind) => {
      bind.read(wait, async () => {
        inside += 1
        await gate.promise
        return answer(null)
      })
    },
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  return { app, port, open: gate.resolve, inside: () => inside }
}

const CALL = 'GET /api/v1/wait HTTP/1.1\r\nHost: x\r\n\r\n'

/** An open connection and all data received on it. */
async function openConnection(port: number): Promise<{ socket: Socket; received: () => string; ended: Promise<unknown> }> {
  const socket = connect(port, '127.0.0.1')
  let text = ''
  socket.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
  const ended = new Promise((resolve) => socket.once('close', resolve))
  await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject))
  return { socket, received: () => text, ended }
}

it('finishes open calls and calls on open connections during shutdown, and closes the connections', async () => {
  const { app, port, open, inside } = await build()
  const [running, idle, used] = [await openConnection(port), await openConnection(port), await openConnection(port)]
  used.socket.write('GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n')
  await expect.poll(used.received).toContain('"live"')
  running.socket.write(CALL)
  await expect.poll(inside).toBe(1)
  const closed = app.close()
  await expect.poll(() => app.server.listening).toBe(false)
  // New connections are refused. A proxy treats this as "nothing was sent" and uses another process.
  await expect(openConnection(port)).rejects.toThrow('ECONNREFUSED')
  idle.socket.write(CALL)
  used.socket.write(CALL)
  await expect.poll(inside).toBe(3)
  open()
  for (const { received, ended } of [running, idle, used]) {
    await ended
    expect(received().split('HTTP/1.1 ').at(-1)).toMatch(/^200 [\s\S]*connection: close[\s\S]*"success":true/i)
  }
  await closed
})

it('reports not ready as soon as shutdown begins', async () => {
  const { app, port, open, inside } = await build()
  const [running, probe] = [await openConnection(port), await openConnection(port)]
  running.socket.write(CALL)
  await expect.poll(inside).toBe(1)
  const closed = app.close()
  await expect.poll(() => app.server.listening).toBe(false)
  probe.socket.write('GET /health/ready HTTP/1.1\r\nHost: x\r\n\r\n')
  await expect.poll(probe.received).toMatch(/HTTP\/1\.1 503 /)
  open()
  await closed
})

it('does not wait for idle connections during shutdown', async () => {
  const { app, port } = await build()
  const [silent, begun] = [await openConnection(port), await openConnection(port)]
  begun.socket.write('GET /api/v1/wait HTTP/1.1\r\nHost:')
  await app.close()
  await expect(Promise.all([silent.ended, begun.ended])).resolves.toHaveLength(2)
})
