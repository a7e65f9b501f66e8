import { readFile } from 'node:fs/promises'
import { HDKey } from '@scure/bip32'
import { addr } from 'micro-eth-signer'
import { keyAt as keyOf } from '../deposit-address.ts'
import type { KeystoreAt } from '../sending/signer.ts'
import { signedBy, type SignedOrder, type TransferOrder } from '../sending/transfer-order.ts'

/** Which key below the branch: that of an invoice's address, by its place, or that of the wallet which gives them gas. */
export type BranchPlace = number | 'gas'

/** Whoever has the keys of the invoices' addresses. Nothing but orders is ever given to it. */
export interface BranchKeys {
  /** Address of a key, lower case. */
  addressAt(place: BranchPlace): string
  /** @throws Error when the order is for another wallet */
  sign(place: BranchPlace, order: TransferOrder): Promise<SignedOrder>
}

/**
 * The keys of a branch from its extended private key. Invoices are below 0, as wallets receive; the wallet for gas is the first below
 * 1, where wallets keep what is their own.
 * @param xpub the extended public key that addresses are given out from
 * @throws Error when the key is of another branch: what it can sign for is nobody's then
 */
export function branchKeys(xprv: string, xpub: string): BranchKeys {
  const branch = HDKey.fromExtendedKey(xprv)
  if (branch.privateKey === null || branch.publicExtendedKey !== xpub)
    throw new Error('the key for sweeping is not the private one of CHAIN_XPUB')
  const keyAt = (place: BranchPlace): Uint8Array => {
    const { privateKey } = place === 'gas' ? branch.deriveChild(1).deriveChild(0) : keyOf(branch, place)
    if (privateKey === null) throw new Error('no private key')
    return privateKey
  }
  const addressAt = (place: BranchPlace) => addr.fromPrivateKey(keyAt(place)).toLowerCase()
  return { addressAt, sign: (place, order) => Promise.resolve().then(() => signedBy(keyAt(place), addressAt(place), order)) }
}

/** Opens the branch: an extended private key in a file of Web3 Secret Storage. */
export async function openBranch({ file, password }: KeystoreAt, xpub: string): Promise<BranchKeys> {
  const { openKeystore } = await import('../sending/keystore.ts')
  return branchKeys(Buffer.from(openKeystore(await readFile(file, 'utf8'), password)).toString('utf8'), xpub)
}
