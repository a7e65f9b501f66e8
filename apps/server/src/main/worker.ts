/** `npm run worker`: does what is due, for ever; with `--once` until nothing is due. Any number of them. */
import { runOnce, startWorker } from '../jobs/run-worker.ts'
import { createDeps, onTermination } from './deps.ts'
import { openConfigured, openPrepared } from './open-database.ts'
import { createPorts } from './ports.ts'
import { refuseForeignSeals } from './sealed-columns.ts'
import { allSweeps } from './sweeps.ts'
import { waitForSchema } from './wait-for-schema.ts'

const deps = createDeps()
const { config } = deps
const once = process.argv.includes('--once')
const database = await (once ? openPrepared : openConfigured)(config, { limits: false })
await refuseForeignSeals(config, database)
const ports = createPorts(config, config.paymentProviderUrl ?? 'http://127.0.0.1:3100')
const sweeps = allSweeps(ports)
if (once) {
  await runOnce(database.db, deps, sweeps)
  await database.close()
} else {
  await waitForSchema(database, deps.log)
  const worker = startWorker(database.db, deps, sweeps)
  onTermination(async () => {
    await worker.stop()
    await database.close()
  })
  console.log(`${config.brandName} worker runs ${sweeps.length} sweeps`)
}
