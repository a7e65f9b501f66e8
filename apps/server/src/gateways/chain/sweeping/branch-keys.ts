import { readFile } from 'node:fs/promises'
import { HDKey } from '@scure/bip32'
import { addr } from 'micro-eth-signer'
import { keyAt as keyOf } from '../deposit-address.ts'
import type { KeystoreAt } from '../sending/signer.ts'
import { signedBy, type SignedOrder, type TransferOrder } from '../sending/transfer-order.ts'

/** Key below the branch: an invoice address by its index, or the gas wallet. */
export type BranchKey = number | 'gas'

/** Signer with the keys of the invoice addresses. It signs only transfer orders. */
export interface BranchKeys {
  /** Address of a key, lower case. */
  addressAt(keyIndex: BranchKey): string
  /** @throws Error if the order belongs to another wallet */
  sign(keyIndex: BranchKey, order: TransferOrder): Promise<SignedOrder>
}

/**
 * Derives the branch's keys from its extended private key. Invoice keys are below 0 (the BIP-44 external chain), and the gas wallet
 * is the first key below 1 (the internal chain).
 * @param xpub extended public key of the deposit addresses
 * @throws Error if the private key belongs to another branch
 */
export function branchKeys(xprv: string, xpub: string): BranchKeys {
  const branch = HDKey.fromExtendedKey(xprv)
  if (branch.privateKey === null || branch.publicExtendedKey !== xpub)
    throw new Error('SWEEP_KEYSTORE does not contain the private key of CHAIN_XPUB')
  const keyAt = (keyIndex: BranchKey): Uint8Array => {
    const { privateKey } = keyIndex === 'gas' ? branch.deriveChild(1).deriveChild(0) : keyOf(branch, keyIndex)
    if (privateKey === null) throw new Error('no private key')
    return privateKey
  }
  const addressAt = (keyIndex: BranchKey) => addr.fromPrivateKey(keyAt(keyIndex)).toLowerCase()
  return { addressAt, sign: (keyIndex, order) => Promise.resolve().then(() => signedBy(keyAt(keyIndex), addressAt(keyIndex), order)) }
}

/** Opens the branch's extended private key from a Web3 Secret Storage file. */
export async function openBranch({ file, password }: KeystoreAt, xpub: string): Promise<BranchKeys> {
  const { openKeystore } = await import('../sending/keystore.ts')
  return branchKeys(Buffer.from(openKeystore(await readFile(file, 'utf8'), password)).toString('utf8'), xpub)
}
