/**
 * `npm run bench -- profile`: prints costs per call of each money route, and per stake of a reward day: processor time of database,
 * API (or worker) and client, statements, round trips, buffers, WAL bytes and writes. Processor time and counts do not depend on the
 * load of the machine much, so the rounds need no quiet machine. The routes take turns in each round; the table has medians. The last
 * line is the processor time of the most expensive route, as a ratio to user-to-user transfers. The results and their limits are in
 * docs/decisions/0073-limits-of-speed.md.
 * Options: `--route NAME` (repeatable; default all), `--rounds 5`, `--calls 2000` per route and round, `--stakes 100000` of the reward
 * day (0: none), `--details` (statements by time, WAL records by table and index, and functions by self time of the API and the
 * worker), `--flames FOLDER` (with `--details`: the profiles as files, which Chrome's DevTools show as flame graphs), `--without-events`
 * (drops the triggers that record events, to see their share).
 */
import path from 'node:path'
import { readArguments } from '../apps/server/src/cli/command-line.mjs'
import { ledgerChecks, runAudit } from '../apps/server/src/ledger/index.ts'
import { type Database, openDatabase } from '../apps/server/src/platform/db/database.ts'
import { migrate } from '../apps/server/src/platform/db/migrate.ts'
import { type PostgresServer, startPostgres } from '../test/postgres.ts'
import { type ApiProcess, percentile, signIn, startApi, startLoad } from './lib/api-process.ts'
import { countRoundTrips } from './lib/api-probe.ts'
import { startProfile, topFunctions } from './lib/cpu-profile.ts'
import { catchUp, emailOf, fill, LEADERS, PASSWORD, SENDERS_PER_CONNECTION } from './lib/money-instance.ts'
import { type MoneyRoute, moneyRoutes } from './lib/money-routes.ts'
import { processorOfServer } from './lib/processor.ts'
import { reportMachine } from './lib/quiet-machine.ts'
import { build, runDay, settle } from './lib/reward-instance.ts'
import { COUNTING, type Counts, prepareCounts, startCounts, topRecords, topStatements, track } from './lib/statement-counts.ts'

const CONNECTIONS = 64
const MEMBERS = 20_000
/** Number of statements and of functions in `--details`. */
const MAX_ROWS = 15
/** Number of kinds of WAL records in `--details`. */
const MAX_RECORDS = 40

const { values } = readArguments(import.meta.url, {
  route: { type: 'string', multiple: true },
  rounds: { type: 'string', default: '5' },
  calls: { type: 'string', default: '2000' },
  stakes: { type: 'string', default: '100000' },
  details: { type: 'boolean', default: false },
  flames: { type: 'string' },
  'without-events': { type: 'boolean', default: false },
})
const [rounds, calls, stakes] = [Number(values.rounds), Number(values.calls), Number(values.stakes)]

/** Returns the file for the flame graph of a route, with `--flames`. */
const flames = (name: string) => (values.flames === undefined ? undefined : path.join(values.flames, `${name}.cpuprofile`))

/** Processor microseconds per call in one round. */
interface ProcessorTime {
  database: number
  api: number
  client: number
}

const median = (list: readonly number[]) => percentile(list, 0.5)
const medians = (list: readonly ProcessorTime[]): ProcessorTime => ({
  database: median(list.map((one) => one.database)),
  api: median(list.map((one) => one.api)),
  client: median(list.map((one) => one.client)),
})
const total = ({ database, api, client }: ProcessorTime) => database + api + client

const HEAD = ['', 'database µs', 'API µs', 'client µs', 'sum µs', 'statements', 'with nested', 'round trips', 'commits', 'buffers']
const HEAD_OF_WRITES = ['WAL bytes', 'rows', 'index entries']

function row(name: string, used: ProcessorTime, counts: Counts, roundTrips: number, count: number): string {
  const figure = (value: number) => (value >= 9.95 ? Math.round(value).toLocaleString('en') : value.toPrecision(2))
  const { statements, nested, commits, buffers, wal, rowWrites, indexWrites } = counts
  const perCall = [statements, nested, roundTrips, commits, buffers, wal, rowWrites, indexWrites].map((value) => figure(value / count))
  const processor = [used.database, used.api, used.client, total(used)].map(figure)
  return `| ${[name, ...processor, ...perCall].join(' | ')} |`
}

/** Opens a server on which statements are counted. */
async function withServer(work: (server: PostgresServer, database: Database) => Promise<void>): Promise<void> {
  const server = await startPostgres({ ...COUNTING, shared_buffers: '512MB' })
  const database = openDatabase({ url: server.url }, { max: 8, limits: false })
  try {
    await migrate(database.pool)
    if (values['without-events']) await dropEventTriggers(database)
    await prepareCounts(database.pool)
    await work(server, database)
  } finally {
    await database.close()
    await server.stop()
  }
}

async function dropEventTriggers({ pool }: Database): Promise<void> {
  const { rows } = await pool.query<{ drop: string }>(
    `select format('drop trigger %I on %s', t.tgname, t.tgrelid::regclass) as drop
      from pg_trigger t join pg_proc p on p.oid = t.tgfoid where p.prosrc ~ 'event_outbox'`,
  )
  for (const { drop } of rows) await pool.query(drop)
}

function details(title: string, lines: readonly string[]): void {
  if (!values.details) return
  console.log(`\n${title}`)
  for (const line of lines) console.log(`  ${line}`)
}

const load = startLoad()
const senders = Array.from({ length: CONNECTIONS * SENDERS_PER_CONNECTION }, (_, index) => LEADERS + 1 + index)
const firstReceiver = LEADERS + 1 + senders.length

