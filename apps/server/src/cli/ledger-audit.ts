/**
 * `npm run ledger:audit`: checks all stored money against the invariants and prints a table. Checks the time after the newest
 * closed month, and one closed month in daily rotation; with `--full` everything. Exits with 0 only if all invariants hold,
 * with 1 if one is broken.
 */
import { recordCommandRun } from '../jobs/command-runs.ts'
import { formatAudit, openWindow } from '../ledger/index.ts'
import { firstHeadMismatch, describeFault } from '../modules/staff/index.ts'
import { DAY_MS } from '../platform/runtime/clock.ts'
import { printable } from '../platform/config/printable.ts'
import { auditPlatform } from '../main/all-checks.ts'
import { commandLine } from './command-line.mjs'
import { readConfigOrExit } from '../main/read-config.ts'
import { openPrepared } from '../main/open-database.ts'

const { full } = commandLine('ledger-audit').values
const config = readConfigOrExit()
const database = await openPrepared(config, { limits: false })
const mismatch = await firstHeadMismatch(database.db, config)
const heads = {
  check: { invariant: 'I17', title: 'the audit log contains the hashes that are stored outside the database' },
  broken: mismatch === undefined ? 0 : 1,
  examples: mismatch === undefined ? [] : [describeFault(mismatch)],
}
const window = full ? undefined : await openWindow(database.db)
const results = [...(await auditPlatform(database.db, config, full ? undefined : Math.floor(Date.now() / DAY_MS))), heads]
console.log(printable(formatAudit(results)))
if (window !== undefined) console.log(`Closed through ${window.closeBefore}. One earlier month is checked each day; --full checks all.`)
const broken = results.filter((result) => result.broken > 0)
const detail = broken.length === 0 ? `all ${results.length} checks hold` : `${broken.length} of ${results.length} checks failed`
await recordCommandRun(database.db, 'audit', broken.length === 0, detail)
await database.close()
process.exitCode = broken.length === 0 ? 0 : 1
