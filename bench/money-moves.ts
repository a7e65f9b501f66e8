/**
 * `npm run bench -- money-moves`: user-to-user transfers through the real HTTP API (an `api` process of its own in
 * production mode: token, session look-up per call, validation, Idempotency-Key with stored answer, durable) over 64
 * keep-alive connections, against PostgreSQL's own benchmark transaction (`pgbench -b tpcb-like`, 64 clients) on the
 * same throw-away server with its defaults: every commit reaches the disk. The two take turns, so that a busy moment of
 * the machine hits both. Required: at least 0.7 times the transactions per second of TPC-B; the goal is 1.0.
 * Options: `--seconds 4`, `--rounds 4`, `--members 20000`, `--scale 20`, `--profile FOLDER` (a CPU profile of the API).
 */
import { loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { userToUserDeposit } from '@tizara/contract/transfers'
import { ledgerChecks, openAccountsOf, postBatch, runAudit } from '../apps/server/src/ledger/index.ts'
import { hashPassword } from '../apps/server/src/modules/auth/index.ts'
import { type Database, openDatabase } from '../apps/server/src/platform/database.ts'
import { migrate } from '../apps/server/src/platform/migrate.ts'
import { startPostgres } from '../test/postgres.ts'
import { type Load, percentile, signIn, startApi, startLoad } from './lib/api-process.ts'
import type { LoadCall, LoadReport } from './lib/load-generator.ts'
import { createPgbenchDatabase, tpcb } from './lib/pgbench.ts'

const CONNECTIONS = 64
const PASSWORD = 'violet-harbour-93'
/** Receivers that each sender takes turns with. */
const RECEIVERS = 200

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '4' },
    rounds: { type: 'string', default: '4' },
    members: { type: 'string', default: '20000' },
    scale: { type: 'string', default: '20' },
    profile: { type: 'string' },
  },
})
const seconds = Number(values.seconds)
const rounds = Number(values.rounds)
const members = Number(values.members)
const at = new Date()
const emailOf = (member: number) => `member${member}@gmail.com`

/** Members with a password, and money in their deposit wallets. */
async function fill(database: Database): Promise<void> {
  const hash = await hashPassword(PASSWORD)
  await database.pool.query(
    `insert into member (public_id, name, email, phone, password_hash, is_verified, referral_code, created_at, updated_at)
     select 'member-' || n, 'Member ' || n, 'member' || n || '@gmail.com', '+12025550143', $2, true, 'CODE' || n, $3, $3
     from generate_series(1, $1::int) n`,
    [members, hash, at],
  )
  const owners = Array.from({ length: members }, (_, index) => BigInt(index + 1))
  for (let start = 0; start < members; start += 1_000) {
    const chunk = owners.slice(start, start + 1_000)
    await openAccountsOf(database.db, chunk)
    await postBatch(
      database.db,
      chunk.map((owner) => ({
        kind: 'deposit',
        cause: { type: 'bench', id: '0' },
        at,
        transfers: [{ from: { house: 'SYS-DEPOSIT', asset: 'USD' }, to: { owner, kind: 'depositWallet' }, amount: 10_000_000_00000000n }],
      })),
    )
  }
  await database.pool.query('vacuum analyze')
}

/** Each connection's member pays others, picked at random, amounts from 5 to 100 USD. */
function calls(tokens: readonly string[]): LoadCall[] {
  const random = (below: number) => Math.floor(Math.random() * below)
  return Array.from({ length: RECEIVERS * CONNECTIONS }, (_, place) => ({
    method: 'POST' as const,
    path: `/api/v1${userToUserDeposit.path}`,
    token: tokens[place % CONNECTIONS] ?? '',
    body: JSON.stringify({ amount: (500 + random(9_500)) / 100, email: emailOf(1 + CONNECTIONS + random(members - CONNECTIONS)) }),
    keyed: true,
  }))
}

const mean = (list: readonly number[]) => list.reduce((sum, value) => sum + value, 0) / list.length
const plain = (list: readonly number[]) => list.map((value) => Math.round(value)).join(', ')

async function slice(load: Load, port: number, templates: LoadCall[], length: number): Promise<LoadReport> {
  const report = await load.run({ port, connections: CONNECTIONS, seconds: length, templates })
  if (report.byStatus['200'] !== report.answered) throw new Error(`refused: ${JSON.stringify(report.byStatus)} ${report.firstFault}`)
  return report
}

/** The money must be right too: every acknowledged transfer is in the ledger once, and the audit finds nothing. */
async function verify(database: Database, acknowledged: number): Promise<void> {
  const found = await database.pool.query<{ moved: bigint; stored: bigint }>(
    "select (select count(*) from ledger_transfer where kind = 'userToUser') as moved, (select count(*) from idempotency) as stored",
  )
  const { moved, stored } = found.rows[0] ?? { moved: 0n, stored: 0n }
  if (moved !== BigInt(acknowledged) || stored !== moved) throw new Error(`${acknowledged} answers, ${moved} transfers, ${stored} keys`)
  const broken = (await runAudit(database.db, ledgerChecks)).filter((result) => result.broken > 0)
  if (broken.length > 0) throw new Error(`the audit found: ${broken.map((result) => result.check.title).join('; ')}`)
}

const server = await startPostgres()
const pgbenchUrl = await createPgbenchDatabase(server, Number(values.scale))
const database = openDatabase({ url: server.url }, { max: 4, limits: false })
const load = startLoad()
try {
  await migrate(database.pool)
  await fill(database)
  const api = await startApi(server.url, values.profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${values.profile}`])
  try {
    const senders = Array.from({ length: CONNECTIONS }, (_, index) => emailOf(index + 1))
    const templates = calls(await signIn(api.port, senders, PASSWORD))
    const warm = await slice(load, api.port, templates, 2)
    const figures = { tpcb: [] as number[], moves: [] as number[], generator: [] as number[], api: [] as number[] }
    const times: number[] = []
    let acknowledged = warm.answered
    console.log(`load of the machine before: ${loadavg()[0]?.toFixed(1)}`)
    for (let round = 0; round < rounds; round += 1) {
      figures.tpcb.push(await tpcb(server, pgbenchUrl, { clients: CONNECTIONS, threads: 2, seconds }))
      const before = api.cpuSeconds()
      const report = await slice(load, api.port, templates, seconds)
      figures.moves.push(report.answered / report.seconds)
      figures.generator.push((100 * report.cpuSeconds) / report.seconds)
      figures.api.push((100 * ((api.cpuSeconds() ?? 0) - (before ?? 0))) / report.seconds)
      times.push(...report.times)
      acknowledged += report.answered
    }
    console.log(`TPC-B of pgbench, 64 clients: ${Math.round(mean(figures.tpcb))} a second (${plain(figures.tpcb)})`)
    console.log(`transfers over HTTP, 64 connections: ${Math.round(mean(figures.moves))} a second (${plain(figures.moves)})`)
    console.log(
      `an answer takes ${percentile(times, 0.5).toFixed(1)} ms (median), ${percentile(times, 0.95).toFixed(1)} ms (95th percentile)`,
    )
    console.log(`processor: API ${Math.round(mean(figures.api))} %, load generator ${Math.round(mean(figures.generator))} % of a core`)
    await verify(database, acknowledged)
    console.log(`all ${acknowledged} acknowledged transfers are in the ledger once; the audit finds nothing`)
    console.log(`ratio: ${(mean(figures.moves) / mean(figures.tpcb)).toFixed(2)}`)
  } finally {
    await api.stop()
  }
} finally {
  await load.stop()
  await database.close()
  await server.stop()
}
