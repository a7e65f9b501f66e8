/**
 * `npm run figures -- rebuild`: deletes the business figures of all past days and writes them again from the ledger and the facts.
 * Prints the number of days. The product may keep running. Exits with 1 and the reason on failure.
 */
import { rebuildBusinessDays } from '../modules/staff/index.ts'
import { printable } from '../platform/config/printable.ts'
import { inTransaction } from '../platform/db/database.ts'
import { errorText } from '../platform/runtime/error-text.ts'
import { createDeps } from '../main/deps.ts'
import { openPrepared } from '../main/open-database.ts'
import { commandLine } from './command-line.mjs'

commandLine('figures')
try {
  const deps = createDeps()
  const database = await openPrepared(deps.config, { limits: false })
  try {
    const days = await inTransaction(database.db, (tx) => rebuildBusinessDays(tx, deps.clock.now()))
    console.log(`The business figures of ${days} days are written again.`)
  } finally {
    await database.close()
  }
} catch (error) {
  console.error(printable(errorText(error)))
  process.exitCode = 1
}
