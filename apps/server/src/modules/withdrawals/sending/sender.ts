import { type PayoutSigner, type Sources, transactionsOf } from '../../../gateways/chain/index.ts'
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

/**
 * Thrown if the wallet's key was used elsewhere, or the database is older than the chain. Signing stops.
 */
export class ForeignNonce extends Error {}

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
 * Returns the nonce of the wallet's next payout. A new wallet starts at the chain's nonce, confirmed by every source. A pending transaction
 * that this database did not sign stops signing as well, because a payout with its nonce could lose against it
 * (docs/decisions/0067-payouts-after-a-restore.md).
 * @throws ForeignNonce if a source has more transactions than the database, or sources differ at the first use
 */
export async function openWallet(sender: Sender): Promise<number> {
  const { lease, node, secondNode, signer, rules } = sender
  const onChain = await node.nonceOf(signer.address)
  const counted = await transactionsOf(sender, signer.address)
  const known = await lease.read((db) => nextNonce(db, sender))
  if (known === undefined) {
    const secondNonce = (await secondNode?.nonceOf(signer.address)) ?? onChain
    if (secondNonce !== onChain)
      throw new ForeignNonce(`one source has ${onChain} transactions of the hot wallet, the other ${secondNonce}`)
    if (counted > onChain) throw new ForeignNonce(`the new hot wallet has ${counted - onChain} pending transactions of another program`)
    await lease.inTransaction((tx) =>
      tx
        .insertInto('hot_wallet')
        .values({
          chain_id: BigInt(rules.chainId),
          address: signer.address,
          next_nonce: BigInt(onChain),
          opened_at: sender.deps.clock.now(),
        })
        .execute(),
    )
    return onChain
  }
  if (counted > known) throw new ForeignNonce(`the chain has ${counted} transactions of the hot wallet, this database signed ${known}`)
  return known
}
