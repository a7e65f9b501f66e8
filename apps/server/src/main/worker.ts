/** `npm run worker`: does what is due, for ever; with `--once` until nothing is due. Any number of them. */
import { Counter, Histogram } from 'prom-client'
import { type NoteRun, runOnce, startWorker } from '../jobs/run-worker.ts'
import type { Db } from '../platform/database.ts'
import { metricsPort, type MetricsPort } from '../platform/metrics-port.ts'
import { processFigures } from '../platform/process-figures.ts'
import { VERSION } from '../platform/release.ts'
import { nothingInHand, onTermination } from './deps.ts'
import { addHouseFigures } from './house-figures.ts'
import { openConfigured, openPrepared } from './open-database.ts'
import { createPorts } from './ports.ts'
import { refuseForeignSeals } from './sealed-columns.ts'
import { createService } from './service.ts'
import { allSweeps } from './sweeps.ts'
import { waitForSchema } from './wait-for-schema.ts'

const deps = createService()
const { config } = deps
const say = (why: string) => deps.log.fatal(why)

/** The worker's own figures, and those of the house, which every worker reads out of the database. */
async function openFigures(db: Db): Promise<{ port?: MetricsPort; note?: NoteRun }> {
  if (config.metricsPort === undefined) return {}
  const registry = processFigures('worker', db)
  const of = { labelNames: ['sweep'], registers: [registry] }
  const seconds = new Histogram({
    name: 'sweep_seconds',
    help: 'Duration of the runs of a sweep here',
    buckets: [0.01, 0.1, 1, 10, 60],
    ...of,
  })
  const done = new Counter({ name: 'sweep_done_total', help: 'Things that a sweep did here', ...of })
  await addHouseFigures(registry, db)
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

const once = process.argv.includes('--once')
if (!once) onTermination(nothingInHand)
const database = await (once ? openPrepared : openConfigured)(config, { limits: false })
if (!once) await waitForSchema(database, deps.log)
await refuseForeignSeals(config, database, say)
const ports = createPorts(config, config.paymentProviderUrl ?? 'http://127.0.0.1:3100')
const sweeps = allSweeps(ports)
if (once) {
  await runOnce(database.db, deps, sweeps)
  await database.close()
} else {
  const figures = await openFigures(database.db)
  const worker = startWorker(database.db, deps, sweeps, figures.note)
  onTermination(async () => {
    await worker.stop()
    await figures.port?.close()
    await database.close()
  })
  deps.log.info({ version: VERSION, sweeps: sweeps.length }, 'the worker runs')
}
