/**
 * `npm run bench -- clients`: 500 clients call one API process without pause. Half of them move money, four tenths read pages, and a tenth
 * sign in. Required on a quiet machine with two cores: 99 % of the responses within 1 s, no error but 503 with `Retry-After`, every member
 * can sign in afterwards, and the audit finds nothing. The last line is `ratio: X`: 1 s divided by the 99th percentile, the median of the
 * rounds. Options: `--clients 500`, `--seconds 10`, `--rounds 5`.
 */
import { login } from '@tizara/contract/auth'
import { buyTokenHistory } from '@tizara/contract/coin'
import { homeCount, userWallet } from '@tizara/contract/wallets'
import { readArguments } from '../apps/server/src/cli/command-line.mjs'
import { ledgerChecks, runAudit } from '../apps/server/src/ledger/index.ts'
import { openDatabase } from '../apps/server/src/platform/db/database.ts'
import { migrate } from '../apps/server/src/platform/db/migrate.ts'
import { startPostgres } from '../test/postgres.ts'
import { percentile, signIn, startApi, startLoad } from './lib/api-process.ts'
import type { LoadCall, LoadReport } from './lib/load-generator.ts'
import { catchUp, emailOf, fill, LEADERS, PASSWORD } from './lib/money-instance.ts'
import { moneyRoutes } from './lib/money-routes.ts'
import { reportMachine } from './lib/quiet-machine.ts'

/** Members in addition to the clients, who receive transfers. */
const RECEIVERS = 5_000
/** Money calls of a client, in turn. Calls whose amount depends on a limit are left out. */
const MOVES = ['userToUserDeposit', 'buyToken', 'swapNativeToMyWallet', 'openStake']

const { values } = readArguments(import.meta.url, {
  clients: { type: 'string', default: '500' },
  seconds: { type: 'string', default: '10' },
  rounds: { type: 'string', default: '5' },
})
const clients = Number(values.clients)
const members = Array.from({ length: clients }, (_, index) => LEADERS + 1 + index)
const firstReceiver = LEADERS + 1 + clients
const [movers, readers] = [Math.round(clients / 2), Math.round(clients * 0.4)]

const read = (path: string, token: string): LoadCall => ({ method: 'GET', path: `/api/v1${path}`, token })

/** Calls of each group of clients: one after the other of a client, for all clients in turn. */
function groups(tokens: readonly string[]): { name: string; connections: number; templates: LoadCall[] }[] {
  const routes = moneyRoutes().filter(({ name }) => MOVES.includes(name))
  const moves = routes.flatMap((route, turn) =>
    tokens.slice(0, movers).map((token, index) => ({
      method: 'POST' as const,
      path: `/api/v1${route.path}`,
      token,
      body: JSON.stringify(route.body(turn, emailOf(firstReceiver + ((index * 7919) % RECEIVERS)))),
      keyed: true,
    })),
  )
  const pages = [userWallet.path, homeCount.path, `${buyTokenHistory.path}?page=1&limit=25`]
  const reads = pages.flatMap((path) => tokens.slice(movers, movers + readers).map((token) => read(path, token)))
  const signIns = members.slice(movers + readers).map((member) => ({
    method: 'POST' as const,
    path: `/api/v1${login.path}`,
    token: '',
    body: JSON.stringify({ email: emailOf(member), password: PASSWORD }),
  }))
  return [
    { name: 'money calls', connections: movers, templates: moves },
    { name: 'pages', connections: readers, templates: reads },
    { name: 'sign-ins', connections: signIns.length, templates: signIns },
  ]
}

/** @throws Error for a response that a member must not get */
function assertServed(name: string, { byStatus, withoutRetryAfter, firstError }: LoadReport): void {
  const others = Object.keys(byStatus).filter((status) => status !== '200' && status !== '503')
  if (others.length > 0 || withoutRetryAfter > 0)
    throw new Error(`${name}: ${JSON.stringify(byStatus)}, ${withoutRetryAfter} without Retry-After: ${firstError}`)
}

const milliseconds = (times: readonly number[]) => [0.5, 0.95, 0.99].map((share) => `${Math.round(percentile(times, share))} ms`).join(', ')

await reportMachine()
const server = await startPostgres()
const database = openDatabase({ url: server.url }, { max: 4, limits: false })
const loads = [startLoad(), startLoad(), startLoad()]
try {
  await migrate(database.pool)
  await fill(database, firstReceiver + RECEIVERS, members)
  const api = await startApi(server.url)
  try {
    const work = groups(await signIn(api.port, members.map(emailOf), PASSWORD))
    const worst: number[] = []
    for (let round = 1; round <= Number(values.rounds); round += 1) {
      await catchUp(database)
      const order = { port: api.port, seconds: Number(values.seconds) }
      const measured = await Promise.all(
        work.map(async ({ name, connections, templates }, index) => {
          const report = await loads[index]?.run({ ...order, connections, templates })
          if (report === undefined) throw new Error(`no load generator for ${name}`)
          assertServed(name, report)
          const rate = Math.round((report.byStatus['200'] ?? 0) / report.seconds)
          console.log(`round ${round}, ${name}: ${rate} a second, ${milliseconds(report.times)}, ${JSON.stringify(report.byStatus)}`)
          return report.times
        }),
      )
      const times = measured.flat()
      worst.push(percentile(times, 0.99))
      console.log(`round ${round}: ${milliseconds(times)} (median, 95th and 99th percentile); API ${api.memory()?.now} MB`)
    }
    await signIn(api.port, members.map(emailOf), PASSWORD)
    const broken = (await runAudit(database.db, ledgerChecks)).filter((result) => result.broken > 0)
    if (broken.length > 0) throw new Error(`the audit found: ${broken.map((result) => result.check.title).join('; ')}`)
    console.log(`all ${clients} members can sign in; the audit finds nothing; API at most ${api.memory()?.peak} MB`)
    console.log(`ratio: ${(1_000 / percentile(worst, 0.5)).toFixed(2)}`)
  } finally {
    await api.stop()
  }
} finally {
  await Promise.all(loads.map((load) => load.stop()))
  await database.close()
  await server.stop()
}
