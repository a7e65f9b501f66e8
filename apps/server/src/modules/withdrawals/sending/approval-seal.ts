import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Deps } from '../../../platform/deps.ts'
import { deriveKey, keysOf } from '../../../platform/seal.ts'

/** What an approval said: the payout, where it goes and how much of what. */
export interface ApprovedPayment {
  payoutId: string
  chainId: number
  token: string
  to: string
  /** In the token's smallest unit. */
  amount: bigint
}

const sealBy = (key: string, { payoutId, chainId, token, to, amount }: ApprovedPayment): Buffer =>
  createHmac('sha256', deriveKey(key, 'approved payouts')).update([payoutId, chainId, token, to, amount].join('\n')).digest()

/**
 * Stands for an approval. Whoever can write to the database and nothing else can neither redirect a payout nor approve one:
 * the signer takes only what was sealed in the process that took the approval.
 */
export const approvalSeal = ({ config }: Pick<Deps, 'config'>, payment: ApprovedPayment): string =>
  sealBy(config.dataKey, payment).toString('base64url')

/** Whether an approval said this, also under the other key of a rotation. */
export function isSealed({ config }: Pick<Deps, 'config'>, payment: ApprovedPayment, seal: string): boolean {
  const told = Buffer.from(seal, 'base64url')
  return keysOf(config).some((key) => {
    const made = sealBy(key, payment)
    return told.length === made.length && timingSafeEqual(told, made)
  })
}
