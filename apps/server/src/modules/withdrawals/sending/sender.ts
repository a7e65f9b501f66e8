import { newestFinal, type PayoutSigner, type WalletNode } from '../../../gateways/chain/index.ts'
import type { Lease } from '../../../jobs/lease.ts'
import type { Db } from '../../../platform/db/database.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'

/** How payouts are sent. */
export interface SendingRules {
  chainId: number
  /** Most wei for a unit of gas; dearer, payouts wait. */
  gasPriceMost: bigint
  /** Most payouts that are signed and not yet final: nodes keep few transactions of one account in line. */
  inFlight: number
  /** Most that is signed within an hour, by token, in its smallest unit: an unusual outflow waits for people. */
  hourLimits: ReadonlyMap<string, bigint>
  /** Blocks after which a transaction is final at the earliest; twelve when left out. */
  confirmations?: number | undefined
  /** Seconds after which a transaction that is in no block is sent again with a higher fee. */
  stuckSeconds: number
}

/** A run of the sender: its right to run, the node, a second source that has to agree, and whoever signs. */
export interface Sender {
  lease: Lease
  deps: Deps
  node: WalletNode
  witness?: WalletNode | undefined
  signer: PayoutSigner
  rules: SendingRules
}

/** Thrown while the wallet's key was used elsewhere, or the database is older than the chain: nothing more is signed (fault F28). */
export class ForeignNonce extends Error {}

/** Thrown while a node is one of another chain (fault F19). */
class OtherChain extends Error {}

/** The newest final block, as a node has it. */
export const finalBlockOf = async (node: WalletNode, { confirmations }: Pick<SendingRules, 'confirmations'>): Promise<number> =>
  newestFinal(await node.head(), await node.finalized(), confirmations)

/** @throws OtherChain */
export async function assertChainOf(sender: Sender): Promise<void> {
  for (const node of [sender.node, sender.witness]) {
    const answered = await node?.chainId()
    if (answered !== undefined && answered !== sender.rules.chainId)
      throw new OtherChain(`the node is one of chain ${answered}, not ${sender.rules.chainId}`)
  }
}

/** The wallet's next nonce as the database knows it; undefined before its first use. */
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
 * The nonce that the wallet's next payout takes. Its first use begins where the chain stands, as every source tells it.
 * @throws ForeignNonce when the chain has seen more of the wallet than this database, or sources differ at its first use
 */
export async function openWallet(sender: Sender): Promise<number> {
  const { lease, node, witness, signer, rules } = sender
  const onChain = await node.nonceOf(signer.address)
  const known = await lease.read((db) => nextNonce(db, sender))
  if (known === undefined) {
    const witnessed = (await witness?.nonceOf(signer.address)) ?? onChain
    if (witnessed !== onChain) throw new ForeignNonce(`one source has ${onChain} transactions of the hot wallet, the other ${witnessed}`)
    await lease.inTransaction((tx) =>
      tx
        .insertInto('hot_wallet')
        .values({ chain_id: BigInt(rules.chainId), address: signer.address, next_nonce: BigInt(onChain) })
        .execute(),
    )
    return onChain
  }
  if (onChain > known) throw new ForeignNonce(`the chain has ${onChain} transactions of the hot wallet, this database signed ${known}`)
  return known
}
