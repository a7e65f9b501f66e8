/**
 * `npm run ledger:audit`: checks the stored money against the invariants and prints a table. Ends with 0 only when all
 * of them hold, with 1 when one is broken.
 */
import { type AuditCheck, formatAudit, ledgerChecks, runAudit } from '../ledger/index.ts'
import { auditChecks as depositChecks } from '../modules/deposits/index.ts'
import { memberChecks } from '../modules/members/index.ts'
import { auditChecks as nftChecks } from '../modules/nfts/index.ts'
import { auditChecks as rewardChecks } from '../modules/rewards/index.ts'
import { auditChecks as stakingChecks } from '../modules/staking/index.ts'
import { readConfigOrExit } from './deps.ts'
import { openConfigured } from './open-database.ts'

/** The ledger's checks and those of the modules that own more facts about money. */
const checks: AuditCheck[] = [...ledgerChecks, ...memberChecks, ...stakingChecks, ...nftChecks, ...depositChecks, ...rewardChecks]

const database = await openConfigured(readConfigOrExit(), { limits: false })
const results = await runAudit(database.db, checks)
console.log(formatAudit(results))
await database.close()
process.exitCode = results.every((result) => result.broken === 0) ? 0 : 1
