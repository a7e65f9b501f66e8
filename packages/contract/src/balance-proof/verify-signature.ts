import { addr, eip191Signer } from 'micro-eth-signer'
import { ProofError } from './proof-error.ts'
import { platformName, type ProofStatement, readStatement } from './proof-statement.ts'
import type { SignedRow } from './verify-history.ts'

/** Returns true if the key of an address signed a text (EIP-191). A text that is no signature returns false, too. */
export function isSignedBy(address: string, signature: string, text: string): boolean {
  try {
    return eip191Signer.verify(signature, text, addr.addChecksum(address))
  } catch {
    return false
  }
}

/** Text that the key of a reserve address signs. The text contains the platform's name, so that no other platform can use the signature. */
export const reserveText = (platform: string, chainId: number, address: string): string =>
  `Reserve of ${platformName(platform)} on chain ${chainId}: ${address.toLowerCase()}`

/** Returns the text that the key of an address signs to confirm that the operator receives proceeds of sales there. */
export const proceedsText = (platform: string, chainId: number, address: string): string =>
  `Proceeds of ${platformName(platform)} on chain ${chainId}: ${address.toLowerCase()}`

/**
 * Verifies the signatures of a row: the signature of the statement by the payout address, and the signatures of the listed reserve
 * addresses.
 * @throws ProofError `signature` or `address`
 */
export function verifySignatures({ text, signer, signature }: Pick<SignedRow, 'text' | 'signer' | 'signature'>): void {
  const statement = readStatement(text)
  if ((signer === null) !== (signature === null)) throw new ProofError('signature')
  if (signer !== null && signature !== null) {
    const payouts = payoutAddress(statement)
    if (payouts !== undefined && payouts !== signer) throw new ProofError('signature')
    if (!isSignedBy(signer, signature, text)) throw new ProofError('signature')
  }
  verifyReserveAddresses(statement)
}

function payoutAddress({ reserves }: ProofStatement): string | undefined {
  return typeof reserves === 'string' ? undefined : reserves.holdings.find(({ role }) => role === 'payouts')?.address
}

function verifyReserveAddresses({ platform, reserves }: ProofStatement): void {
  if (typeof reserves === 'string') return
  for (const { address, signature } of reserves.holdings)
    if (signature !== null && !isSignedBy(address, signature, reserveText(platform, reserves.chainId, address)))
      throw new ProofError('address')
}
