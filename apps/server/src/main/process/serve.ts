/**
 * `npm start`: runs everything in one process. It opens the database (embedded, unless DATABASE_URL names a server), migrates it, and seeds
 * the demo members into an empty sandbox. Then it starts API, worker and web app.
 * It also starts the sandbox payment provider and the development chain, unless PAYMENT_PROVIDER_URL and CHAIN_RPC_URL name others.
 * Outside production it writes its log to `tizara.log` in DATA_DIR; `npm start -- --verbose` shows the log and the output of the build.
 */
import path from 'node:path'
import { startWorker, type Worker } from '../../jobs/run-worker.ts'
import { loadBrand } from '../../modules/brand/index.ts'
import { StartupError } from '../../platform/runtime/startup-error.ts'
import type { Database } from '../../platform/db/database.ts'
import { migrate } from '../../platform/db/migrate.ts'
import { SchemaError } from '../../platform/db/schema-state.ts'
import { startTracing, tracing } from '../../platform/runtime/tracing.ts'
import { startSandboxProvider } from '../../sandbox/index.ts'
import { assertPortsFree } from '../../platform/runtime/assert-ports-free.ts'
import { buildApp } from '../build-app.ts'
import { commandLine } from '../../cli/command-line.mjs'
import { createDeps } from '../deps.ts'
import { readConfigOrExit } from '../read-config.ts'
import { readClock } from '../../platform/db/follow-clock.ts'
import { openConfigured } from '../open-database.ts'
import { openDevChain } from '../../sandbox/open-dev-chain.ts'
import { createPorts } from '../ports.ts'
import { rejectSandbox } from '../../sandbox/demo/reject-sandbox.ts'
import { rejectUnknownKey } from '../../diagnostics/data-key.ts'
import { seedDemo } from '../../sandbox/demo/seed-demo.ts'
import { readyLines } from '../ready-lines.ts'
import { allJobs } from '../jobs.ts'
import { onTermination } from '../../platform/runtime/termination.ts'

const { verbose } = commandLine('serve').values
const config = readConfigOrExit()
// Writes the log to a file, so that the printed addresses stay visible. In production a service manager collects the log.
const logFile = config.mode !== 'production' && !verbose ? path.join(config.dataDir, 'tizara.log') : undefined
// Has no development chain yet: the chain of an earlier start no longer runs.
const initialDeps = createDeps(config, logFile)
await startTracing(config, 'serve')

const bundled = config.paymentProviderUrl === undefined
const sandboxPort = config.sandboxPort ?? config.port + 1

async function openOrExit(): Promise<Database> {
  try {
    await assertPortsFree(config.host, { PORT: config.port, ...(bundled && config.sandbox ? { SANDBOX_PORT: sandboxPort } : {}) })
    return await openConfigured(config, { own: true })
  } catch (error) {
    console.error(error instanceof StartupError ? error.message : error)
    process.exit(1)
  }
}

/**
 * Starts the bundled provider, which reaches the API on loopback. Outside a sandbox and without a provider URL none runs, and the
 * server rejects deposits.
 */
async function startProvider(): Promise<{ url: string; close(): Promise<void> }> {
  const externalUrl = config.paymentProviderUrl ?? (config.sandbox ? undefined : 'http://127.0.0.1:9')
  if (externalUrl !== undefined) return { url: externalUrl, close: () => Promise.resolve() }
  return startSandboxProvider({
    secret: config.paymentProviderSecret,
    port: sandboxPort,
    host: config.host,
    folder: path.join(config.dataDir, 'sandbox'),
  })
}

const database = await openOrExit()
const chain = openDevChain(initialDeps)
await migrate(database.pool).catch(async (error: unknown) => {
  console.error(error instanceof SchemaError ? error.message : error)
  await database.close()
  process.exit(1)
})
await readClock(database.db)
await rejectSandbox(config, database)
await rejectUnknownKey(config, database)
// Uses a second pool, because statements of the worker may take longer than calls.
const batches = config.databaseUrl === undefined ? database : await openConfigured(config, { limits: false })
const [provider, devChain] = await Promise.all([startProvider(), chain])
const deps = { ...initialDeps, config: devChain.config }
await loadBrand(database.db, deps)
const ports = createPorts(deps.config, provider.url, bundled ? `http://127.0.0.1:${config.port}` : undefined)
if (config.sandbox && (await seedDemo(batches.db, deps, ports))) console.log('Created the demo members.')
const app = await buildApp(deps, database.db, ports)
const listening = app.listen({ port: config.port, host: config.host })
let worker: Worker | undefined
// From the first call on, work may be in progress.
onTermination(async () => {
  await listening.catch(() => undefined)
  await Promise.all([app.close(), worker?.stop()])
  await Promise.all([provider.close(), devChain.close()])
  if (batches !== database) await batches.close()
  await database.close()
  await tracing()?.close()
})
await listening
worker = startWorker(batches.db, deps, allJobs(ports, config.rewardWorkers))
console.log((await readyLines(deps.config, database.db, logFile)).join('\n'))
if (devChain.note !== undefined) console.log(devChain.note)
