/** `npm run migrate`: brings the configured database to the newest schema. */
import { sqlState } from '../platform/db/database.ts'
import { migrate } from '../platform/db/migrate.ts'
import { SchemaError } from '../platform/db/schema-state.ts'
import { commandLine } from './command-line.mjs'
import { readConfigOrExit } from '../main/read-config.ts'
import { openConfigured } from '../main/open-database.ts'
import { noAnswer } from '../platform/db/wait-for-schema.ts'

commandLine('migrate')
const database = await openConfigured(readConfigOrExit())
try {
  const ran = await migrate(database.pool)
  console.log(ran.length === 0 ? 'The database is up to date.' : ran.map((name) => `Ran ${name}`).join('\n'))
} catch (error) {
  const denied = sqlState(error) === '42501' ? '. Run this command as the owner of the database (deploy/postgresql.sql).' : ''
  const state = sqlState(error)
  // The database rejects the login: a wrong password (28), an unknown database (3D), and 08 from a PgBouncer for both.
  const isExplained = error instanceof SchemaError || (error instanceof Error && state !== undefined && !/^(08|28|3D)/.test(state))
  console.error(isExplained ? `${error.message}${denied}` : noAnswer(error))
  process.exitCode = 1
}
await database.close()
