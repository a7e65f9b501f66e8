/**
 * `npm start`: everything in one process. Opens the database (its own embedded one unless DATABASE_URL names a server),
 * brings it to the newest schema, seeds the demo cast into an empty sandbox, and starts API, worker, web app and, unless
 * PAYMENT_PROVIDER_URL names another one, the sandbox payment provider.
 */
import path from 'node:path'
import { startWorker } from '../jobs/run-worker.ts'
import { DataDirBusy } from '../platform/embedded.ts'
import type { Database } from '../platform/database.ts'
import { migrate } from '../platform/migrate.ts'
import { SchemaRefused } from '../platform/schema-state.ts'
import { FolderOpen } from '../platform/private-folder.ts'
import { startSandboxProvider } from '../sandbox/index.ts'
import { assertPortsFree, PortBusy } from './assert-ports-free.ts'
import { buildApp } from './build-app.ts'
import { createDeps, nothingInHand, onTermination } from './deps.ts'
import { openConfigured } from './open-database.ts'
import { createPorts } from './ports.ts'
import { refuseDemo } from './refuse-demo.ts'
import { refuseForeignSeals } from './sealed-columns.ts'
import { demoAccounts, seedDemo } from './demo/seed-demo.ts'
import { allSweeps, storySweeps } from './sweeps.ts'

onTermination(nothingInHand)
const deps = createDeps()
const { config } = deps

const bundled = config.paymentProviderUrl === undefined
const sandboxPort = config.sandboxPort ?? config.port + 1

async function openOrExit(): Promise<Database> {
  try {
    await assertPortsFree(config.host, { PORT: config.port, ...(bundled && config.sandbox ? { SANDBOX_PORT: sandboxPort } : {}) })
    return await openConfigured(config, { own: true })
  } catch (error) {
    console.error(error instanceof DataDirBusy || error instanceof FolderOpen || error instanceof PortBusy ? error.message : error)
    process.exit(1)
  }
}

/** The bundled provider, which finds us on the loopback address; without sandbox and without an address there is none, and deposits are refused. */
async function startProvider(): Promise<{ url: string; close(): Promise<void> }> {
  const elsewhere = config.paymentProviderUrl ?? (config.sandbox ? undefined : 'http://127.0.0.1:9')
  if (elsewhere !== undefined) return { url: elsewhere, close: () => Promise.resolve() }
  return startSandboxProvider({
    secret: config.paymentProviderSecret,
    port: sandboxPort,
    host: config.host,
    folder: path.join(config.dataDir, 'sandbox'),
  })
}

const database = await openOrExit()
await migrate(database.pool).catch(async (error: unknown) => {
  console.error(error instanceof SchemaRefused ? error.message : error)
  await database.close()
  process.exit(1)
})
await refuseDemo(config, database)
await refuseForeignSeals(config, database)
// What the worker does takes longer than a call may.
const batches = config.databaseUrl === undefined ? database : await openConfigured(config, { limits: false })
const provider = await startProvider()
const ports = createPorts(config, provider.url, bundled ? `http://127.0.0.1:${config.port}` : undefined)
if (config.sandbox && (await seedDemo(batches.db, deps, storySweeps(ports)))) console.log('Seeded the demo cast.')
const app = await buildApp(deps, database.db, ports)
await app.listen({ port: config.port, host: config.host })
const worker = startWorker(batches.db, deps, allSweeps(ports))
const accounts = config.sandbox ? await demoAccounts(database.db) : []

// Before anybody is told that the product is ready: who is told may end it at once.
onTermination(async () => {
  await Promise.all([app.close(), worker.stop()])
  await provider.close()
  if (batches !== database) await batches.close()
  await database.close()
})

console.log(`\n${config.brandName} is ready: ${config.publicUrl}\n`)
if (accounts.length > 0) console.log(accounts.join('\n'))
