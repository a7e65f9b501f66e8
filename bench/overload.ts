/**
 * `npm run bench -- overload`: measures an API process's memory at ten times its capacity. Each connection holds one open call:
 * first as many as the process admits (1,000), then ten times as many. The process refuses the excess with 503 before reading it.
 * The last line is `ratio: X`: peak memory at capacity divided by peak memory at ten times; 1 means no cost. Options: `--seconds
 * 8`, `--times 10`.
 */
import { loadavg } from 'node:os'
import { readArguments } from '../apps/server/src/cli/command-line.mjs'
import { openDatabase } from '../apps/server/src/platform/db/database.ts'
import { migrate } from '../apps/server/src/platform/db/migrate.ts'
import { startPostgres } from '../test/postgres.ts'
import { signIn, startApi, startLoad } from './lib/api-process.ts'
import { emailOf, fill, LEADERS, PASSWORD } from './lib/money-instance.ts'
import { moneyRoutes } from './lib/money-routes.ts'

/** Number of concurrent calls that a process admits. */
const CARRIED = 1_000
const SENDERS = 64
const MEMBERS = 2_000

const { values } = readArguments(import.meta.url, { seconds: { type: 'string', default: '8' }, times: { type: 'string', default: '10' } })

const postgres = await startPostgres()
const database = openDatabase({ url: postgres.url })
const senders = Array.from({ length: SENDERS }, (_, index) => LEADERS + 1 + index)
await migrate(database.pool)
await fill(database, MEMBERS, senders)
const route = moneyRoutes().find((one) => one.name === 'userToUserDeposit')
if (route === undefined) throw new Error('no transfers')
const api = await startApi(postgres.url)
const load = startLoad()
const tokens = await signIn(api.port, senders.map(emailOf), PASSWORD)

/** Runs one round. Each connection repeats its own transfer. */
async function flood(connections: number) {
  const templates = Array.from({ length: connections }, (_, index) => ({
    method: 'POST' as const,
    path: `/api/v1${route?.path}`,
    token: tokens[index % SENDERS] ?? '',
    body: JSON.stringify(route?.body(index, emailOf(LEADERS + SENDERS + 1 + (index % 1_000)))),
    keyed: true,
  }))
  const report = await load.run({ port: api.port, connections, seconds: Number(values.seconds), templates })
  const { peak = NaN } = api.memory() ?? {}
  const done = Math.round((report.byStatus['200'] ?? 0) / report.seconds)
  console.log(`${connections} connections: ${done} transfers/s, answers ${JSON.stringify(report.byStatus)}, peak ${peak} MB`)
  return { peak, shed: report.byStatus['503'] ?? 0, done }
}

try {
  console.log(`load ${loadavg()[0]?.toFixed(1)}, idle ${api.memory()?.now} MB`)
  const carried = await flood(CARRIED)
  const flooded = await flood(CARRIED * Number(values.times))
  if (flooded.shed === 0) throw new Error('nothing was shed')
  if (flooded.done === 0) throw new Error('nothing was done beside the flood')
  console.log(`after it ${api.memory()?.now} MB`)
  console.log(`ratio: ${(carried.peak / flooded.peak).toFixed(2)}`)
} finally {
  await load.stop()
  await api.stop()
  await database.close()
  await postgres.stop()
}
