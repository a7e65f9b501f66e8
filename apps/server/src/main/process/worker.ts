/** `npm run worker`: does what is due, for ever; with `--once` until nothing is due. Any number of them. */
import { Counter, Histogram } from 'prom-client'
import { type NoteRun, runOnce, startWorker } from '../../jobs/run-worker.ts'
import type { Db } from '../../platform/db/database.ts'
import { metricsPort, type MetricsPort } from '../../platform/runtime/metrics-port.ts'
import { processFigures } from '../../platform/runtime/process-figures.ts'
import { openReads } from '../../platform/db/replica.ts'
import { VERSION } from '../../platform/runtime/release.ts'
import { startTracing, tracing } from '../../platform/runtime/tracing.ts'
import { commandLine } from '../../cli/command-line.mjs'
import { addHouseFigures } from '../metrics/house-figures.ts'
import { openConfigured, openPrepared } from '../open-database.ts'
import { createPorts } from '../ports.ts'
import { refuseForeignSeals } from '../sealed-columns.ts'
import { createService } from '../service.ts'
import { allSweeps } from '../sweeps.ts'
import { onTermination } from '../termination.ts'
import { waitForSchema } from '../wait-for-schema.ts'

const { once } = commandLine('worker').values
const deps = createService()
const { config } = deps
await startTracing(config, 'worker')
/** Lines to replicas: the files that people ask for are written one at a time. */
const READERS = 2
const say = (why: string) => deps.log.fatal(why)

/** The worker's own figures, and those of the house, which every worker reads out of the database. */
async function openFigures(db: Db): Promise<{ port?: MetricsPort; note?: NoteRun }> {
  if (config.metricsPort === undefined) return {}
  const registry = processFigures('worker', db, reads)
  const of = { labelNames: ['sweep'], registers: [registry] }
  const seconds = new Histogram({
    name: 'sweep_seconds',
    help: 'Duration of the runs of a sweep here',
    buckets: [0.01, 0.1, 1, 10, 60],
    ...of,
  })
  const done = new Counter({ name: 'sweep_done_total', help: 'Things that a sweep did here', ...of })
  await addHouseFigures(
    registry,
    db,
    sweeps.map(({ name }) => name),
  )
  const port = metricsPort(registry, { port: config.metricsPort, host: config.metricsHost })
  await port.open()
  return {
    port,
    note: (sweep, took, count) => {
      seconds.observe({ sweep }, took)
      done.inc({ sweep }, count)
    },
  }
}

const database = await (once ? openPrepared : openConfigured)(config, { limits: false })
if (!once) await waitForSchema(database, deps.log)
await refuseForeignSeals(config, database, say)
const ports = createPorts(config)
const reads = config.databaseReadUrl === undefined ? undefined : openReads(database.db, config.databaseReadUrl, READERS)
const sweeps = allSweeps(ports, config.rewardLanes, reads)
if (once) {
  await runOnce(database.db, deps, sweeps)
  await reads?.close()
  await database.close()
} else {
  const figures = await openFigures(database.db)
  const worker = startWorker(database.db, deps, sweeps, figures.note)
  onTermination(async () => {
    await worker.stop()
    await figures.port?.close()
    await reads?.close()
    await database.close()
    await tracing()?.close()
  })
  deps.log.info({ version: VERSION, sweeps: sweeps.length }, 'the worker runs')
}
