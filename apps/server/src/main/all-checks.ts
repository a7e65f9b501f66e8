import { type AuditCheck, closedListCheck, ledgerChecks, ledgerTransfers } from '../ledger/index.ts'
import { auditChecks as coinChecks, coinTransfers } from '../modules/coin/index.ts'
import { auditChecks as depositChecks, depositTransfers } from '../modules/deposits/index.ts'
import { memberChecks, tallyCheck } from '../modules/members/index.ts'
import { auditChecks as nftChecks, nftTransfers } from '../modules/nfts/index.ts'
import { auditChecks as rewardChecks, rewardTransfers } from '../modules/rewards/index.ts'
import { auditChecks as staffChecks } from '../modules/staff/index.ts'
import { auditChecks as stakingChecks, stakingTransfers } from '../modules/staking/index.ts'
import { auditChecks as transferChecks, ownTransfers } from '../modules/transfers/index.ts'
import { auditChecks as withdrawalChecks, withdrawalTransfers } from '../modules/withdrawals/index.ts'
import type { MovingKind } from '../modules/wallets/index.ts'
import { histories } from './histories.ts'

/** The closed list: every kind of transfer that the product posts. */
export const allTransfers = {
  ...ledgerTransfers,
  ...coinTransfers,
  ...stakingTransfers,
  ...nftTransfers,
  ...depositTransfers,
  ...withdrawalTransfers,
  ...ownTransfers,
  ...rewardTransfers,
} satisfies Record<string, MovingKind>

/** What the ledger and the modules that own facts about money check, besides the closed list. */
export const moduleChecks: readonly AuditCheck[] = [
  ...ledgerChecks,
  ...memberChecks,
  tallyCheck(histories),
  ...coinChecks,
  ...stakingChecks,
  ...nftChecks,
  ...depositChecks,
  ...withdrawalChecks,
  ...transferChecks,
  ...rewardChecks,
  ...staffChecks,
]

/** Everything that `ledger:audit` checks. */
export const allChecks: readonly AuditCheck[] = [closedListCheck(allTransfers), ...moduleChecks]
