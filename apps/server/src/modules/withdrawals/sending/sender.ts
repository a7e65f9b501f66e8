import { chooseNonce, type PayoutSigner, type Sources } from '../../../gateways/chain/index.ts'
import type { Lease } from '../../../jobs/lease.ts'
import type { Db } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'

/** Limits for automatic payouts. */
export interface SendingRules {
  chainId: number
  /** Maximum wei per gas unit. Above it, payouts wait. */
  maxGasPrice: bigint
  /** Maximum signed payouts that are not final. Nodes queue few transactions per account. */
  inFlight: number
  /** Maximum signed per hour, by token, in its smallest unit. A larger outflow waits for staff. */
  hourLimits: ReadonlyMap<string, bigint>
  /** Ceilings of the wallet by token, in the token's smallest unit. Only the surplus above a ceiling moves to cold storage. */
  ceilings?: ReadonlyMap<string, bigint> | undefined
  /** Receivers of cold moves, lower case, from the settings. */
  coldAddresses?: readonly string[] | undefined
  /** Receivers of proceeds, lower case, from the settings. */
  proceedsAddresses?: readonly string[] | undefined
  /** Minimum blocks until a transaction is final. Defaults to 12. */
  confirmations?: number | undefined
  /** Seconds until an unmined transaction is replaced with a higher fee. */
  stuckSeconds: number
}

/** Context of a sending round: lease, node, optional second source, and signer. */
export interface Sender extends Sources {
  lease: Lease
  deps: Deps
  signer: PayoutSigner
  rules: SendingRules
}

/** Returns the wallet's next nonce in the database, or undefined before its first use. */
export async function nextNonce(db: Db, { rules, signer }: Sender): Promise<number | undefined> {
  const row = await db
    .selectFrom('hot_wallet')
    .select('next_nonce')
    .where('chain_id', '=', BigInt(rules.chainId))
    .where('address', '=', signer.address)
    .executeTakeFirst()
  return row === undefined ? undefined : Number(row.next_nonce)
}

/**
 * Returns the nonce of the wallet's next payout, and records a new wallet.
 * @throws as `chooseNonce`
 */
export async function openWallet(sender: Sender): Promise<number> {
  const { lease, deps, signer, rules } = sender
  const known = await lease.read((db) => nextNonce(db, sender))
  const nonce = await chooseNonce(sender, signer.address, known)
  const wallet = { chain_id: BigInt(rules.chainId), address: signer.address, next_nonce: BigInt(nonce), opened_at: deps.clock.now() }
  if (known === undefined) await lease.inTransaction((tx) => tx.insertInto('hot_wallet').values(wallet).execute())
  return nonce
}
