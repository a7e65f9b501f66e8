import type { ProposalSubject } from '@tizara/contract/staff-changes'
import type { ProposalKind } from '../shared/proposal-kind.ts'
import { accountStatus } from './people/account-status.ts'
import { apiKey } from './people/api-key.ts'
import { announcement } from './configuration/announcement.ts'
import { brand } from './configuration/brand.ts'
import { caseClosing } from './people/case-closing.ts'
import { chainResolution } from './ledger/chain-resolution.ts'
import { coldMove } from './ledger/cold-move.ts'
import { commitment } from './ledger/commitment.ts'
import { limits } from './configuration/limits.ts'
import { memberMessage } from './member-message.ts'
import { memberImport } from './member-import.ts'
import { nft } from './configuration/nft.ts'
import { paymentReturn } from './ledger/payment-return.ts'
import { payoutRules } from './configuration/payout-rules.ts'
import { platformResume } from './ledger/platform-resume.ts'
import { plan } from './configuration/plan.ts'
import { poolFunding } from './ledger/pool-funding.ts'
import { price } from './configuration/price.ts'
import { proceeds } from './ledger/proceeds.ts'
import { programme } from './configuration/programme.ts'
import { purchaseReversal } from './ledger/purchase-reversal.ts'
import { rank } from './people/rank.ts'
import { rcmCredit } from './ledger/rcm-credit.ts'
import { rewardCancellation } from './ledger/reward-cancellation.ts'
import { accountRecovery } from './people/account-recovery.ts'
import { screeningList } from './configuration/screening-list.ts'
import { screeningVerdict } from './people/screening-verdict.ts'
import { separatePeople } from './people/separate-people.ts'
import { settings } from './configuration/settings.ts'
import { specialMember } from './people/special-member.ts'
import { staffRole } from './people/staff-role.ts'
import { staffSessions } from './people/staff-sessions.ts'
import { staffSuspension } from './people/staff-suspension.ts'
import { termsOfUse } from './configuration/terms-of-use.ts'
import { transferReversal } from './ledger/transfer-reversal.ts'
import { values } from './configuration/values.ts'
import { webhook } from './configuration/webhook.ts'

/** All kinds of proposal by subject. A subject in the contract without a kind does not compile. */
export const kinds = {
  price,
  settings,
  plan,
  nft,
  popup: announcement,
  limits,
  programme,
  commitment,
  import: memberImport,
  values,
  'payout-rules': payoutRules,
  'api-key': apiKey,
  brand,
  message: memberMessage,
  webhook,
  'screening-list': screeningList,
  screening: screeningVerdict,
  'terms-of-use': termsOfUse,
  credit: rcmCredit,
  fund: poolFunding,
  staff: staffRole,
  'purchase-reversal': purchaseReversal,
  'cancel-rewards': rewardCancellation,
  'account-recovery': accountRecovery,
  sessions: staffSessions,
  status: accountStatus,
  'case-closing': caseClosing,
  suspension: staffSuspension,
  'separate-people': separatePeople,
  'resume-platform': platformResume,
  'chain-answer': chainResolution,
  reversal: transferReversal,
  'cold-move': coldMove,
  'payment-return': paymentReturn,
  proceeds,
  special: specialMember,
  rank,
} satisfies { [Subject in ProposalSubject]: ProposalKind<Subject, object> }
