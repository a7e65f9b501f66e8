import type { Config } from '../platform/config/config.ts'
import type { Database } from '../platform/db/database.ts'
import { demoAccounts } from '../sandbox/demo/seed-demo.ts'

/** Stops a production process whose database holds the demo cast, because its passwords are public. */
export async function refuseDemo(config: Config, database: Database, say: (why: string) => void = console.error): Promise<void> {
  if (config.mode !== 'production' || (await demoAccounts(database.db)).length === 0) return
  say('This database contains the demo members. Use another database for production.')
  await database.close()
  process.exit(2)
}
