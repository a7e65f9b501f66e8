/** `npm run worker`: runs due jobs forever, with `--once` until none is due. Any number of workers may run. */
import { Counter, Histogram } from 'prom-client'
import { type NoteRun, runOnce, startWorker } from '../../jobs/run-worker.ts'
import { loadBrand } from '../../modules/brand/index.ts'
import type { Db } from '../../platform/db/database.ts'
import { metricsPort, type MetricsPort } from '../../platform/runtime/metrics-port.ts'
import { addProcessMetrics } from '../../platform/runtime/process-metrics.ts'
import { openReads } from '../../platform/db/replica.ts'
import { VERSION } from '../../platform/runtime/release.ts'
import { startTracing, tracing } from '../../platform/runtime/tracing.ts'
import { commandLine } from '../../cli/command-line.mjs'
import { addPlatformMetrics } from '../metrics/platform-metrics.ts'
import { openConfigured, openPrepared } from '../open-database.ts'
import { createPorts } from '../ports.ts'
import { rejectSandbox } from '../reject-sandbox.ts'
import { rejectUnknownKey } from '../encrypted-columns.ts'
import { createService } from '../service.ts'
import { allJobs } from '../jobs.ts'
import { onTermination } from '../termination.ts'
import { waitForSchema } from '../wait-for-schema.ts'

const { once } = commandLine('worker').values
const deps = createService()
const { config } = deps
await startTracing(config, 'worker')
/** Maximum number of connections to replicas. The worker writes requested files one at a time. */
const READERS = 2
const say = (why: string) => deps.log.fatal(why)

/** The worker's own metrics, and the platform's, which every worker reads from the database. */
async function openFigures(db: Db): Promise<{ port?: MetricsPort; note?: NoteRun }> {
  if (config.metricsPort === undefined) return {}
  const registry = addProcessMetrics('worker', db, reads)
  const options = { labelNames: ['job'], registers: [registry] }
  const seconds = new Histogram({
    name: 'tizara_job_seconds',
    help: 'Duration of job runs in this process',
    buckets: [0.01, 0.1, 1, 10, 60],
    ...options,
  })
  const processedItems = new Counter({ name: 'tizara_job_items_total', help: 'Items that a job processed in this process', ...options })
  await addPlatformMetrics(
    registry,
    db,
    jobs.map(({ name }) => name),
  )
  const port = metricsPort(registry, { port: config.metricsPort, host: config.metricsHost })
  await port.open()
  return {
    port,
    note: (job, took, count) => {
      seconds.observe({ job }, took)
      processedItems.inc({ job }, count)
    },
  }
}

const database = await (once ? openPrepared : openConfigured)(config, { limits: false })
if (!once) await waitForSchema(database, deps.log)
await loadBrand(database.db, deps)
await rejectSandbox(config, database, say)
await rejectUnknownKey(config, database, say)
const ports = createPorts(config)
const reads = config.databaseReadUrl === undefined ? undefined : openReads(database.db, config.databaseReadUrl, READERS)
const jobs = allJobs(ports, config.rewardWorkers, reads)
if (once) {
  await runOnce(database.db, deps, jobs)
  await reads?.close()
  await database.close()
} else {
  const figures = await openFigures(database.db)
  const worker = startWorker(database.db, deps, jobs, figures.note)
  onTermination(async () => {
    await worker.stop()
    await figures.port?.close()
    await reads?.close()
    await database.close()
    await tracing()?.close()
  })
  deps.log.info({ version: VERSION, jobs: jobs.length }, 'the worker runs')
}
