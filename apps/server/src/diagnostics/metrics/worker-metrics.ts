import { Counter, Histogram } from 'prom-client'
import type { Job } from '../../jobs/job.ts'
import type { NoteRun } from '../../jobs/run-worker.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Reads } from '../../platform/db/replica.ts'
import { type MetricsPort, metricsPort } from '../../platform/runtime/metrics-port.ts'
import { addProcessMetrics } from '../../platform/runtime/process-metrics.ts'
import { addPlatformMetrics } from './platform-metrics.ts'

/** Opens the port with the worker's own metrics, and the platform's, which every worker reads from the database. Opens none without METRICS_PORT. */
export async function openWorkerMetrics(
  config: Config,
  db: Db,
  reads: Reads | undefined,
  jobs: readonly Job[],
): Promise<{ port?: MetricsPort; note?: NoteRun }> {
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
