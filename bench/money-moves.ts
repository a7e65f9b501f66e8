/**
 * `npm run bench -- money-moves`: compares money calls through the real HTTP API over 64 keep-alive connections with PostgreSQL's benchmark
 * transaction (`pgbench -b tpcb-like`, 64 clients). The API is a separate production `api` process with token, session check, validation,
 * Idempotency-Key and durable commit. Both use the same temporary server with default settings, where every commit reaches the disk. Both
 * take turns, so that other load affects both. Required per route: at least 1.3 times TPC-B's transactions per second, the median of the
 * rounds; the goal is 1.5, and 2.0 for transfers between members alone. Options: `--route NAME` (repeatable; default user-to-user
 * transfers), `--all` (every money route with a load, and the reason for the others; the last line is the lowest ratio), `--hot` (all
 * callers use one member or one row of the system accounts, against TPC-B at scale 1), `--guard` (transfers between members with and
 * without the outflow guard, in alternating pairs instead of TPC-B; required: at least 0.9), `--seconds 4`, `--rounds 5`,
 * `--members 20000`, `--scale 20`, `--profile FOLDER` (a CPU profile of the API).
 */
import { loadavg } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { readArguments } from '../apps/server/src/cli/command-line.mjs'
import { ledgerChecks, runAudit } from '../apps/server/src/ledger/index.ts'
import { type Database, openDatabase } from '../apps/server/src/platform/db/database.ts'
import { migrate } from '../apps/server/src/platform/db/migrate.ts'
import { startPostgres } from '../test/postgres.ts'
import { type ApiProcess, percentile, signIn, startApi, startLoad } from './lib/api-process.ts'
import type { LoadCall } from './lib/load-generator.ts'
import { catchUp, emailOf, fill, LEADERS, PASSWORD, SENDERS_PER_CONNECTION } from './lib/money-instance.ts'
import { type MoneyRoute, moneyRoutes, NOT_MEASURED } from './lib/money-routes.ts'
import { createPgbenchDatabase, tpcb } from './lib/pgbench.ts'
import { processorOfEnded, processorOfServer } from './lib/processor.ts'
import { reportMachine } from './lib/quiet-machine.ts'

const CONNECTIONS = 64
/** Number of call templates per connection. */
const TURNS = 200
/** Number of shards of a system account. Members whose ids differ by a multiple share a shard. */
const SHARDS = 16

const { values } = readArguments(import.meta.url, {
  route: { type: 'string', multiple: true },
  all: { type: 'boolean', default: false },
  hot: { type: 'boolean', default: false },
  guard: { type: 'boolean', default: false },
  seconds: { type: 'string', default: '4' },
  rounds: { type: 'string', default: '5' },
  members: { type: 'string', default: '20000' },
  scale: { type: 'string', default: '20' },
  profile: { type: 'string' },
})
const seconds = Number(values.seconds)
const rounds = Number(values.rounds)
const members = Number(values.members)
const senders = values.hot
  ? Array.from({ length: CONNECTIONS }, (_, index) => LEADERS + 1 + index * SHARDS)
  : Array.from({ length: CONNECTIONS * SENDERS_PER_CONNECTION }, (_, index) => LEADERS + 1 + index)
const firstReceiver = LEADERS + 1 + CONNECTIONS * SHARDS

function chosen(): MoneyRoute[] {
  const every = moneyRoutes()
  if (values.all) return every
  return (values.route ?? ['userToUserDeposit']).map((name) => {
    const route = every.find((one) => one.name === name)
    if (route === undefined) throw new Error(`no money route ${name}; there are ${every.map((one) => one.name).join(', ')}`)
    return route
  })
}

