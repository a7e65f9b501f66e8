import { type AuditCheck, ledgerChecks } from '../ledger/index.ts'
import { auditChecks as coinChecks } from '../modules/coin/index.ts'
import { auditChecks as depositChecks } from '../modules/deposits/index.ts'
import { memberChecks } from '../modules/members/index.ts'
import { auditChecks as nftChecks } from '../modules/nfts/index.ts'
import { auditChecks as rewardChecks } from '../modules/rewards/index.ts'
import { auditChecks as stakingChecks } from '../modules/staking/index.ts'

/** The ledger's checks and those of the modules that own more facts about money. */
export const allChecks: readonly AuditCheck[] = [
  ...ledgerChecks,
  ...memberChecks,
  ...coinChecks,
  ...stakingChecks,
  ...nftChecks,
  ...depositChecks,
  ...rewardChecks,
]
