/** `npm run api`: the API and the web app on a PostgreSQL that is prepared; any number of them. */
import { buildApp } from './build-app.ts'
import { placeToListen } from '../platform/inherited-socket.ts'
import { VERSION } from '../platform/release.ts'
import { nothingInHand, onTermination } from './deps.ts'
import { openConfigured } from './open-database.ts'
import { createPorts } from './ports.ts'
import { refuseDemo } from './refuse-demo.ts'
import { waitForSchema } from './wait-for-schema.ts'
import { refuseForeignSeals } from './sealed-columns.ts'
import { createService } from './service.ts'

onTermination(nothingInHand)
const deps = createService()
const { config } = deps
const say = (why: string) => deps.log.fatal(why)
const database = await openConfigured(config)
await waitForSchema(database, deps.log)
await refuseDemo(config, database, say)
await refuseForeignSeals(config, database, say)
const ports = createPorts(config, config.paymentProviderUrl ?? 'http://127.0.0.1:3100')
const app = await buildApp(deps, database.db, ports)
await app.listen(placeToListen(config))
onTermination(async () => {
  await app.close()
  await database.close()
})
deps.log.info({ version: VERSION, host: config.host, port: config.port }, 'the API answers')
