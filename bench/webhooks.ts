/**
 * `npm run bench -- webhooks`: sends events through a worker process to a receiver process, and compares the rate with the same number of
 * signed requests without a database. Required: at least 200 deliveries a second, and a lag of at most 2 seconds. Options: `--events 5000`,
 * `--kills 0` of worker, receiver and API during the run, `--spacing 0` ms between events, to measure the lag. With kills, members buy coin
 * through the API for a fifth of the events.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { readArguments } from '../apps/server/src/cli/command-line.mjs'
import { openReceiver, signedHeaders, webhookSecret } from '../apps/server/src/gateways/webhooks/index.ts'
import { openDatabase } from '../apps/server/src/platform/db/database.ts'
import { migrate } from '../apps/server/src/platform/db/migrate.ts'
import { playWebhooks } from '../apps/server/test/play-webhooks.ts'
import { startPostgres } from '../test/postgres.ts'
import { reportMachine } from './lib/quiet-machine.ts'

const { values } = readArguments(import.meta.url, {
  events: { type: 'string', default: '5000' },
  kills: { type: 'string', default: '0' },
  spacing: { type: 'string', default: '0' },
})
const [events, kills, spacing] = [Number(values.events), Number(values.kills), Number(values.spacing)]
await reportMachine()

/** Sends signed requests, 20 at a time, to a receiver in this process. Returns the rate per second. */
async function baseline(): Promise<number> {
  const server = createServer((request, response) => request.on('end', () => response.writeHead(204).end()).resume())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const receiver = openReceiver({ mode: 'test', webhookNetworks: ['127.0.0.1/32'] }, `http://127.0.0.1:${port}/`)
  const secrets = [webhookSecret(Buffer.alloc(32))]
  const body = JSON.stringify({ type: 'purchase.created', timestamp: new Date().toISOString(), data: { id: 'x'.repeat(22) } })
  const began = performance.now()
  let left = events
  const send = async (): Promise<void> => {
    for (; left > 0; left -= 1) await receiver.post(signedHeaders({ id: String(left), body, secrets, at: new Date() }), body)
  }
  await Promise.all(Array.from({ length: 20 }, send))
  const seconds = (performance.now() - began) / 1000
  receiver.close()
  server.close()
  return events / seconds
}

const server = await startPostgres()
const admin = openDatabase({ url: server.url }, { max: 1 })
await admin.pool.query('create database bench')
await admin.close()
const url = server.url.replace(/\/postgres$/, '/bench')
const database = openDatabase({ url }, { max: 4 })
await migrate(database.pool)
const bought = kills === 0 ? 0 : 4 * Math.floor(events / 20)
const { lost, purchases, repeats, outOfOrder, perSecond, lags } = await playWebhooks(database.db, url, {
  events: events - bought,
  purchases: bought,
  kills,
  spacing,
})
const direct = await baseline()
const lagAt = (share: number) => lags[Math.min(lags.length - 1, Math.floor(share * lags.length))]
console.log(
  `${events} events, ${kills} kills, ${purchases} purchases of ${bought} calls: ${lost} lost, ${repeats} repeated under their id, ${outOfOrder} out of order`,
)
console.log(`${perSecond.toFixed(0)} deliveries/s (required: 200); ${direct.toFixed(0)} signed requests/s without a database`)
console.log(
  `lag: median ${lagAt(0.5)} ms, 99 % ${lagAt(0.99)} ms${spacing === 0 ? ' (all events existed at the start)' : ' (required: 2000 ms)'}`,
)
await database.close()
await server.stop()
console.log(`ratio: ${(perSecond / direct).toFixed(2)}`)