function templatesOf(route: MoneyRoute, tokens: readonly string[]): LoadCall[] {
  const receiver = () => emailOf(values.hot ? firstReceiver : firstReceiver + Math.floor(Math.random() * (members - firstReceiver)))
  return Array.from({ length: TURNS * CONNECTIONS }, (_, index) => ({
    method: 'POST' as const,
    path: `/api/v1${route.path}`,
    token: tokens[index % tokens.length] ?? '',
    body: JSON.stringify(route.body(values.hot ? 0 : index + Math.floor(index / CONNECTIONS), receiver())),
    keyed: true,
  }))
}

/** Starts to count processor seconds of the database server, the API, and ended child processes. */
function processors(api: ApiProcess) {
  const now = () => ({ database: processorOfServer(server), api: api.cpuSeconds() ?? 0, ended: processorOfEnded() })
  const before = now()
  return () => {
    const after = now()
    return { database: after.database - before.database, api: after.api - before.api, ended: after.ended - before.ended }
  }
}

const mean = (list: readonly number[]) => list.reduce((sum, value) => sum + value, 0) / list.length
const median = (list: readonly number[]) => percentile(list, 0.5)
const plain = (list: readonly number[]) => list.map((value) => Math.round(value)).join(', ')

/** Checks that the ledger has every acknowledged call once, and that the audit passes. */
async function verify(database: Database, route: MoneyRoute, acknowledged: number): Promise<void> {
  const found = await database.pool.query<{ moved: bigint; stored: bigint }>(
    `select (select count(distinct posting_id) from ledger_transfer where kind = $1) as moved,
      (select count(*) from idempotency where operation = $2 and status = 200) as stored`,
    [route.kind, route.name],
  )
  const { moved, stored } = found.rows[0] ?? { moved: 0n, stored: 0n }
  if (moved !== BigInt(acknowledged) || stored !== moved) throw new Error(`${acknowledged} answers, ${moved} postings, ${stored} keys`)
  const broken = (await runAudit(database.db, ledgerChecks)).filter((result) => result.broken > 0)
  if (broken.length > 0) throw new Error(`the audit found: ${broken.map((result) => result.check.title).join('; ')}`)
  console.log(`  all ${acknowledged} acknowledged calls are in the ledger once; the audit finds nothing`)
}

/** Loads an API process for some seconds, and throws if it refuses a call. */
async function loadApi(api: ApiProcess, length: number, templates: readonly LoadCall[]) {
  await catchUp(database)
  const used = processors(api)
  const report = await load.run({ port: api.port, connections: CONNECTIONS, seconds: length, templates: [...templates] })
  if (report.byStatus['200'] !== report.answered) throw new Error(`refused: ${JSON.stringify(report.byStatus)} ${report.firstError}`)
  return { ...report, used: { ...used(), generator: report.cpuSeconds } }
}

/**
 * Compares transfers with and without the outflow guard. The order changes with each pair.
 * @returns the median of the ratios, with the guard to without it
 */
async function compareGuard(route: MoneyRoute, guarded: ApiProcess, bare: ApiProcess, tokens: readonly string[]): Promise<number> {
  const templates = templatesOf(route, tokens)
  const rates = { guarded: [] as number[], bare: [] as number[] }
  let answered = 0
  const play = async (which: keyof typeof rates, length: number) => {
    const report = await loadApi(which === 'guarded' ? guarded : bare, length, templates)
    answered += report.answered
    return report.answered / report.seconds
  }
  for (const which of ['bare', 'guarded'] as const) await play(which, 1)
  for (let pair = 0; pair < rounds; pair += 1)
    for (const which of pair % 2 === 0 ? (['guarded', 'bare'] as const) : (['bare', 'guarded'] as const))
      rates[which].push(await play(which, seconds))
  const ratio = median(rates.guarded.map((value, pair) => value / (rates.bare[pair] ?? 0)))
  console.log(
    `${route.name}: ${ratio.toFixed(2)} times the rate without the outflow guard (load of the machine ${loadavg()[0]?.toFixed(1)})`,
  )
  console.log(`  with the guard: ${plain(rates.guarded)} a second; without: ${plain(rates.bare)} a second`)
  await verify(database, route, answered)
  return ratio
}

