import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { Gauge, Histogram } from 'prom-client'
import type { Config } from '../../platform/config/config.ts'
import { type Db, inTransaction } from '../../platform/db/database.ts'
import { isStream } from './shed-load.ts'
import { metricsPort } from '../../platform/runtime/metrics-port.ts'
import { addProcessMetrics } from '../../platform/runtime/process-metrics.ts'
import { VERSION } from '../../platform/runtime/release.ts'
import type { Reads } from '../../platform/db/replica.ts'

/**
 * Adds `GET /health/live` (the process answers), `GET /health/ready` (writable database, schema, version, not shutting
 * down) and `GET /metrics` (Prometheus text). In production metrics are served on METRICS_PORT only.
 */
export function addHealth(
  app: FastifyInstance,
  db: Db,
  config: Pick<Config, 'mode' | 'metricsPort' | 'metricsHost'>,
  reads: Reads | undefined,
): void {
  const registry = addProcessMetrics('api', db, reads)
  const durations = new Histogram({
    name: 'tizara_http_request_duration_seconds',
    help: 'Duration of requests in seconds',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  })
  const open = new Gauge({
    name: 'tizara_http_calls_open',
    help: 'Calls and live streams that are open',
    labelNames: ['kind'],
    registers: [registry],
  })
  const kindOf = ({ url }: FastifyRequest) => ({ kind: isStream(url) ? 'stream' : 'call' })
  for (const kind of ['call', 'stream']) open.set({ kind }, 0)
  app.addHook('onRequest', async (request) => open.inc(kindOf(request)))
  app.addHook('onResponse', async (request, reply) => {
    open.dec(kindOf(request))
    durations.observe(
      { method: request.method, route: request.routeOptions.url ?? 'unknown', status: String(reply.statusCode) },
      reply.elapsedTime / 1000,
    )
  })
  // Shares one database check among all callers. At most one check runs per second.
  let reading: Promise<string | undefined> | undefined
  const readSchemaState = () => {
    const result = writtenTo(db)
    const forget = () => void setTimeout(() => (reading = undefined), 1_000).unref()
    result.then(forget, forget)
    return result
  }
  app.get('/health/live', { exposeHeadRoute: true }, async () => ({ status: 'live' }))
  let ending = false
  app.addHook('preClose', async () => {
    ending = true
  })
  app.get('/health/ready', { exposeHeadRoute: true }, async (_, reply) => {
    try {
      if (ending) return notReady(reply, 'This process is shutting down')
      return { status: 'ready', version: VERSION, schema: await Promise.race([(reading ??= readSchemaState()), tooLate()]) }
    } catch {
      return notReady(reply, 'The database rejects writes')
    }
  })
  if (config.mode !== 'production') {
    app.get('/metrics', async (_, reply) => reply.type(registry.contentType).send(await registry.metrics()))
  } else if (config.metricsPort !== undefined) {
    const port = metricsPort(registry, { port: config.metricsPort, host: config.metricsHost })
    app.addHook('onListen', () =>
      port.openWhenFree((why) => app.log.error({ why }, 'METRICS_PORT cannot be opened and is retried: metrics are not published')),
    )
    app.addHook('onClose', () => port.close())
  }
}

const notReady = (reply: FastifyReply, why: string) => reply.code(503).header('Retry-After', '2').send({ status: 'not ready', why })

const READY_MS = 3_000

const tooLate = () => new Promise<never>((_, reject) => setTimeout(() => reject(new Error('no answer in time')), READY_MS).unref())

/**
 * Commits a row like a money call, after a temporary file of about 200 kB. A read-only or full database is not ready. The row alone would
 * not show a full disk, because its page exists already, while rows of money calls need new pages.
 * @returns the name of the row's schema
 */
function writtenTo(db: Db): Promise<string | undefined> {
  return inTransaction(db, async (tx) => {
    await sql`select set_config('work_mem', '64kB', true)`.execute(tx)
    await sql`select count(*) from generate_series(1, 10000)`.execute(tx)
    await sql`insert into rate_limit (key, window_start, hits) values ('health:ready', now(), 1)
      on conflict (key) do update set window_start = excluded.window_start`.execute(tx)
    const { rows } = await sql<{ schema: string }>`
      select left(name, -4) as schema from schema_migration order by name collate "C" desc limit 1`.execute(tx)
    return rows[0]?.schema
  })
}
