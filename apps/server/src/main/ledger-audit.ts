/**
 * `npm run ledger:audit`: checks the stored money against the invariants and prints a table. Ends with 0 only when all
 * of them hold, with 1 when one is broken.
 */
import { noteCommandRun } from '../jobs/command-run.ts'
import { formatAudit, runAudit } from '../ledger/index.ts'
import { printable } from '../platform/printable.ts'
import { allChecks } from './all-checks.ts'
import { readConfigOrExit } from './deps.ts'
import { openPrepared } from './open-database.ts'

const database = await openPrepared(readConfigOrExit(), { limits: false })
const results = await runAudit(database.db, allChecks)
console.log(printable(formatAudit(results)))
const broken = results.filter((result) => result.broken > 0)
const detail = broken.length === 0 ? `all ${results.length} checks hold` : `${broken.length} of ${results.length} checks do not hold`
await noteCommandRun(database.db, 'audit', broken.length === 0, detail)
await database.close()
process.exitCode = broken.length === 0 ? 0 : 1