/** Sends calls of a route. Throws on a rejected call, because its cost would be different. */
async function send(api: ApiProcess, route: MoneyRoute, tokens: readonly string[]) {
  const templates = Array.from({ length: 100 * CONNECTIONS }, (_, index) => ({
    method: 'POST' as const,
    path: `/api/v1${route.path}`,
    token: tokens[index % tokens.length] ?? '',
    body: JSON.stringify(
      route.body(index + Math.floor(index / CONNECTIONS), emailOf(firstReceiver + ((index * 7919) % (MEMBERS - firstReceiver)))),
    ),
    keyed: true,
  }))
  const report = await load.run({ port: api.port, connections: CONNECTIONS, seconds: 600, calls, templates })
  if (report.byStatus['200'] !== report.answered) throw new Error(`rejected: ${JSON.stringify(report.byStatus)} ${report.firstError}`)
  return report
}

async function measureRoutes(routes: readonly MoneyRoute[]): Promise<{ lines: string[]; sums: Map<string, number> }> {
  const used = new Map<MoneyRoute, ProcessorTime[]>(routes.map((route) => [route, []]))
  const lines: string[] = []
  const sums = new Map<string, number>()
  await withServer(async (server, database) => {
    await fill(database, MEMBERS, senders)
    const probe = new URL('lib/api-probe.ts', import.meta.url).href
    const api = await startApi(server.url, [`--import=${probe}`])
    try {
      const tokens = await signIn(api.port, senders.map(emailOf), PASSWORD)
      for (let round = 0; round <= rounds; round += 1) {
        for (const route of routes) {
          await catchUp(database)
          const before = { database: processorOfServer(server), api: api.cpuSeconds() ?? 0 }
          const report = await send(api, route, tokens)
          const micros = (seconds: number) => (1e6 * seconds) / report.answered
          // Skips the first round, which fills caches and compiles code.
          if (round === 0) continue
          used.get(route)?.push({
            database: micros(processorOfServer(server) - before.database),
            api: micros((api.cpuSeconds() ?? 0) - before.api),
            client: micros(report.cpuSeconds),
          })
        }
      }
      await track(database.pool, true)
      for (const route of routes) {
        await catchUp(database)
        const stopCounts = await startCounts(database.pool)
        const { roundTrips: before } = await api.ask(values.details ? 'start-profile' : 'round-trips')
        const { answered } = await send(api, route, tokens)
        const { roundTrips, functions = [] } = await api.ask(values.details ? { stopProfile: flames(route.name) } : 'round-trips')
        const { counts, shares, records } = await stopCounts()
        const times = medians(used.get(route) ?? [])
        sums.set(route.name, total(times))
        lines.push(row(route.name, times, counts, roundTrips - before, answered))
        details(`${route.name}: statements by time`, topStatements(shares, MAX_ROWS))
        details(`${route.name}: WAL by table and index`, topRecords(records, answered, MAX_RECORDS))
        details(`${route.name}: functions of the API by self time`, topFunctions(functions, MAX_ROWS))
      }
      const broken = (await runAudit(database.db, ledgerChecks)).filter((result) => result.broken > 0)
      if (broken.length > 0) throw new Error(`the audit found: ${broken.map((result) => result.check.title).join('; ')}`)
    } finally {
      await api.stop()
    }
  })
  return { lines, sums }
}

/** Measures reward days of one worker in this process. */
async function measureDays(): Promise<string> {
  const used: ProcessorTime[] = []
  let line = ''
  await withServer(async (server, database) => {
    await build(database, stakes)
    for (let day = 1; day <= rounds + 1; day += 1) {
      await settle(database.pool)
      const before = { database: processorOfServer(server), worker: process.cpuUsage() }
      await runDay(database.db, day)
      const { user, system } = process.cpuUsage(before.worker)
      // Skips the first day, because its rows have no earlier versions.
      if (day > 1)
        used.push({
          database: (1e6 * (processorOfServer(server) - before.database)) / stakes,
          api: (user + system) / stakes,
          client: 0,
        })
    }
    await settle(database.pool)
    await track(database.pool, true)
    const stopCounts = await startCounts(database.pool)
    const before = countRoundTrips()
    const stop = await startProfile()
    await runDay(database.db, rounds + 2)
    const functions = await stop(flames('reward-day'))
    const { counts, shares, records } = await stopCounts()
    line = row(`a stake of a reward day of ${stakes.toLocaleString('en')}`, medians(used), counts, countRoundTrips() - before, stakes)
    details('reward day: statements by time', topStatements(shares, MAX_ROWS))
    details('reward day: WAL by table and index', topRecords(records, stakes, MAX_RECORDS))
    details('reward day: functions of the worker by self time', topFunctions(functions, MAX_ROWS))
  })
  return line
}

await reportMachine()
try {
  const routes = moneyRoutes().filter(({ name }) => values.route === undefined || values.route.includes(name))
  const { lines, sums } = routes.length === 0 ? { lines: [], sums: new Map<string, number>() } : await measureRoutes(routes)
  if (stakes > 0) lines.push(await measureDays())
  const head = [...HEAD, ...HEAD_OF_WRITES]
  console.log(
    `\n${[`| ${head.join(' | ')} |`, `| ${head.map((_, index) => (index === 0 ? '---' : '--:')).join(' | ')} |`, ...lines].join('\n')}`,
  )
  const base = sums.get('userToUserDeposit') ?? Math.min(...sums.values())
  console.log(`ratio: ${(sums.size === 0 ? 1 : Math.max(...sums.values()) / base).toFixed(2)}`)
} finally {
  await load.stop()
}
