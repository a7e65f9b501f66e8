/**
 * `npm run bench -- ledger`: compares member transfers below HTTP with PostgreSQL's benchmark transaction (`pgbench -b tpcb-like`)
 * on the same temporary server with default settings, where every commit reaches the disk. Goals: at least 1.0 times TPC-B's
 * transactions per second one by one, and 2 times in groups. Options: `--seconds 4`, `--members 20000`, `--scale 20`, `--rounds 5`
 * (the four loads take turns, so that other work on the machine affects all).
 */
import { readArguments } from '../apps/server/src/cli/command-line.mjs'
import {
  isRejected,
  ledgerChecks,
  openAccountsOf,
  type Posted,
  postBatch,
  type Posting,
  post,
  rejectionError,
  runAudit,
} from '../apps/server/src/ledger/index.ts'
import { type Database, inTransaction, openDatabase } from '../apps/server/src/platform/db/database.ts'
import { createGroupCommit } from '../apps/server/src/platform/db/group-commit.ts'
import { migrate } from '../apps/server/src/platform/db/migrate.ts'
import { startPostgres } from '../test/postgres.ts'
import { createPgbenchDatabase, tpcb } from './lib/pgbench.ts'
import { reportMachine } from './lib/quiet-machine.ts'

const CONNECTIONS = 64

const { values } = readArguments(import.meta.url, {
  seconds: { type: 'string', default: '4' },
  members: { type: 'string', default: '20000' },
  scale: { type: 'string', default: '20' },
  rounds: { type: 'string', default: '5' },
})
const seconds = Number(values.seconds)
const members = Number(values.members)

const at = new Date()
const member = () => BigInt(1 + Math.floor(Math.random() * members))

/** Builds a transfer of 1 USD between two random members. */
function payment(): Posting {
  const from = member()
  let to = member()
  while (to === from) to = member()
  const amount = 100_000_000n
  return {
    kind: 'userToUser',
    cause: { type: 'bench', id: '1' },
    at,
    transfers: [{ from: { owner: from, kind: 'depositWallet' }, to: { owner: to, kind: 'depositWallet' }, amount }],
  }
}

async function fill(database: Database): Promise<void> {
  const owners = Array.from({ length: members }, (_, index) => BigInt(index + 1))
  for (let start = 0; start < members; start += 1_000) {
    const slice = owners.slice(start, start + 1_000)
    await openAccountsOf(database.db, slice)
    await postBatch(
      database.db,
      slice.map((owner) => ({
        kind: 'deposit',
        cause: { type: 'bench', id: '0' },
        at,
        transfers: [{ from: { system: 'SYS-DEPOSIT', asset: 'USD' }, to: { owner, kind: 'depositWallet' }, amount: 1_000_000_000_000n }],
      })),
    )
  }
  await database.pool.query('vacuum analyze ledger_account')
}

/** Runs several callers for the configured time, and returns postings per second. */
async function perSecond(callers: number, once: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  const end = start + seconds * 1_000
  let done = 0
  await Promise.all(
    Array.from({ length: callers }, async () => {
      while (performance.now() < end) {
        await once()
        done += 1
      }
    }),
  )
  return done / ((performance.now() - start) / 1_000)
}

await reportMachine()
const server = await startPostgres()
const pgbenchUrl = await createPgbenchDatabase(server, Number(values.scale))
const database = openDatabase({ url: server.url }, { max: CONNECTIONS })
try {
  await migrate(database.pool)
  await fill(database)
  const group = createGroupCommit<Posting, Posted>({
    run: async (postings) =>
      (await postBatch(database.db, postings)).map((result) => (isRejected(result) ? rejectionError(result) : result)),
    maxBatch: 100,
    maxInFlight: 2,
  })
  const figures = { tpcb: [] as number[], single: [] as number[], transaction: [] as number[], grouped: [] as number[] }
  for (let round = 0; round < Number(values.rounds); round += 1) {
    figures.tpcb.push(await tpcb(server, pgbenchUrl, { clients: CONNECTIONS, threads: 2, seconds }))
    figures.single.push(await perSecond(CONNECTIONS, () => post(database.db, payment())))
    figures.transaction.push(await perSecond(CONNECTIONS, () => inTransaction(database.db, (tx) => post(tx, payment()))))
    figures.grouped.push(await perSecond(CONNECTIONS, () => group.submit(payment())))
  }
  const mean = (list: number[]) => list.reduce((sum, value) => sum + value, 0) / list.length
  const base = mean(figures.tpcb)
  const line = (name: string, list: number[]) =>
    console.log(`${name.padEnd(48)} ${Math.round(mean(list)).toString().padStart(7)} a second   ${(mean(list) / base).toFixed(2)} x TPC-B`)
  line('TPC-B of pgbench, 64 clients', figures.tpcb)
  line('transfers, 64 connections, one call each', figures.single)
  line('transfers, 64 connections, begin-post-commit', figures.transaction)
  line('transfers, 64 callers, posted in groups', figures.grouped)
  const broken = (await runAudit(database.db, ledgerChecks)).filter((result) => result.broken > 0)
  if (broken.length > 0) throw new Error(`the audit found: ${broken.map((result) => result.check.title).join('; ')}`)
  console.log(`ratio one by one: ${(mean(figures.single) / base).toFixed(2)} (goal 1.0)`)
  console.log(`ratio in groups: ${(mean(figures.grouped) / base).toFixed(2)} (goal 2)`)
  console.log(`ratio: ${(mean(figures.single) / base).toFixed(2)}`)
} finally {
  await database.close()
  await server.stop()
}
