/** `npm run seed`: fills a migrated, empty database with the demo story. Refused in production. */
import { commandLine } from './command-line.mjs'
import { createDeps } from '../main/deps.ts'
import { demoAccounts, seedDemo } from '../sandbox/demo/seed-demo.ts'
import { openPrepared } from '../main/open-database.ts'
import { createPorts } from '../main/ports.ts'

commandLine('seed')
const deps = createDeps()
if (!deps.config.sandbox) {
  console.error('Demo members exist only in the sandbox, not in production or with SANDBOX=off.')
  process.exit(2)
}
const database = await openPrepared(deps.config, { limits: false })
const ports = createPorts(deps.config, deps.config.paymentProviderUrl ?? 'http://127.0.0.1:9')
const seeded = await seedDemo(database.db, deps, ports)
if (!seeded) console.log('The database already has members. Nothing was changed.')
console.log((await demoAccounts(database.db)).join('\n'))
await database.close()
