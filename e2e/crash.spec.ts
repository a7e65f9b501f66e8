import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { randomInt, randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from '@playwright/test'
import { sql } from 'kysely'
import { createTestMember, FREE_TRANSFERS, payIn } from '../apps/server/test/members.ts'
import { balancesOf } from '../apps/server/src/ledger/index.ts'
import { openSession } from '../apps/server/src/modules/auth/index.ts'
import { memberById } from '../apps/server/src/modules/members/index.ts'
import { applySettings } from '../apps/server/src/modules/settings/index.ts'
import { createDeps } from '../apps/server/src/main/deps.ts'
import { type Db, inTransaction, openDatabase } from '../apps/server/src/platform/db/database.ts'
import { readConfig } from '../apps/server/src/platform/config/config.ts'
import { ONE } from '../packages/money/src/index.ts'
import { claimPort } from '../test/ports.ts'
import { type PostgresServer, startPostgres } from '../test/postgres.ts'
import { searchRuns } from '../test/search.ts'
import { entryFile } from '../apps/server/src/cli/command-line.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const KILLS = searchRuns({ short: 4, long: 20 })
const MEMBERS = 12

/** Acknowledged transfer. */
interface Move {
  from: number
  to: number
  units: bigint
}

interface Payer {
  id: bigint
  email: string
  token: string
}

interface RunningProcess {
  url: string
  env: NodeJS.ProcessEnv
  child: ChildProcess
}

async function boot(name: string, env: NodeJS.ProcessEnv): Promise<RunningProcess> {
  const port = await claimPort()
  const child = spawn(process.execPath, [entryFile(name)], {
    cwd: root,
    env: { ...env, PORT: String(port) },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const url = `http://127.0.0.1:${port}`
  for (let attempt = 0; attempt < 1200; attempt += 1) {
    const ready = await fetch(`${url}/health/ready`).then(
      (response) => response.ok,
      () => false,
    )
    if (ready) return { url, env, child }
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error(`${name} did not become ready`)
}

async function die(running: RunningProcess, signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
  const ended = new Promise<void>((resolve) => running.child.once('exit', () => resolve()))
  running.child.kill(signal)
  await ended
}

async function payers(db: Db): Promise<Payer[]> {
  const deps = createDeps(readConfig({ NODE_ENV: 'development', LOG_LEVEL: 'silent' }))
  await inTransaction(db, (tx) => applySettings(tx, deps, { changes: FREE_TRANSFERS, actorId: null, reason: 'drill' }))
  return Promise.all(
    Array.from({ length: MEMBERS }, async () => {
      const member = await createTestMember(db)
      await payIn(db, deps, member.id, 1000n * ONE)
      const token = await inTransaction(db, async (tx) => {
        const row = await memberById(tx, member.id)
        if (row === undefined) throw new Error('the member is gone')
        return (await openSession(tx, deps, row, { ip: '127.0.0.1', userAgent: 'drill', requestId: 'drill' })).accessToken
      })
      return { id: member.id, email: member.email, token }
    }),
  )
}

/** Sends one transfer with the same key until its outcome is known. */
async function move(url: () => string, people: Payer[], acknowledged: Move[]): Promise<void> {
  const from = randomInt(MEMBERS)
  const to = (from + 1 + randomInt(MEMBERS - 1)) % MEMBERS
  const dollars = 5 + randomInt(300)
  const key = randomUUID()
  let status = 0
  for (let attempt = 0; attempt < 2400; attempt += 1) {
    status = await fetch(`${url()}/api/v1/usd-transfer/user-to-user-deposit`, {
      method: 'POST',
      headers: { authorization: people[from]?.token ?? '', 'content-type': 'application/json', 'idempotency-key': key },
      body: JSON.stringify({ amount: dollars, email: people[to]?.email }),
    }).then(
      async (response) => {
        await response.text()
        return response.status
      },
      () => 0,
    )
    if (status === 200) acknowledged.push({ from, to, units: BigInt(dollars) * ONE })
    if (status === 200 || status === 400) return
    if (status !== 0 && status !== 409 && status !== 503) throw new Error(`unexpected status ${status}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error(`the fate of a move stayed unknown; the last answer was ${status}`)
}

async function drill(db: Db, start: () => Promise<RunningProcess>): Promise<RunningProcess> {
  let running = await start()
  const people = await payers(db)
  const acknowledged: Move[] = []
  let over = false
  const load = Array.from({ length: 8 }, async () => {
    while (!over) await move(() => running.url, people, acknowledged)
  })
  for (let kill = 0; kill < KILLS; kill += 1) {
    await new Promise((resolve) => setTimeout(resolve, 100 + randomInt(400)))
    await die(running, 'SIGKILL')
    running = await start()
  }
  over = true
  await Promise.all(load)

  expect(acknowledged.length).toBeGreaterThan(KILLS)
  const expected = people.map(() => 1000n * ONE)
  for (const done of acknowledged) {
    expected[done.from] = (expected[done.from] ?? 0n) - done.units
    expected[done.to] = (expected[done.to] ?? 0n) + done.units
  }
  const balances = await Promise.all(people.map(async (person) => (await balancesOf(db, person.id)).depositWallet))
  expect(balances).toEqual(expected)
  const stored = await sql<{ n: number }>`select count(*)::int as n from idempotency where status = 200`.execute(db)
  expect(stored.rows[0]?.n).toBe(acknowledged.length)
  return running
}

const quiet = { ...process.env, NODE_ENV: 'development', LOG_LEVEL: 'silent', SANDBOX: 'off', RATE_LIMIT_SCALE: '1000' }
const audit = (env: NodeJS.ProcessEnv) => spawnSync(process.execPath, [entryFile('ledger-audit')], { cwd: root, env, encoding: 'utf8' })

test('loses and duplicates no transfer when the API is killed under load on PostgreSQL', { tag: '@extended' }, async () => {
  const postgres: PostgresServer = await startPostgres()
  const dataDir = mkdtempSync(path.join(tmpdir(), 'crash-'))
  const env = { ...quiet, DATABASE_URL: postgres.url, DATA_DIR: dataDir }
  expect(spawnSync(process.execPath, [entryFile('migrate')], { cwd: root, env, stdio: 'ignore' }).status).toBe(0)
  const database = openDatabase({ url: postgres.url }, { max: 8 })
  const running = await drill(database.db, () => boot('api', env))
  await database.close()
  await die(running, 'SIGTERM')
  const result = audit(env)
  expect(result.status, result.stdout).toBe(0)
  await postgres.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

test('loses and duplicates no transfer when the server is killed under load on the embedded database', { tag: '@extended' }, async () => {
  test.setTimeout(400_000)
  const dataDir = mkdtempSync(path.join(tmpdir(), 'crash-'))
  const env: NodeJS.ProcessEnv = { ...quiet, DATA_DIR: dataDir }
  delete env['DATABASE_URL']
  const database = openDatabase({ socketDir: dataDir }, { max: 2 })
  const running = await drill(database.db, () => boot('serve', env))
  await database.close()
  const whileRunning = audit(env)
  expect(whileRunning.status, whileRunning.stdout).toBe(0)
  await die(running, 'SIGTERM')
  const afterwards = audit(env)
  expect(afterwards.status, afterwards.stdout).toBe(0)
  rmSync(dataDir, { recursive: true, force: true })
})
