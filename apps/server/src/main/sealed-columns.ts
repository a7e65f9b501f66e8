import { sealedMails } from '../gateways/mailer/index.ts'
import type { Sweep } from '../jobs/sweep.ts'
import { sealedFactors } from '../modules/auth/index.ts'
import type { Config } from '../platform/config.ts'
import type { Database } from '../platform/database.ts'
import { countForeignSeals, sealNextAnew } from '../platform/sealed-column.ts'

/** Every column with sealed texts. */
export const SEALED_COLUMNS = [sealedFactors, sealedMails]

/** Brings what is sealed under the previous DATA_KEY under the new one. */
export const sealAnewSweep: Sweep = {
  name: 'seal-anew',
  everySeconds: 30,
  run: async (lease, deps) => {
    let done = 0
    for (const column of SEALED_COLUMNS) {
      let last = -1n
      done += await lease.untilDone(async (tx) => {
        const batch = await sealNextAnew(tx, deps.config, column, last)
        last = batch.last
        return batch
      })
    }
    return done
  },
}

/** Ends a production process that lacks a key of data at rest: it would lock out everybody with an authenticator app. */
export async function refuseForeignSeals(config: Config, database: Database, say: (why: string) => void = console.error): Promise<void> {
  if (config.mode !== 'production') return
  const closed: string[] = []
  for (const column of SEALED_COLUMNS) {
    const count = await countForeignSeals(database.db, config, column)
    if (count > 0) closed.push(`${count} of ${column.table}`)
  }
  if (closed.length === 0) return
  say(`DATA_KEY: rows are sealed under another key (${closed.join(', ')}). Set that key as DATA_KEY_PREVIOUS.`)
  await database.close()
  process.exit(2)
}
