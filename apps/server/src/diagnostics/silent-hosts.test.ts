import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { HDKey } from '@scure/bip32'
import { sql } from 'kysely'
import { afterAll, expect, it } from 'vitest'
import { testApp } from '../../test/app.ts'
import { testDatabase } from '../../test/database.ts'
import { readConfig } from '../platform/config/config.ts'
import { createPorts } from '../main/ports.ts'
import { cachedHealth } from './cached-health.ts'

const { db } = await testDatabase()
const servers: Server[] = []
const open = new Map<string, Set<Socket>>()
/** Maximum concurrent connections. */
let atOnce = 0
afterAll(() => {
  for (const sockets of open.values()) for (const socket of sockets) socket.destroy()
  for (const server of servers) server.close()
})

/** Starts a host that accepts connections and never responds. */
async function silent(name: string): Promise<string> {
  const sockets = new Set<Socket>()
  open.set(name, sockets)
  const server = createServer((socket) => {
    sockets.add(socket)
    atOnce = Math.max(atOnce, [...open.values()].filter((each) => each.size > 0).length)
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket))
    // Reads the socket, because otherwise the close of the other side stays unnoticed.
    socket.resume()
  }).listen(0, '127.0.0.1')
  servers.push(server)
  await new Promise((resolve) => server.once('listening', resolve))
  return `127.0.0.1:${(server.address() as AddressInfo).port}`
}

const config = readConfig({
  NODE_ENV: 'test',
  SMTP_URL: `smtp://${await silent('mail')}`,
  PAYMENT_PROVIDER_URL: `http://${await silent('provider')}`,
  PUBLIC_URL: `https://${await silent('address')}`,
  PAYOUTS: 'automatic',
  CHAIN_ID: '56',
  CHAIN_RPC_URL: `http://${await silent('node')}`,
  CHAIN_SECOND_RPC_URL: `http://${await silent('secondNode')}`,
  CHAIN_TOKEN: `0x${'12'.repeat(20)}`,
  CHAIN_USD_TOKEN: `0x${'56'.repeat(20)}`,
  CHAIN_XPUB: HDKey.fromMasterSeed(Buffer.alloc(32, 3)).publicExtendedKey,
})

it('reports each host that accepts connections but never answers, in parallel, beside all local findings', async () => {
  const instance = await testApp(db, { routes: () => undefined })
  const deps = { ...instance.deps, config }
  await sql`insert into chain_incident (kind, noted_at, from_block, transfers) values ('FINAL_GONE', now(), 7, '[]')`.execute(db)
  await sql`insert into hot_wallet (chain_id, address, next_nonce) values (56, ${`0x${'34'.repeat(20)}`}, 0)`.execute(db)
  const read = cachedHealth(createPorts(config, config.paymentProviderUrl ?? ''))
  const report = read(db, deps)
  // A caller during or shortly after a check does not start a second one.
  expect(read(db, deps)).toBe(report)
  const { findings } = await report
  const away = findings.filter(({ state, what }) => state === 'bad' && /no answer in|did not answer|timeout|Greeting/i.test(what))
  expect(away.map(({ area }) => area).toSorted()).toEqual(['address', 'certificate', 'chain', 'chain', 'mail', 'payouts', 'provider'])
  expect(atOnce).toBe(5)
  const texts = findings.map(({ area, what }) => `${area}: ${what}`)
  expect(texts).toContain('chain: 0 final payments are reverted on the chain, from block 7 on')
  expect(texts).toContain('staff: there is no admin')
  expect(texts.filter((line) => line.startsWith('payouts: in 30 days'))).toHaveLength(1)
  instance.clock.advance(14_000)
  expect(read(db, deps)).toBe(report)
  instance.clock.advance(1_000)
  const again = read(db, deps)
  expect(again).not.toBe(report)
  await again
})
