import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { freePort } from '../../../test/postgres.ts'
import { rotateSecret, saveEndpoint } from '../src/modules/webhooks/index.ts'
import { readConfig } from '../src/platform/config/config.ts'
import { type Db, inTransaction } from '../src/platform/db/database.ts'
import { systemClock } from '../src/platform/runtime/clock.ts'
import { randomIds } from '../src/platform/runtime/ids.ts'
import { createLog } from '../src/platform/runtime/log.ts'

/** Events of one object. */
const EVENTS_OF_OBJECT = 5
const file = (name: string) => fileURLToPath(new URL(name, import.meta.url))

export interface Played {
  /** Events that the receiver did not get. */
  lost: number
  /** Webhooks that arrived again under a known id. */
  repeats: number
  /** Events that first arrived after a later event of the same object. */
  outOfOrder: number
  /** Webhooks per second, from the first to the last. */
  perSecond: number
  /** Time in ms from an event to its arrival, in ascending order. */
  lags: number[]
}

/**
 * For tests and benchmarks: sends events through a worker process to a receiver process, and kills worker and receiver in turns. The
 * leases of a killed worker are released at once, as after the minute in which they expire.
 * @param databaseUrl the database of `db`, for the worker
 * @param spacing ms between two events; 0: all events exist at the start
 */
export async function playWebhooks(
  db: Db,
  databaseUrl: string,
  { events, kills, spacing = 0 }: { events: number; kills: number; spacing?: number },
): Promise<Played> {
  const folder = mkdtempSync(path.join(tmpdir(), 'webhooks-'))
  const log = path.join(folder, 'received')
  const env = { NODE_ENV: 'test', LOG_LEVEL: 'silent', WEBHOOK_NETWORKS: '127.0.0.1/32', SANDBOX_CHAIN: 'off', DATA_DIR: folder }
  const deps = { config: readConfig(env), clock: systemClock, ids: randomIds, log: createLog('silent') }
  const port = await freePort()
  const secret = await inTransaction(db, async (tx) => {
    const id = await saveEndpoint(tx, deps, { name: 'Books', url: `http://127.0.0.1:${port}/`, kinds: [] })
    return rotateSecret(tx, deps, id)
  })
  const start = (...args: string[]): ChildProcess =>
    spawn(process.execPath, args, {
      env: { PATH: process.env['PATH'], ...env, DATABASE_URL: databaseUrl, DATABASE_POOL: '6' },
      stdio: 'ignore',
    })
  const programs = {
    worker: () => start(file('../src/main/worker.ts')),
    receiver: () => start(file('./webhook-receiver-process.ts'), String(port), log, secret),
  }
  const running = { worker: programs.worker(), receiver: programs.receiver() }
  const kill = async (which: keyof typeof programs) => {
    const ended = new Promise((resolve) => running[which].once('exit', resolve))
    running[which].kill('SIGKILL')
    await ended
    if (which === 'worker') await sql`update job_lease set held_until = null`.execute(db)
    running[which] = programs[which]()
  }
  const lines = () => {
    for (const [name, { exitCode }] of Object.entries(running)) if (exitCode !== null) throw new Error(`the ${name} ended by itself`)
    return existsSync(log) ? readFileSync(log, 'utf8').split('\n').slice(0, -1) : []
  }
  const emit = (from: number, to: number) =>
    sql`insert into event_outbox (kind, objects)
      select 'purchase.created', 'object-' || n / ${sql.lit(EVENTS_OF_OBJECT)} from generate_series(${from}::int, ${to}::int) n`.execute(db)
  try {
    if (spacing === 0) await emit(0, events - 1)
    else {
      while (lines().length === 0) {
        await emit(-1, -1)
        await pause(500)
      }
      for (let n = 0; n < events; n += 1) {
        await emit(n, n)
        await pause(spacing)
      }
    }
    const first = await reached(1, lines)
    for (let killed = 0; killed < kills; killed += 1) {
      await reached(Math.floor((events * (killed + 1)) / (kills + 1)), lines)
      await kill(killed % 2 === 0 ? 'worker' : 'receiver')
    }
    for (;;) {
      const { rows } = await sql<{ left: number }>`
        select (select count(*) from event_outbox)::int + (select count(*) from event)::int
          - (select count(*) from webhook_delivery where state = 'DELIVERED')::int as left`.execute(db)
      if (rows[0]?.left === 0) break
      await reached(0, lines)
      await pause(20)
    }
    return summarize(await sentOrder(db), lines(), performance.now() - first)
  } finally {
    for (const child of Object.values(running)) child.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Waits until the receiver has a number of webhooks, and returns the time. */
async function reached(count: number, lines: () => string[]): Promise<number> {
  while (lines().length < count) await pause(20)
  return performance.now()
}

const sentOrder = async (db: Db) =>
  (await sql<{ id: string; subject: string }>`select event_id::text as id, subject from event order by event.id`.execute(db)).rows

function summarize(sent: readonly { id: string; subject: string }[], lines: readonly string[], ms: number): Played {
  const received = lines.map((line) => line.split(' '))
  const firstAt = new Map<string, number>()
  for (const [index, [id = '']] of received.entries()) if (!firstAt.has(id)) firstAt.set(id, index)
  const ofObjects = Map.groupBy(sent, ({ subject }) => subject).values()
  return {
    lost: sent.filter(({ id }) => !firstAt.has(id)).length,
    repeats: received.length - firstAt.size,
    outOfOrder: [...ofObjects].flatMap((list) =>
      list.slice(1).filter(({ id }, index) => (firstAt.get(id) ?? 0) < (firstAt.get(list[index]?.id ?? '') ?? 0)),
    ).length,
    perSecond: (1000 * received.length) / ms,
    lags: received.map(([, , lag]) => Number(lag)).toSorted((a, b) => a - b),
  }
}
