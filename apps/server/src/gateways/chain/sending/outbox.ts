import { isRecent } from '../../../platform/runtime/clock.ts'
import type { MinedTransaction, WalletNode } from '../chain-node.ts'
import { finalBlockOf } from '../finality.ts'
import { beats, readContent, RESEND_AFTER_MS, type TransferContent } from './transfer-order.ts'

/** Signed transaction of a platform wallet, as the database stores it. */
export interface StoredTransaction {
  hash: string
  raw: string
  gasPrice: bigint
  madeAt: Date
  sentAt: Date | null
}

/**
 * Returns the newest of the transactions with one nonce, which has the highest fee, if it must be sent: a new one at once, an older one again,
 * because a time-out does not show whether the node has accepted it.
 */
export function dueTransaction<T extends StoredTransaction>(transactions: readonly T[], now: Date): T | undefined {
  const last = transactions.at(-1)
  return last === undefined || (last.sentAt !== null && isRecent(last.sentAt, now, RESEND_AFTER_MS)) ? undefined : last
}

/** Returns the price of a replacement, in wei per gas unit: the market price, but at least what nodes require. */
export const replacementPrice = (last: bigint, market: bigint): bigint => (market > beats(last) ? market : beats(last))

/** Returns the receipts of all transactions by hash, with null for those in no block. */
export async function receiptsOf(
  node: WalletNode,
  open: readonly { transactions: readonly StoredTransaction[] }[],
): Promise<Map<string, MinedTransaction | null>> {
  const hashes = open.flatMap(({ transactions }) => transactions.map(({ hash }) => hash))
  const answers = await node.receipts(hashes)
  return new Map(hashes.map((hash, index) => [hash, answers[index] ?? null]))
}

/** Thrown if a transaction is none that the product made, or cannot be recorded yet. */
export class NotAdopted extends Error {}

/** Transaction to adopt, with the chain that has it. */
export interface AdoptedTransaction {
  node: WalletNode
  chainId: number
  hash: string
  /** Minimum blocks until a transaction is final. Defaults to 12. */
  confirmations?: number | undefined
}

/** Signed transaction that a node has. */
export interface FoundTransaction {
  chainId: number
  hash: string
  from: string
  nonce: number
  raw: string
  gasPrice: bigint
  /** Receipt of the transaction, null while it is pending, and true if its block is final. */
  mined: MinedTransaction | null
  isFinal: boolean
  /** Undefined if the product makes no such transaction. */
  content: TransferContent | undefined
}

/**
 * Reads a transaction that this database may lack, for example after the restore of an old backup.
 * @throws NotAdopted if the node belongs to another chain or does not have the transaction; NodeUnavailable, NodeError
 */
export async function findTransaction({ node, chainId, hash, confirmations }: AdoptedTransaction): Promise<FoundTransaction> {
  if ((await node.chainId()) !== chainId) throw new NotAdopted('the node belongs to another chain')
  const known = await node.transaction(hash)
  const [mined = null] = await node.receipts([hash])
  if (known === null) throw new NotAdopted('the node has no such transaction, neither in a block nor pending')
  const isFinal = mined !== null && mined.block <= (await finalBlockOf(node, confirmations))
  return { ...known, chainId, hash, mined, isFinal, content: readContent(known.raw) }
}
