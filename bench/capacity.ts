/**
 * `npm run bench -- capacity`: measures processor time, WAL, rows and disk of a money call, a list page and a reward, and derives the
 * capacity of larger machines. Writes docs/capacity.md in about ten minutes. Options: `--seconds 2` per route, `--stakes 100000` of the
 * reward day, `--dry` prints the page instead. The last line is the share of the database in the processor time of a money call, on
 * average.
 */
import { writeFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { allRoutes } from '@tizara/contract/all-routes'
import { readArguments } from '../apps/server/src/cli/command-line.mjs'
import { type Database, openDatabase } from '../apps/server/src/platform/db/database.ts'
import { migrate } from '../apps/server/src/platform/db/migrate.ts'
import { type PostgresServer, startPostgres } from '../test/postgres.ts'
import { type ApiProcess, signIn, startApi, startLoad } from './lib/api-process.ts'
import { capacityPage, type Cost } from './lib/capacity-page.ts'
import type { LoadCall } from './lib/load-generator.ts'
import { catchUp, emailOf, fill, LEADERS, PASSWORD } from './lib/money-instance.ts'
import { type MoneyRoute, moneyRoutes } from './lib/money-routes.ts'
import { processorOfServer } from './lib/processor.ts'
import { machineName } from './lib/quiet-machine.ts'
import { build, runDay, settle } from './lib/reward-instance.ts'

const CONNECTIONS = 64
const MEMBERS = 20_000
/** Number of lists whose first page is read in turn. */
const LISTS = 6

const { values } = readArguments(import.meta.url, {
  seconds: { type: 'string', default: '2' },
  stakes: { type: 'string', default: '100000' },
  dry: { type: 'boolean', default: false },
})

interface State {
  database: number
  api: number
  log: number
  rows: number
  disk: number
}

async function stateOf(server: PostgresServer, { pool }: Database, api: () => number): Promise<State> {
  // Waits, because a session reports its counters only ten seconds after it becomes idle.
  await pause(10_500)
  const { rows } = await pool.query<{ log: string; rows: string; disk: string }>(
    `select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0') as log, pg_database_size(current_database())::text as disk,
      (select sum(n_tup_ins + n_tup_upd + n_tup_del) from pg_stat_user_tables) as rows`,
  )
  const row = rows[0]
  return {
    database: processorOfServer(server),
    api: api(),
    log: Number(row?.log),
    rows: Number(row?.rows),
    disk: Number(row?.disk),
  }
}

/** Returns the cost per item between two states. */
const costOf = (name: string, before: State, after: State, count: number): Cost => ({
  name,
  database: (1e6 * (after.database - before.database)) / count,
  api: (1e6 * (after.api - before.api)) / count,
  log: (after.log - before.log) / count,
  rows: (after.rows - before.rows) / count,
  // The growth is at least zero, because vacuum may release space of earlier calls.
  disk: Math.max(0, after.disk - before.disk) / count,
})

function movesOf(route: MoneyRoute, tokens: readonly string[]): LoadCall[] {
  const receiver = () => emailOf(LEADERS + 1 + CONNECTIONS + Math.floor(Math.random() * (MEMBERS - LEADERS - CONNECTIONS - 1)))
  return Array.from({ length: 200 * CONNECTIONS }, (_, index) => ({
    method: 'POST' as const,
    path: `/api/v1${route.path}`,
    token: tokens[index % CONNECTIONS] ?? '',
    body: JSON.stringify(route.body(index + Math.floor(index / CONNECTIONS), receiver())),
    keyed: true,
  }))
}

/** Builds the calls for page 1 of some lists, for each sender. */
function pagesOf(tokens: readonly string[]): LoadCall[] {
  const lists = allRoutes.filter(
    ({ method, access, query, params, path }) =>
      method === 'GET' &&
      access === 'member' &&
      params === undefined &&
      query !== undefined &&
      'entries' in query &&
      Object.hasOwn(Object(query.entries), 'page') &&
      /history|reward|stak|deposit|withdraw/i.test(path),
  )
  return tokens.flatMap((token) =>
    lists.slice(0, LISTS).map(({ path }) => ({ method: 'GET' as const, path: `/api/v1${path}?page=1&limit=25`, token })),
  )
}

async function instance<T>(work: (server: PostgresServer, database: Database) => Promise<T>): Promise<T> {
  const server = await startPostgres({ max_wal_size: '4GB' })
  const database = openDatabase({ url: server.url }, { max: 8, limits: false })
  try {
    await migrate(database.pool)
    return await work(server, database)
  } finally {
    await database.close()
    await server.stop()
  }
}

async function measureCalls(server: PostgresServer, database: Database) {
  const own = () => process.cpuUsage().user / 1e6
  const senders = Array.from({ length: CONNECTIONS }, (_, index) => LEADERS + 1 + index)
  const empty = await stateOf(server, database, own)
  await fill(database, MEMBERS, senders)
  const { disk: member } = costOf('', empty, await stateOf(server, database, own), MEMBERS)
  const api: ApiProcess = await startApi(server.url)
  const load = startLoad()
  try {
    const tokens = await signIn(api.port, senders.map(emailOf), PASSWORD)
    const measure = async (name: string, templates: readonly LoadCall[]) => {
      const run = () => load.run({ port: api.port, connections: CONNECTIONS, seconds: Number(values.seconds), templates: [...templates] })
      await run()
      await catchUp(database)
      const before = await stateOf(server, database, () => api.cpuSeconds() ?? 0)
      const report = await run()
      if (report.byStatus['200'] !== report.answered) throw new Error(`${name}: ${JSON.stringify(report.byStatus)} ${report.firstError}`)
      const cost = costOf(name, before, await stateOf(server, database, () => api.cpuSeconds() ?? 0), report.answered)
      console.log(`${name}: ${Math.round(cost.database)} µs of the database, ${Math.round(cost.api)} µs of the API`)
      return cost
    }
    const moves: Cost[] = []
    for (const route of moneyRoutes()) moves.push(await measure(route.name, movesOf(route, tokens)))
    return { moves, pages: [await measure('page 1 of a list', pagesOf(tokens))], member }
  } finally {
    await load.stop()
    await api.stop()
  }
}

async function measureRewards(server: PostgresServer, database: Database): Promise<Cost> {
  const stakes = Number(values.stakes)
  await build(database, stakes)
  await runDay(database.db, 1)
  await settle(database.pool)
  const own = () => (process.cpuUsage().user + process.cpuUsage().system) / 1e6
  const before = await stateOf(server, database, own)
  await runDay(database.db, 2)
  return costOf('reward', before, await stateOf(server, database, own), stakes)
}

const [load = 0] = loadavg()
const calls = await instance(measureCalls)
const reward = await instance(measureRewards)
const machine = `${machineName()}, load average before the start ${load.toFixed(1)}${load > 2 ? ': a busy machine, where few calls share the fixed work of the database' : ''}`
const page = capacityPage({ machine, ...calls, reward, stakes: Number(values.stakes) })
if (values.dry) console.log(page)
else writeFileSync(new URL('../docs/capacity.md', import.meta.url), page)
const sum = (of: (cost: Cost) => number) => calls.moves.reduce((total, cost) => total + of(cost), 0)
console.log(`ratio: ${(sum((cost) => cost.database) / sum((cost) => cost.database + cost.api)).toFixed(2)}`)
