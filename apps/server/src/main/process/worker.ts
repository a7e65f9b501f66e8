/** `npm run worker`: runs jobs when they are due. With `--once` it exits when no job is due. Run as many as you need. */
import { runOnce, startWorker } from '../../jobs/run-worker.ts'
import { loadBrand } from '../../modules/brand/index.ts'
import { openReads } from '../../platform/db/replica.ts'
import { VERSION } from '../../platform/runtime/release.ts'
import { startTracing, tracing } from '../../platform/runtime/tracing.ts'
import { commandLine } from '../../cli/command-line.mjs'
import { openWorkerMetrics } from '../../diagnostics/metrics/worker-metrics.ts'
import { openConfigured, openPrepared } from '../open-database.ts'
import { createPorts } from '../ports.ts'
import { rejectSandbox } from '../../sandbox/demo/reject-sandbox.ts'
import { rejectUnknownKey } from '../../diagnostics/data-key.ts'
import { createService } from '../service.ts'
import { allJobs } from '../jobs.ts'
import { onTermination } from '../../platform/runtime/termination.ts'
import { waitForSchema } from '../../platform/db/wait-for-schema.ts'

const { once } = commandLine('worker').values
const deps = createService()
const { config } = deps
await startTracing(config, 'worker')
/** Maximum number of connections to replicas. The worker writes requested files one at a time. */
const READERS = 2
const say = (why: string) => deps.log.fatal(why)

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
  const metrics = await openWorkerMetrics(config, database.db, reads, jobs)
  const worker = startWorker(database.db, deps, jobs, metrics.note)
  onTermination(async () => {
    await worker.stop()
    await metrics.port?.close()
    await reads?.close()
    await database.close()
    await tracing()?.close()
  })
  deps.log.info({ version: VERSION, jobs: jobs.length }, 'the worker runs')
}
