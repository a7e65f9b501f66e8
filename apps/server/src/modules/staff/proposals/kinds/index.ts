import type { ProposalSubject } from '@tizara/contract/staff-changes'
import type { ProposalKind } from '../shared/proposal-kind.ts'
import { accountStatus } from './account-status.ts'
import { apiKey } from './api-key.ts'
import { announcement } from './announcement.ts'
import { brand } from './brand.ts'
import { chainResolution } from './chain-resolution.ts'
import { coldMove } from './cold-move.ts'
import { coverage } from './coverage.ts'
import { limits } from './limits.ts'
import { memberMessage } from './member-message.ts'
import { memberImport } from './member-import.ts'
import { nft } from './nft.ts'
import { paymentReturn } from './payment-return.ts'
import { payoutRules } from './payout-rules.ts'
import { pauseLift } from './pause-lift.ts'
import { plan } from './plan.ts'
import { poolFunding } from './pool-funding.ts'
import { price } from './price.ts'
import { proceeds } from './proceeds.ts'
import { programme } from './programme.ts'
import { purchaseReversal } from './purchase-reversal.ts'
import { rank } from './rank.ts'
import { rcmCredit } from './rcm-credit.ts'
import { rewardCancellation } from './reward-cancellation.ts'
import { accountRecovery } from './account-recovery.ts'
import { separatePeople } from './separate-people.ts'
import { settings } from './settings.ts'
import { specialMember } from './special-member.ts'
import { staffRole } from './staff-role.ts'
import { staffSessions } from './staff-sessions.ts'
import { staffSuspension } from './staff-suspension.ts'
import { transferReversal } from './transfer-reversal.ts'
import { values } from './values.ts'
import { webhook } from './webhook.ts'

/** All kinds of proposal by subject. A subject in the contract without a kind does not compile. */
export const kinds = {
  price,
  settings,
  plan,
  nft,
  popup: announcement,
  limits,
  programme,
  cover: coverage,
  import: memberImport,
  values,
  'payout-rules': payoutRules,
  'api-key': apiKey,
  brand,
  message: memberMessage,
  webhook,
  credit: rcmCredit,
  fund: poolFunding,
  staff: staffRole,
  'purchase-reversal': purchaseReversal,
  'cancel-rewards': rewardCancellation,
  'account-recovery': accountRecovery,
  sessions: staffSessions,
  status: accountStatus,
  suspension: staffSuspension,
  'separate-people': separatePeople,
  'lift-stop': pauseLift,
  'chain-answer': chainResolution,
  reversal: transferReversal,
  'cold-move': coldMove,
  'payment-return': paymentReturn,
  proceeds,
  special: specialMember,
  rank,
} satisfies { [Subject in ProposalSubject]: ProposalKind<Subject, object> }