async function measure(route: MoneyRoute, api: ApiProcess, tokens: readonly string[]): Promise<number> {
  const templates = templatesOf(route, tokens)
  const slice = (length: number) => loadApi(api, length, templates)
  const warm = await slice(1)
  const figures = { tpcb: [] as number[], moves: [] as number[], tpcbUsed: [] as number[] }
  const parts = { database: 0, api: 0, generator: 0 }
  const times: number[] = []
  let measured = 0
  for (let round = 0; round < rounds; round += 1) {
    const used = processors(api)
    const perSecond = await tpcb(server, pgbenchUrl, { clients: CONNECTIONS, threads: 2, seconds })
    // Waits until the server has recorded the end of its sessions.
    await pause(300)
    const { database: itsServer, ended } = used()
    figures.tpcb.push(perSecond)
    figures.tpcbUsed.push((itsServer + ended) / (perSecond * seconds))
    const report = await slice(seconds)
    figures.moves.push(report.answered / report.seconds)
    for (const part of ['database', 'api', 'generator'] as const) parts[part] += report.used[part]
    times.push(...report.times)
    measured += report.answered
  }
  // Divides the rates of one round, because both rates of a round have the same load of the machine.
  const ratio = median(figures.moves.map((value, round) => value / (figures.tpcb[round] ?? 0)))
  console.log(`${route.name}: ${ratio.toFixed(2)} times TPC-B (load of the machine ${loadavg()[0]?.toFixed(1)})`)
  console.log(`  TPC-B, 64 clients: ${plain(figures.tpcb)} a second; over HTTP, 64 connections: ${plain(figures.moves)} a second`)
  console.log(
    `  an answer takes ${percentile(times, 0.5).toFixed(1)} ms (median), ${percentile(times, 0.95).toFixed(1)} ms (95th percentile)`,
  )
  const [ofDatabase, ofApi, ofGenerator] = [parts.database, parts.api, parts.generator].map((one) => (1e6 * one) / measured)
  const [all, itsAll] = [(ofDatabase ?? 0) + (ofApi ?? 0) + (ofGenerator ?? 0), 1e6 * mean(figures.tpcbUsed)]
  console.log(
    `  processors: ${Math.round(all)} µs a call (database ${Math.round(ofDatabase ?? 0)}, API ${Math.round(ofApi ?? 0)}, generator ${Math.round(ofGenerator ?? 0)}), of TPC-B ${Math.round(itsAll)} µs: by processors alone ${(itsAll / all).toFixed(2)}`,
  )
  await verify(database, route, measured + warm.answered)
  return ratio
}

const routes = values.guard ? chosen().slice(0, 1) : chosen()
await reportMachine()
const server = await startPostgres()
const pgbenchUrl = await createPgbenchDatabase(server, values.hot ? 1 : Number(values.scale))
const database = openDatabase({ url: server.url }, { max: 4, limits: false })
const load = startLoad()
try {
  await migrate(database.pool)
  await fill(database, members, senders)
  const api = await startApi(server.url, values.profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${values.profile}`])
  try {
    const tokens = await signIn(api.port, senders.map(emailOf), PASSWORD)
    const ratios: number[] = []
    if (values.guard) {
      const stub = new URL('lib/without-outflow-guard.ts', import.meta.url).href
      const bare = await startApi(server.url, ['--import', stub])
      try {
        for (const route of routes) ratios.push(await compareGuard(route, api, bare, tokens))
      } finally {
        await bare.stop()
      }
    } else for (const route of routes) ratios.push(await measure(route, api, tokens))
    if (values.all) for (const [name, why] of Object.entries(NOT_MEASURED)) console.log(`not measured: ${name}: ${why}`)
    console.log(`ratio: ${Math.min(...ratios).toFixed(2)}`)
  } finally {
    await api.stop()
  }
} finally {
  await load.stop()
  await database.close()
  await server.stop()
}
