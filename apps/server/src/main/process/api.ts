/** `npm run api`: runs the API and the web app on a prepared PostgreSQL. Run as many as you need. */
import { startStartupResponder, type StartupResponder } from '../../http/server/startup-responder.ts'
import { loadBrand } from '../../modules/brand/index.ts'
import { openReads } from '../../platform/db/replica.ts'
import { listenAddress } from '../../platform/runtime/inherited-socket.ts'
import { keySettingsIn } from '../../platform/config/environment.ts'
import { VERSION } from '../../platform/runtime/release.ts'
import { startTracing, tracing } from '../../platform/runtime/tracing.ts'
import { buildApp } from '../build-app.ts'
import { commandLine } from '../../cli/command-line.mjs'
import { openConfigured } from '../open-database.ts'
import { createPorts } from '../ports.ts'
import { rejectSandbox } from '../../sandbox/demo/reject-sandbox.ts'
import { onTermination } from '../../platform/runtime/termination.ts'
import { waitForSchema } from '../../platform/db/wait-for-schema.ts'
import { rejectUnknownKey } from '../../diagnostics/data-key.ts'
import { createService } from '../service.ts'

commandLine('api')
const deps = createService()
const { config } = deps
await startTracing(config, 'api')
const keys = keySettingsIn(process.env)
if (keys.length > 0)
  deps.log.warn({ settings: keys }, 'the API has settings of signing keys: give them to the worker alone (docs/chain.md)')
const say = (why: string) => deps.log.fatal(why)
const database = await openConfigured(config)
const address = listenAddress(config)
let before: StartupResponder | undefined
await waitForSchema(database, deps.log, async (why) => {
  before ??= await startStartupResponder(address)
  before.setReason(why)
})
await loadBrand(database.db, deps)
await rejectSandbox(config, database, say)
await rejectUnknownKey(config, database, say)
const ports = createPorts(config)
const reads = config.databaseReadUrl === undefined ? undefined : openReads(database.db, config.databaseReadUrl, config.databasePool)
const app = await buildApp(deps, database.db, ports, reads)
const listening = before?.handOver(app) ?? app.listen(address)
// From the first call on, work may be in progress.
onTermination(async () => {
  await listening.catch(() => undefined)
  await app.close()
  await reads?.close()
  await database.close()
  await tracing()?.close()
})
await listening
deps.log.info({ version: VERSION, host: config.host, port: config.port }, 'the API answers')
