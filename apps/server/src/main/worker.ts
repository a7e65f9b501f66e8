/** `npm run worker`: does what is due, for ever; with `--once` until nothing is due. Any number of them. */
import { runOnce, startWorker } from '../jobs/run-worker.ts'
import { createDeps, onTermination } from './deps.ts'
import { openConfigured } from './open-database.ts'
import { createPorts } from './ports.ts'
import { refuseForeignSeals } from './sealed-columns.ts'
import { allSweeps } from './sweeps.ts'

const deps = createDeps()
const { config } = deps
const database = await openConfigured(config, { limits: false })
await refuseForeignSeals(config, database)
const ports = createPorts(config, config.paymentProviderUrl ?? 'http://127.0.0.1:3100')
const sweeps = allSweeps(ports)
if (process.argv.includes('--once')) {
  await runOnce(database.db, deps, sweeps)
  await database.close()
} else {
  const worker = startWorker(database.db, deps, sweeps)
  console.log(`${config.brandName} worker runs ${sweeps.length} sweeps`)
  onTermination(async () => {
    await worker.stop()
    await database.close()
  })
}
