import type { DataKeys } from '../../../platform/crypto/seal.ts'
import type { SealedColumn } from '../../../platform/crypto/sealed-column.ts'
import { isSealedOf, sealOf } from '../../../platform/crypto/sealed-facts.ts'

/** MAC column for approvals. */
export const sealedApprovals: SealedColumn = {
  table: 'payout_sending',
  key: 'request_id',
  column: 'approval_seal',
  purpose: 'approved payouts',
}

/** Approved payment: payout, receiver, token and amount. */
export interface ApprovedPayment {
  payoutId: string
  chainId: number
  token: string
  to: string
  /** Amount in the token's smallest unit. */
  amount: bigint
}

const factsOf = ({ payoutId, chainId, token, to, amount }: ApprovedPayment) => [payoutId, chainId, token, to, amount]

/**
 * Computes the MAC of an approval. Database access alone can neither redirect nor approve a payout, because the signer requires a
 * MAC from the approving process.
 */
export const approvalSeal = (keys: DataKeys, payment: ApprovedPayment): Buffer => sealOf(keys, sealedApprovals.purpose, factsOf(payment))

export const isApproved = (keys: DataKeys, payment: ApprovedPayment, sealed: Buffer): boolean =>
  isSealedOf(keys, sealedApprovals.purpose, sealed, factsOf(payment))
