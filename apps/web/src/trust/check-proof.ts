import type { ReplyOf } from '@tizara/contract'
import { ProofError, type ProofErrorCode } from '@tizara/contract/balance-proof/proof-error'
import { digestOf } from '@tizara/contract/balance-proof/proof-statement'
import { type VerifiedProof, verifyProof } from '@tizara/contract/balance-proof/verify-proof'
import type { myProof } from '@tizara/contract/trust'

/** Proof from the server. */
export type Proof = ReplyOf<typeof myProof>

/** Browsers provide hashing only on secure origins. */
export const canCheck = (): boolean => (globalThis.crypto as { subtle?: SubtleCrypto } | undefined)?.subtle !== undefined

/** Result of a check: the verified proof, or the reason for rejecting it. */
export type CheckOutcome = { proof: VerifiedProof; refused?: never } | { refused: { code: ProofErrorCode; message: string }; proof?: never }

/**
 * Checks a proof on this device: it must belong to the member and lead to the roots of its statement, and the checked history must contain
 * the statement.
 * @param history rows of the checked history
 */
export async function checkProof(proof: Proof, member: string | undefined, history: readonly { digest: string }[]): Promise<CheckOutcome> {
  try {
    const verified = await verifyProof(proof, member)
    const digest = await digestOf(verified.text)
    if (!history.some((row) => row.digest === digest)) throw new ProofError('statement')
    return { proof: verified }
  } catch (error) {
    if (error instanceof ProofError) return { refused: { code: error.code, message: error.message } }
    throw error
  }
}
