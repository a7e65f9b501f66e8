import { type AddressInfo, createServer, Socket } from 'node:net'
import { inspect } from 'node:util'
import type { Route } from '@tizara/contract'
import { allRoutes } from '@tizara/contract/all-routes'
import { afterAll, expect, it, vi } from 'vitest'
import { testApp } from '../../app.ts'
import { testDatabase } from '../../database.ts'
import { exampleCall } from '../../example-call.ts'
import { createTestMember, fund } from '../../members.ts'
import { readConfig } from '../../../src/platform/config/config.ts'
import { createPorts } from '../../../src/main/ports.ts'
import { bindRoutes } from '../../../src/main/routes.ts'
import { allJobs } from '../../../src/main/jobs.ts'

/** Server at an address supplied by a member. Any connection to it proves an SSRF. */
const trap = createServer((socket) => socket.destroy())
await new Promise<void>((resolve) => trap.listen(0, '127.0.0.1', resolve))
afterAll(() => trap.close())
const { port } = trap.address() as AddressInfo
/** Configured payment provider, which drops every connection. */
const provider = createServer((socket) => socket.destroy())
await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve))
afterAll(() => provider.close())
const { port: providerPort } = provider.address() as AddressInfo
const HOST = 'planted.invalid'

/** Records this process's connections: `fetch`, TLS, mail and database all use a socket. */
const connections: string[] = []
const connect = Socket.prototype.connect
vi.spyOn(Socket.prototype, 'connect').mockImplementation(function (this: Socket, ...args: unknown[]) {
  connections.push(args.map((arg) => (typeof arg === 'function' ? '' : inspect(arg, { depth: 3 }))).join())
  return Reflect.apply(connect, this, args) as Socket
})
const planted = () => connections.filter((one) => one.includes(HOST) || new RegExp(`\\b${port}\\b`).test(one))

const { db } = await testDatabase(10)
const ports = createPorts(readConfig({ NODE_ENV: 'test' }), `http://127.0.0.1:${providerPort}`)
const at = await testApp(db, { routes: (bind) => bindRoutes(bind, ports), jobs: allJobs(ports) })
const member = await createTestMember(db, { specialRcm: true })
for (const wallet of ['depositWallet', 'nftWallet', 'nativeWallet', 'icoWallet', 'newIcoWallet', 'rcmWallet'] as const)
  await fund(db, member.id, wallet, 1_000_000_000_000n)

const ADDRESSES = [`http://127.0.0.1:${port}/x`, `https://${HOST}/x`, `planted@${HOST}`, `<img src="http://127.0.0.1:${port}/x">`]

/** Returns a call's example with an address in each single field, and in all fields. */
function bodiesWith(route: Route, address: string): string[] {
  const { payload } = exampleCall(route, new Uint8Array())
  if (typeof payload !== 'string') return []
  const fields = Object.entries(JSON.parse(payload) as Record<string, unknown>)
  const each = fields.map(([name]) => ({ ...Object.fromEntries(fields), [name]: address }))
  return [Object.fromEntries(fields), ...each, Object.fromEntries(fields.map(([name]) => [name, address]))].map((body) =>
    JSON.stringify(body),
  )
}

const routes = allRoutes.filter((route) => route.access !== 'staff')

it.each(routes.map((route) => [route.name, route] as const))(
  'the server connects to no address that a member or visitor sent to %s',
  async (_, route) => {
    const { token, cookie } = await at.signIn(member.id)
    for (const address of ADDRESSES) {
      const encoded = encodeURIComponent(address)
      const { url } = exampleCall(route, new Uint8Array())
      const path = url
        .split('/')
        .map((part) => (part === 'x' ? encoded : part))
        .join('/')
      for (const payload of [undefined, ...bodiesWith(route, address)]) {
        const reply = await at.app.inject({
          method: route.method,
          url: payload === undefined ? `${path}?callback=${encoded}&url=${encoded}&q=${encoded}` : url,
          headers: {
            authorization: token,
            cookie,
            host: HOST,
            origin: `https://${HOST}`,
            referer: `https://${HOST}/`,
            'user-agent': address,
            forwarded: `host=${HOST}`,
            'x-forwarded-host': HOST,
            ...(payload === undefined ? {} : { 'content-type': 'application/json' }),
          },
          ...(payload === undefined ? {} : { payload }),
        })
        expect(reply.statusCode).toBeLessThan(504)
      }
    }
    expect(planted()).toEqual([])
  },
)

it('no later job connects to such an address', async () => {
  for (let hour = 0; hour < 3; hour += 1) {
    await at.runJobs()
    at.clock.advance(3_600_000)
  }
  expect(planted()).toEqual([])
  // The configured provider did receive a connection.
  expect(connections.filter((one) => one.includes(String(providerPort)))).not.toEqual([])
})

it('the test detects a connection to a planted address', async () => {
  await fetch(`http://127.0.0.1:${port}/x`).catch(() => undefined)
  expect(planted()).not.toEqual([])
})
