import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, existsSync, mkdtempSync, openSync, readSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { ONE } from '@tizara/money'
import { sql } from 'kysely'
import { freePort } from '../../../test/postgres.ts'
import { rotateSecret, saveEndpoint } from '../src/modules/webhooks/index.ts'
import { readConfig } from '../src/platform/config/config.ts'
import { type Db, inTransaction } from '../src/platform/db/database.ts'
import { systemClock } from '../src/platform/runtime/clock.ts'
import { randomIds } from '../src/platform/runtime/ids.ts'
import { createLog } from '../src/platform/runtime/log.ts'
import { createTestMember, fund, TEST_PASSWORD } from './members.ts'

/** Events of one object. */
const EVENTS_OF_OBJECT = 5
const file = (name: string) => fileURLToPath(new URL(name, import.meta.url))

export interface Played {
  /** Events that the receiver did not get, and purchases without an event. */
  lost: number
  /** Purchases in the database; as many as were asked for, although calls were repeated after kills. */
  purchases: number
  /** Webhooks that arrived again under a known id. */
  repeats: number
  /** Events that first arrived after a later event of the same object. */
  outOfOrder: number
  /** Webhooks per second, from the first to the last. */
  perSecond: number
  /** Time in ms from an event to its arrival, in ascending order. */
  lags: number[]
}

/** Members who buy coin at the same time. */
const BUYERS = 4
const ORDER = { coinPrice: 0.008, coinAmount: 1_000, totalPrice: 8 }

/**
 * For tests and benchmarks: sends events through a worker process to a receiver process, and kills them in turns. With `purchases`, members
 * also buy coin through an API process, which is killed too. A call that is not answered is repeated with its key. The leases of a killed
 * worker are released at once, as after the minute in which they expire.
 * @param databaseUrl the database of `db`, for the processes
 * @param spacing ms between two events; 0: all events exist at the start
 */
