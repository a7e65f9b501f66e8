import type { Config } from '../../platform/config/config.ts'
import type { Database } from '../../platform/db/database.ts'
import { readClockOffset } from '../../platform/db/follow-clock.ts'
import { demoAccounts } from './seed-demo.ts'

/** Stops a production process on a sandbox's database: one with the demo cast, whose passwords are public, or with a moved clock. */
export async function rejectSandbox(config: Config, database: Database, say: (why: string) => void = console.error): Promise<void> {
  if (config.mode !== 'production') return
  const [offset, demo] = await Promise.all([readClockOffset(database.db), demoAccounts(database.db)])
  if (offset === 0 && demo.length === 0) return
  const why = demo.length > 0 ? 'contains the demo members' : `moves the platform's clock by ${offset} seconds (table clock_offset)`
  say(`This database ${why}. Use another database for production.`)
  await database.close()
  process.exit(2)
}
