import type { DataKeys } from '../../../platform/crypto/encrypt.ts'
import type { EncryptedColumn } from '../../../platform/crypto/encrypted-column.ts'
import { isMacOf, macOf } from '../../../platform/crypto/row-mac.ts'

/** MAC column for approvals. */
export const approvalMacs: EncryptedColumn = {
  table: 'payout_sending',
  key: 'request_id',
  column: 'approval_mac',
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

const macFields = ({ payoutId, chainId, token, to, amount }: ApprovedPayment) => [payoutId, chainId, token, to, amount]

/**
 * Computes the MAC of an approval. Database access alone can neither redirect nor approve a payout, because the signer requires a
 * MAC from the approving process.
 */
export const approvalMac = (keys: DataKeys, payment: ApprovedPayment): Buffer => macOf(keys, approvalMacs.purpose, macFields(payment))

export const isApproved = (keys: DataKeys, payment: ApprovedPayment, mac: Buffer): boolean =>
  isMacOf(keys, approvalMacs.purpose, mac, macFields(payment))
