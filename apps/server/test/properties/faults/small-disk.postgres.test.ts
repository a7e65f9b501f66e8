import { randomUUID } from 'node:crypto'
import { afterAll, expect, it } from 'vitest'
import { freePort } from '../../../../../test/postgres.ts'
import { type CrampedServer, hasSmallDisks, startCramped } from '../../../../../test/small-disk.ts'
import { startEntry } from '../../entry.ts'
import { createTestMember, fund, TEST_PASSWORD } from '../../members.ts'
import { ledgerChecks, runAudit } from '../../../src/ledger/index.ts'
import { type Database, openDatabase } from '../../../src/platform/db/database.ts'
import { migrate } from '../../../src/platform/db/migrate.ts'

const ends: (() => unknown)[] = []
afterAll(async () => {
  for (const end of ends.toReversed()) await end()
})

/** Transfers money between two members, and counts responses per key. */
async function openPlatform(server: CrampedServer, database: Database) {
  const port = await freePort()
  const env = { DATABASE_URL: server.url, PORT: String(port), METRICS_PORT: String(await freePort()), RATE_LIMIT_SCALE: '100000' }
  const [api, worker] = [startEntry('api', env), startEntry('worker', env)]
  const [from, to] = [await createTestMember(database.db), await createTestMember(database.db)]
  await fund(database.db, from.id, 'depositWallet', 100_000_00000000n)
  const at = `http://127.0.0.1:${port}`
  const isReady = () =>
    fetch(`${at}/health/ready`).then(
      ({ status }) => status,
      () => 0,
    )
  await expect.poll(isReady, { timeout: 60_000 }).toBe(200)
  const post = (where: string, body: object, headers: Record<string, string> = {}) =>
    fetch(`${at}/api/v1${where}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
  const signedIn = (await (await post('/auth/login', { email: from.email, password: TEST_PASSWORD })).json()) as { data: { token: string } }
  const answers = new Map<string, number>()
  const move = async (key: string = randomUUID()) => {
    const headers = { authorization: signedIn.data.token, 'idempotency-key': key }
    const { status } = await post('/usd-transfer/user-to-user-deposit', { amount: 5, email: to.email }, headers)
    answers.set(key, status)
    return status
  }
  return { api, worker, isReady, move, answers }
}

it('a database on a full disk rejects writes, loses nothing, and continues when there is space again', async () => {
  // Without small disks on this machine, database-faults.test.ts covers failing statements.
  if (!hasSmallDisks) return
  const server = await startCramped(160)
  ends.push(server.close)
  const database = openDatabase({ url: server.url }, { max: 4 })
  ends.push(database.close)
  await migrate(database.pool)
  const { api, worker, isReady, move, answers } = await openPlatform(server, database)
  expect(await move()).toBe(200)
  const refusals = () => [...answers.values()].filter((status) => status === 503).length

  // The disk is filled again and again, because the server may free some space.
  const refill = (attempts: number) => attempts % 20 === 0 && server.fill()
  for (let attempts = 0; attempts < 2_000 && refusals() < 10; attempts += 1) {
    refill(attempts)
    await move()
  }
  expect(refusals()).toBe(10)
  // The server stops when its WAL finds no space. The messages fill a segment with ten attempts, and no checkpoint frees one. While
  // the server recovers from a crash, it rejects them at once, so the loop ends after a time and not after a number of attempts.
  const growUntilEnd = async () => {
    server.fill()
    for (let attempts = 0; attempts < 10; attempts += 1)
      await database.pool.query("select pg_logical_emit_message(false, 'test', repeat('x', 100000))").catch(() => undefined)
    return server.ends()
  }
  await expect.poll(growUntilEnd, { timeout: 60_000 }).toBeGreaterThan(0)
  // The server may have restarted meanwhile, with the space of its old WAL.
  const moveOnFullDisk = async () => {
    server.fill()
    return move()
  }
  await expect.poll(moveOnFullDisk, { timeout: 60_000 }).toBe(503)

  server.makeRoom()
  await expect.poll(isReady, { timeout: 60_000 }).toBe(200)
  const begun = async () => (await database.pool.query<{ at: Date }>('select max(last_started_at) as at from job_lease')).rows[0]?.at
  const before = await begun()
  await expect.poll(async () => Number(await begun()) > Number(before), { timeout: 60_000 }).toBe(true)
  expect(new Set(answers.values())).toEqual(new Set([200, 503]))
  for (const key of answers.keys()) expect(await move(key)).toBe(200)
  const { rows } = await database.pool.query(
    "select count(*)::int as moves from ledger_transfer where kind in ('userToUser', 'transferHeld')",
  )
  expect(rows).toEqual([{ moves: answers.size }])
  expect((await runAudit(database.db, ledgerChecks)).filter(({ broken }) => broken > 0)).toEqual([])
  for (const part of [api, worker]) {
    part.stop()
    expect(await part.ended).toBe(0)
  }
})
