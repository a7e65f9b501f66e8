import {
  type AuditCheck,
  type AuditResult,
  type AuditWindow,
  closedListCheck,
  ledgerChecks,
  checkMonth,
  openWindow,
  runAudit,
} from '../ledger/index.ts'
import { auditChecks as coinChecks } from '../modules/coin/index.ts'
import { auditChecks as depositChecks, auditFinalTransfers, auditFirstApprovals } from '../modules/deposits/index.ts'
import { counterCheck } from '../modules/histories/index.ts'
import { auditChecks, closeLogCheck } from '../modules/audit/index.ts'
import { auditImports, importChecks } from '../modules/import/index.ts'
import { memberChecks } from '../modules/members/index.ts'
import { auditMessages } from '../modules/notices/index.ts'
import { auditChecks as nftChecks } from '../modules/nfts/index.ts'
import { auditChecks as rewardChecks } from '../modules/rewards/index.ts'
import { allTransfers, auditChecks as staffChecks, auditProposals } from '../modules/staff/index.ts'
import { auditChecks as stakingChecks } from '../modules/staking/index.ts'
import { auditChecks as transferChecks } from '../modules/transfers/index.ts'
import { trustChecks } from '../modules/trust/index.ts'
import {
  auditChecks as withdrawalChecks,
  auditAddresses,
  auditPayoutMacs,
  auditPayoutRules,
  costChecks,
} from '../modules/withdrawals/index.ts'
import type { Db } from '../platform/db/database.ts'
import type { DataKeys } from '../platform/crypto/encrypt.ts'
import { auditJobs } from './audit-jobs.ts'
import { histories } from './histories.ts'
import { erasureChecks } from '../modules/personal-data/index.ts'

export { allTransfers }

/** Audit checks for the ledger and for modules with monetary facts, without the closed list. */
export const moduleChecks: readonly AuditCheck[] = [
  ...ledgerChecks,
  ...memberChecks,
  ...auditChecks,
  counterCheck(histories),
  ...coinChecks,
  ...stakingChecks,
  ...nftChecks,
  ...depositChecks,
  ...withdrawalChecks,
  ...costChecks,
  ...transferChecks,
  ...importChecks,
  ...rewardChecks,
  ...staffChecks,
  ...trustChecks,
  ...erasureChecks,
]

/** All `ledger:audit` checks. */
export const allChecks: readonly AuditCheck[] = [closedListCheck(allTransfers), closeLogCheck, ...moduleChecks]

/**
 * Runs the whole audit: checks in the database, and checks of MACs, which need a key.
 * @param turn audits rows after the newest closed month, and one closed month chosen by this counter; everything if omitted
 */
export async function auditPlatform(db: Db, keys: DataKeys, turn?: number): Promise<AuditResult[]> {
  const rowMacs = async (window?: AuditWindow) => [
    ...(await auditPayoutMacs(db, keys, window)),
    await auditPayoutRules(db, keys),
    await auditAddresses(db, keys),
    ...(await auditFirstApprovals(db, keys)),
    await auditFinalTransfers(db, keys, window),
    ...(await auditProposals(db, keys)),
    await auditImports(db, keys),
    await auditJobs(db, keys),
    await auditMessages(db, keys),
  ]
  if (turn === undefined) return [...(await runAudit(db, allChecks)), ...(await rowMacs())]
  const month = await checkMonth(db, allChecks, turn)
  return [...(await runAudit(db, allChecks, openWindow)), ...(await rowMacs(await openWindow(db))), ...(month === undefined ? [] : [month])]
}
