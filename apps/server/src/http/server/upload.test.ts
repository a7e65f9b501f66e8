import { once } from 'node:events'
import { connect, type AddressInfo } from 'node:net'
import { allRoutes } from '@tizara/contract/all-routes'
import { replyToTicket } from '@tizara/contract/support'
import { beforeAll, expect, it } from 'vitest'
import { type TestApp, testApp } from '../../../test/app.ts'
import { testDatabase } from '../../../test/database.ts'
import { createTestMember } from '../../../test/members.ts'
import { answer } from '../calls/bind-route.ts'
import { toErrorReply } from '../calls/error-reply.ts'
import { fileTooLarge } from './upload.ts'

let at: TestApp
let port: number
let token: string
const errors: unknown[] = []
beforeAll(async () => {
  const { db } = await testDatabase()
  at = await testApp(db, {
    routes: (bind) => bind.withoutTransaction(replyToTicket, () => Promise.resolve(answer(null))),
    addPages: async (app) => void app.addHook('onError', async (_request, _reply, error) => void errors.push(error)),
  })
  await at.app.listen({ port: 0, host: '127.0.0.1' })
  port = (at.app.server.address() as AddressInfo).port
  token = (await at.signIn((await createTestMember(db)).id)).token
  return () => at.app.close()
})

const PART = '--x\r\nContent-Disposition: form-data; name="image"; filename="a.png"\r\n\r\n'
const MORE = Buffer.alloc(64 * 1024, 'a')

/** Sends an endless body, 64 MB at most. Returns the response and the number of bytes taken. */
async function pour(headers: string, frame: (bytes: Buffer) => Buffer): Promise<{ reply: string; taken: number }> {
  const socket = connect(port, '127.0.0.1')
  let reply = ''
  let closed = false
  socket.on('data', (bytes) => (reply += bytes.toString()))
  socket.on('error', () => undefined)
  socket.on('close', () => (closed = true))
  await once(socket, 'connect')
  socket.write(
    `POST /api/v1${replyToTicket.path} HTTP/1.1\r\nHost: x\r\nAuthorization: ${token}\r\nContent-Type: multipart/form-data; boundary=x\r\n${headers}\r\n\r\n`,
  )
  socket.write(frame(Buffer.from(PART)))
  while (!closed && socket.bytesWritten < 64 * 1024 * 1024) {
    if (!socket.write(frame(MORE))) await Promise.race([once(socket, 'drain'), once(socket, 'close')]).catch(() => undefined)
  }
  socket.destroy()
  return { reply, taken: socket.bytesWritten }
}

const chunk = (bytes: Buffer) => Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')])

it.each([
  ['that announces 10 GB', 'Content-Length: 10737418240', (bytes: Buffer) => bytes],
  ['with endless chunks', 'Transfer-Encoding: chunked', chunk],
])('[VA-84] cuts off an upload %s at the limit while it arrives', async (_, headers, frame) => {
  let { reply, taken } = await pour(headers, frame)
  // The end of the connection can overtake the answer when this process does not run in time to read it.
  for (let count = 0; reply === '' && count < 10; count += 1) ({ reply, taken } = await pour(headers, frame))
  expect(reply).toContain('400 Bad Request')
  expect(reply).toContain('File size should be less than 1 MB')
  // Bytes in the system's buffers count as taken too.
  expect(taken).toBeLessThan(32 * 1024 * 1024)
})

it('[VA-84] accepts an aborted upload without logging an error', async () => {
  errors.length = 0
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  socket.write(
    `POST /api/v1${replyToTicket.path} HTTP/1.1\r\nHost: x\r\nAuthorization: ${token}\r\nContent-Type: multipart/form-data; boundary=x\r\nContent-Length: 5000\r\n\r\n${PART}`,
  )
  await new Promise((resolve) => setTimeout(resolve, 100))
  socket.destroy()
  await new Promise((resolve) => setTimeout(resolve, 300))
  expect(errors.map((error) => toErrorReply(error)).filter(({ unexpected }) => unexpected)).toEqual([])
})

/** As much as the proxies of `deploy/` let through. */
const SENT = Buffer.alloc(6_000_000, 'a')

/** Sends the whole body before it reads the answer, as proxies do. */
async function sendWhole(head: string): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  socket.pause()
  socket.write(`${head}\r\nHost: x\r\nConnection: close\r\nContent-Length: ${SENT.length}\r\n\r\n`)
  await new Promise<void>((resolve, reject) => socket.write(SENT, (error) => (error ? reject(error) : resolve())))
  let reply = ''
  socket.on('data', (bytes) => (reply += bytes.toString())).resume()
  await once(socket, 'close')
  return reply
}

it.each([
  ['is larger than an image may be', `POST /api/v1${replyToTicket.path}`, 'multipart/form-data; boundary=x', '400 Bad Request'],
  ['is larger than any call', `POST /api/v1${replyToTicket.path}`, 'application/json', '413 Payload Too Large'],
  ['has an unknown route', 'POST /api/v1/nothing', 'multipart/form-data; boundary=x', '413 Payload Too Large'],
  ['has an unknown type', `POST /api/v1${replyToTicket.path}`, 'text/plain', '415 Unsupported Media Type'],
])('[EN-04] sends the reason for the refusal to a client that first sends the whole body, which %s', async (_, call, type, status) => {
  for (let time = 0; time < 20; time += 1) {
    const reply = await sendWhole(`${call} HTTP/1.1\r\nAuthorization: ${token}\r\nContent-Type: ${type}`)
    expect(reply).toContain(`HTTP/1.1 ${status}`)
    expect(reply).toContain('"success":false')
  }
})

it.each(allRoutes.filter((route) => route.upload !== undefined))('declares the refusal of a file above its size on $name', (route) => {
  const { code } = fileTooLarge(route.upload?.maxBytes ?? 0)
  const declared = (route.errors ?? []).filter((error) => error.endsWith('_TOO_LARGE'))
  // Each route with input has INVALID_INPUT, and none declares it.
  expect(declared).toEqual(code === 'INVALID_INPUT' ? [] : [code])
})