export async function playWebhooks(
  db: Db,
  databaseUrl: string,
  { events, kills, spacing = 0, purchases = 0 }: { events: number; kills: number; spacing?: number; purchases?: number },
): Promise<Played> {
  const folder = mkdtempSync(path.join(tmpdir(), 'webhooks-'))
  const log = path.join(folder, 'received')
  const env = { NODE_ENV: 'test', LOG_LEVEL: 'silent', WEBHOOK_NETWORKS: '127.0.0.1/32', SANDBOX_CHAIN: 'off', DATA_DIR: folder }
  const deps = { config: readConfig(env), clock: systemClock, ids: randomIds, log: createLog('silent') }
  const [port, apiPort] = [await freePort(), await freePort()]
  const secret = await inTransaction(db, async (tx) => {
    const id = await saveEndpoint(tx, deps, { name: 'Books', url: `http://127.0.0.1:${port}/`, kinds: [] })
    return rotateSecret(tx, deps, id)
  })
  const start = (...args: string[]): ChildProcess =>
    spawn(process.execPath, args, {
      env: {
        PATH: process.env['PATH'],
        ...env,
        DATABASE_URL: databaseUrl,
        DATABASE_POOL: '6',
        PORT: String(apiPort),
        RATE_LIMIT_SCALE: '100000',
      },
      stdio: 'ignore',
    })
  const programs: Readonly<Record<string, () => ChildProcess>> = {
    worker: () => start(file('../src/main/worker.ts')),
    receiver: () => start(file('./webhook-receiver-process.ts'), String(port), log, secret),
    ...(purchases === 0 ? {} : { api: () => start(file('../src/main/api.ts')) }),
  }
  const running = new Map(Object.entries(programs).map(([name, program]) => [name, program()]))
  const kill = async (name: string) => {
    const child = running.get(name)
    const ended = new Promise((resolve) => child?.once('exit', resolve))
    child?.kill('SIGKILL')
    await ended
    if (name === 'worker') await sql`update job_lease set held_until = null`.execute(db)
    const again = programs[name]?.()
    if (again !== undefined) running.set(name, again)
  }
  const follow = followLines(log)
  const lines = () => {
    for (const [name, { exitCode }] of running) if (exitCode !== null) throw new Error(`the ${name} ended by itself`)
    return follow()
  }
  const emit = (from: number, to: number) =>
    sql`insert into event_outbox (kind, objects)
      select 'purchase.created', 'object-' || n / ${sql.lit(EVENTS_OF_OBJECT)} from generate_series(${from}::int, ${to}::int) n`.execute(db)
  const ending = new AbortController()
  try {
    const buying = buyThroughApi(db, `http://127.0.0.1:${apiPort}/api/v1`, purchases, ending.signal)
    // A fault is thrown below, where its result is awaited.
    buying.catch(() => undefined)
    if (spacing === 0) await emit(0, events - 1)
    else {
      while (lines().length === 0) {
        await emit(-EVENTS_OF_OBJECT, -EVENTS_OF_OBJECT)
        await pause(500)
      }
      for (let n = 0; n < events; n += 1) {
        await emit(n, n)
        await pause(spacing)
      }
    }
    const first = await reached(1, lines)
    const names = Object.keys(programs)
    for (let killed = 0; killed < kills; killed += 1) {
      await reached(Math.floor(((events + purchases) * (killed + 1)) / (kills + 1)), lines)
      await kill(names[killed % names.length] ?? '')
    }
    await buying
    for (;;) {
      const { rows } = await sql<{ left: number }>`
        select (select count(*) from event_outbox)::int + (select count(*) from event)::int
          - (select count(*) from webhook_delivery where state = 'DELIVERED')::int as left`.execute(db)
      if (rows[0]?.left === 0) break
      await reached(0, lines)
      await pause(250)
    }
    return summarize(await sentOrder(db), await purchasesIn(db), lines(), performance.now() - first)
  } finally {
    ending.abort()
    for (const child of running.values()) child.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Buys coin as often as told, several members at the same time, and repeats each call with its key until it is answered. */
async function buyThroughApi(db: Db, url: string, purchases: number, signal: AbortSignal): Promise<void> {
  const post = async (route: string, headers: Record<string, string>, body: object): Promise<{ token?: string }> => {
    for (;;) {
      const reply = await fetch(`${url}${route}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
        signal,
      })
        .then(async (response) => ({ status: response.status, text: await response.text() }))
        .catch(() => undefined)
      if (signal.aborted) throw new Error('the run has ended')
      if (reply?.status === 200) return (JSON.parse(reply.text) as { data: { token?: string } }).data
      if (reply !== undefined && reply.status < 500) throw new Error(`${route}: ${reply.status} ${reply.text}`)
      await pause(100)
    }
  }
  const share = purchases / BUYERS
  const buy = async (buyer: number) => {
    const { id, email } = await createTestMember(db)
    await fund(db, id, 'depositWallet', BigInt(purchases) * 8n * ONE)
    const { token = '' } = await post('/auth/login', {}, { email, password: TEST_PASSWORD })
    for (let n = 0; n < share; n += 1) await post('/buy-token', { authorization: token, 'idempotency-key': `${buyer}-${n}` }, ORDER)
  }
  if (purchases > 0) await Promise.all(Array.from({ length: BUYERS }, (_, buyer) => buy(buyer)))
}

/** Returns a function that reads the lines of a growing file. It reads only what was added. */
function followLines(name: string): () => string[] {
  const lines: string[] = []
  let [read, rest] = [0, '']
  return () => {
    if (!existsSync(name)) return lines
    const opened = openSync(name, 'r')
    const added = Buffer.alloc(statSync(name).size - read)
    read += readSync(opened, added, 0, added.length, read)
    closeSync(opened)
    const parts = `${rest}${added.toString()}`.split('\n')
    rest = parts.pop() ?? ''
    lines.push(...parts)
    return lines
  }
}

/** Waits until the receiver has a number of webhooks, and returns the time. */
async function reached(count: number, lines: () => string[]): Promise<number> {
  while (lines().length < count) await pause(20)
  return performance.now()
}

/** The objects of purchases, each of which has one event. */
const purchasesIn = async (db: Db) =>
  (await sql<{ subject: string }>`select public_id as subject from coin_purchase`.execute(db)).rows.map(({ subject }) => subject)

const sentOrder = async (db: Db) =>
  (await sql<{ id: string; subject: string }>`select event_id::text as id, subject from event order by event.id`.execute(db)).rows

function summarize(
  sent: readonly { id: string; subject: string }[],
  purchases: readonly string[],
  lines: readonly string[],
  ms: number,
): Played {
  const received = lines.map((line) => line.split(' '))
  const firstAt = new Map<string, number>()
  for (const [index, [id = '']] of received.entries()) if (!firstAt.has(id)) firstAt.set(id, index)
  const subjects = new Set(sent.map(({ subject }) => subject))
  const ofObjects = Map.groupBy(sent, ({ subject }) => subject).values()
  return {
    lost: sent.filter(({ id }) => !firstAt.has(id)).length + purchases.filter((subject) => !subjects.has(subject)).length,
    purchases: purchases.length,
    repeats: received.length - firstAt.size,
    outOfOrder: [...ofObjects].flatMap((list) =>
      list.slice(1).filter(({ id }, index) => (firstAt.get(id) ?? 0) < (firstAt.get(list[index]?.id ?? '') ?? 0)),
    ).length,
    perSecond: (1000 * received.length) / ms,
    lags: received.flatMap(([, subject, lag]) => (subject === 'object--1' ? [] : [Number(lag)])).toSorted((a, b) => a - b),
  }
}
