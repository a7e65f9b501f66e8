/** `npm run migrate`: brings the configured database to the newest schema. */
import { migrate } from '../platform/migrate.ts'
import { SchemaRefused } from '../platform/schema-state.ts'
import { readConfigOrExit } from './deps.ts'
import { openConfigured } from './open-database.ts'

const database = await openConfigured(readConfigOrExit())
try {
  const ran = await migrate(database.pool)
  console.log(ran.length === 0 ? 'The database is up to date.' : ran.map((name) => `Ran ${name}`).join('\n'))
} catch (error) {
  console.error(error instanceof SchemaRefused ? error.message : error)
  process.exitCode = 1
}
await database.close()
