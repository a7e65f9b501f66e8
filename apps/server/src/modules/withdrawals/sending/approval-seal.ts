import type { DataKeys } from '../../../platform/crypto/seal.ts'
import type { SealedColumn } from '../../../platform/crypto/sealed-column.ts'
import { isSealedOf, sealOf } from '../../../platform/crypto/sealed-facts.ts'

/** What approvals said. */
export const sealedApprovals: SealedColumn = {
  table: 'payout_sending',
  key: 'request_id',
  column: 'approval_seal',
  purpose: 'approved payouts',
}

/** What an approval said: the payout, where it goes and how much of what. */
export interface ApprovedPayment {
  payoutId: string
  chainId: number
  token: string
  to: string
  /** In the token's smallest unit. */
  amount: bigint
}

const factsOf = ({ payoutId, chainId, token, to, amount }: ApprovedPayment) => [payoutId, chainId, token, to, amount]

/**
 * Stands for an approval. Whoever can write to the database and nothing else can neither redirect a payout nor approve one:
 * the signer takes only what was sealed in the process that took the approval.
 */
export const approvalSeal = (keys: DataKeys, payment: ApprovedPayment): Buffer => sealOf(keys, sealedApprovals.purpose, factsOf(payment))

export const isApproved = (keys: DataKeys, payment: ApprovedPayment, sealed: Buffer): boolean =>
  isSealedOf(keys, sealedApprovals.purpose, sealed, factsOf(payment))
