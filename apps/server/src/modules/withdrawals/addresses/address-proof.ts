import { PROOF_MINUTES } from '@tizara/contract/withdrawals-guard'
import { randomBytes } from 'node:crypto'
import { addr, eip191Signer } from 'micro-eth-signer'
import { contractVerdict, NodeUnavailable } from '../../../gateways/chain/index.ts'
import { AppError } from '../../../platform/runtime/app-error.ts'
import type { Db, Tx } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { lockMember } from '../../members/index.ts'
import { assertNotStopped, type BookActor, auditPayoutAction, setProof } from './address-book.ts'
import type { ProvenBy } from './address-mac.ts'

/**
 * Proofs that a payout address belongs to the member who saved it, by Sign-In with Ethereum (EIP-4361). The server never reads a message
 * from a client: it builds the message from the row, and verifies the signature over exactly this text. The row binds the nonce to the
 * member and the address (docs/decisions/0059-proven-addresses.md).
 */

const MINUTE_MS = 60_000
const ERC20 = 1
const TRC20 = 2
/** Chain id of ERC(20), and of BEP(20) on a platform without a chain. */
const ETHEREUM = 1
const BNB_SMART_CHAIN = 56

/** Open request for a proof. */
interface Challenge {
  nonce: string
  message: string
  chainId: number
  /** Lower case. */
  address: string
  network: number
}

type Row = { public_id: string; network: number; address: string; challenge: string | null; challenge_at: Date | null }

const chainOf = ({ config }: Pick<Deps, 'config'>, network: number): number =>
  network === ERC20 ? ETHEREUM : (config.chain?.chainId ?? BNB_SMART_CHAIN)

/** Returns the open challenge of an address; undefined if it has none, or the challenge has expired. */
function challengeOf(deps: Pick<Deps, 'config'>, row: Row, now: Date): Challenge | undefined {
  const { public_id: id, network, address, challenge: nonce, challenge_at: at } = row
  if (nonce === null || at === null) return undefined
  const until = new Date(at.getTime() + PROOF_MINUTES * MINUTE_MS)
  if (until <= now) return undefined
  const { publicUrl } = deps.config
  const chainId = chainOf(deps, network)
  const message = [
    `${new URL(publicUrl).host} wants you to sign in with your Ethereum account:`,
    addr.addChecksum(address.toLowerCase()),
    '',
    'Prove that this payout address is yours. This sends no money.',
    '',
    `URI: ${publicUrl}`,
    'Version: 1',
    `Chain ID: ${chainId}`,
    `Nonce: ${nonce}`,
    `Issued At: ${at.toISOString()}`,
    `Expiration Time: ${until.toISOString()}`,
    `Request ID: ${id}`,
  ].join('\n')
  return { nonce, message, chainId, address: address.toLowerCase(), network }
}

/**
 * Starts a proof. A new challenge replaces the address's earlier one.
 * @returns the message to sign, valid for five minutes
 * @throws AppError NOT_FOUND, ADDRESS_NOT_PROVABLE
 */
export async function challengeAddress(tx: Tx, deps: Deps, by: BookActor, id: string): Promise<string> {
  const at = deps.clock.now()
  const row = await tx
    .updateTable('payout_address')
    .set({ challenge: randomBytes(16).toString('hex'), challenge_at: at })
    .where('public_id', '=', id)
    .where('member_id', '=', by.memberId)
    .where('removed_at', 'is', null)
    .returning(['public_id', 'network', 'address', 'challenge', 'challenge_at'])
    .executeTakeFirst()
  if (row === undefined) throw new AppError('NOT_FOUND')
  const challenge = row.network === TRC20 ? undefined : challengeOf(deps, row, at)
  if (challenge === undefined) throw new AppError('ADDRESS_NOT_PROVABLE')
  return challenge.message
}

/**
 * Verifies a signature over the open challenge. It asks nodes, so call it outside a transaction.
 * @param signature `0x` and full bytes
 * @returns the proof, for {@link recordProof}
 * @throws AppError NOT_FOUND, ADDRESS_PROOF_EXPIRED, ADDRESS_PROOF_REFUSED, ADDRESS_PROOF_EMPTY, ADDRESS_PROOF_UNKNOWN
 */
export async function verifyProof(
  db: Db,
  deps: Deps,
  memberId: bigint,
  { id, signature }: { id: string; signature: string },
): Promise<{ id: string; nonce: string; provenBy: ProvenBy }> {
  const row = await db
    .selectFrom('payout_address')
    .select(['public_id', 'network', 'address', 'challenge', 'challenge_at'])
    .where('public_id', '=', id)
    .where('member_id', '=', memberId)
    .where('removed_at', 'is', null)
    .executeTakeFirst()
  if (row === undefined) throw new AppError('NOT_FOUND')
  const challenge = challengeOf(deps, row, deps.clock.now())
  if (challenge === undefined) throw new AppError('ADDRESS_PROOF_EXPIRED')
  const provenBy = signerOf(challenge, signature) === challenge.address ? 'key' : await askContract(deps, challenge, signature)
  return { id, nonce: challenge.nonce, provenBy }
}

/** Returns the account that signed, lower case; undefined if the signature has another form, a high s or an unknown v. */
function signerOf({ message }: Challenge, signature: string): string | undefined {
  try {
    return eip191Signer.recoverAddress(signature, message).toLowerCase()
  } catch {
    return undefined
  }
}

/** Asks the contract at the address. Only the chain of the platform has nodes to ask. */
async function askContract({ config: { chain } }: Deps, challenge: Challenge, signature: string): Promise<'contract'> {
  if (chain === undefined || challenge.network === ERC20) throw new AppError('ADDRESS_PROOF_REFUSED')
  const { chainId, address, message } = challenge
  const hash = eip191Signer.getHash(message)
  const verdict = await contractVerdict([chain.rpcUrl, chain.secondRpcUrl], { chainId, address, hash, signature }).catch(
    (error: unknown) => {
      if (error instanceof NodeUnavailable) throw new AppError('ADDRESS_PROOF_UNKNOWN')
      throw error
    },
  )
  if (verdict === 'accepts-everything') throw new AppError('ADDRESS_PROOF_EMPTY')
  if (verdict === 'rejected') throw new AppError('ADDRESS_PROOF_REFUSED')
  return 'contract'
}

/**
 * Stores a verified proof and ends its challenge. A second proof with the same nonce fails.
 * @throws AppError PAYOUTS_STOPPED, ADDRESS_PROOF_EXPIRED, ADDRESS_FORGED
 */
export async function recordProof(
  tx: Tx,
  deps: Deps,
  by: BookActor,
  { id, nonce, provenBy }: { id: string; nonce: string; provenBy: ProvenBy },
): Promise<void> {
  const at = deps.clock.now()
  assertNotStopped(await lockMember(tx, by.memberId))
  const proven = await tx
    .updateTable('payout_address')
    .set({ challenge: null, challenge_at: null })
    .where('public_id', '=', id)
    .where('member_id', '=', by.memberId)
    .where('challenge', '=', nonce)
    .where('challenge_at', '>', new Date(at.getTime() - PROOF_MINUTES * MINUTE_MS))
    .where('removed_at', 'is', null)
    .executeTakeFirst()
  if (proven.numUpdatedRows === 0n) throw new AppError('ADDRESS_PROOF_EXPIRED')
  await setProof(tx, deps, by.memberId, { id, by: provenBy })
  await auditPayoutAction(tx, deps, by, 'payout.address-prove', id)
}
