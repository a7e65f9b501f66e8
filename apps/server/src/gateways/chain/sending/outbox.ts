/**
 * Outbox of the platform's wallets: stores signed transactions, sends them until they are mined, and reads their result from every source.
 * Payouts and token sweeps use it. An owner is a row whose transactions have one nonce, so that the chain mines at most one.
 */
import { isDeepStrictEqual } from 'node:util'
import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../../platform/db/database.ts'
import { isRecent } from '../../../platform/runtime/clock.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import type { MinedTransaction, Sent, WalletNode } from '../chain-node.ts'
import type { WatchLease } from '../chain-watch.types.ts'
import { finalBlockOf } from '../finality.ts'
import { type Sources, sourcesOf } from './sources.ts'
import { GAS_LIMIT, readContent, RESEND_AFTER_MS, type SignedOrder, type TransferContent } from './transfer-order.ts'

/** What a transaction does with the nonce of its owner. */
export type Purpose = 'PAYMENT' | 'CANCEL'

/** Signed transaction of a platform wallet, as the database stores it. */
export interface StoredTransaction {
  hash: string
  raw: string
  purpose: Purpose
  gasPrice: bigint
  madeAt: Date
  sentAt: Date | null
}

/** Open owner, with its transactions, oldest first. */
export interface Transactions {
  /** Name of the owner in the log, such as `payout aB3`. */
  label: string
  transactions: readonly StoredTransaction[]
}

/** Worker with its lease and sources. */
export interface Worker extends Sources {
  lease: WatchLease
  deps: Deps
}

/** Row of an open owner, with its transactions as JSON. */
export interface TransactionsRow {
  transactions: (Omit<StoredTransaction, 'gasPrice' | 'madeAt' | 'sentAt'> & { gasPrice: string; madeAt: string; sentAt: string | null })[]
}

/** SQL: the transactions of an owner, oldest first, for `readTransactions`. */
export const transactionsSql = (owner: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  (select jsonb_agg(jsonb_build_object('hash', t.hash, 'raw', t.raw, 'purpose', t.purpose, 'gasPrice', t.gas_price::text,
    'madeAt', t.made_at, 'sentAt', t.sent_at) order by t.made_at, t.gas_price) from signed_transaction t where ${owner}) as transactions`

export const readTransactions = ({ transactions }: TransactionsRow): StoredTransaction[] =>
  transactions.map((one) => ({
    ...one,
    gasPrice: BigInt(one.gasPrice),
    madeAt: new Date(one.madeAt),
    sentAt: one.sentAt === null ? null : new Date(one.sentAt),
  }))

/** Owner of transactions: a payout by the id of its request, or a move. */
export type Owner = { requestId: bigint } | { moveId: bigint }

/** Signed transaction to store, with its owner. */
export type NewTransaction = SignedOrder & { purpose?: Purpose; gasPrice: bigint; madeAt: Date } & Owner

/** Stores signed transactions before they are sent. @returns the number of those that were not stored yet */
export async function storeTransactions(tx: Tx, transactions: readonly NewTransaction[]): Promise<number> {
  const rows = transactions.map(({ hash, raw, purpose = 'PAYMENT', gasPrice, madeAt, ...owner }) => ({
    hash,
    ...('moveId' in owner ? { move_id: owner.moveId } : { request_id: owner.requestId }),
    purpose,
    raw,
    gas_price: String(gasPrice),
    made_at: madeAt,
  }))
  const stored = await tx
    .insertInto('signed_transaction')
    .values(rows)
    .onConflict((same) => same.column('hash').doNothing())
    .executeTakeFirst()
  return Number(stored.numInsertedOrUpdatedRows ?? 0n)
}

/** Owner with a transaction that was sent, and the node's answer. */
export interface SentOf<T> {
  owner: T
  transaction: StoredTransaction
  sent: Sent
}

/**
 * Sends the newest transaction of each owner, which has the highest fee. A new one is sent at once. An older one is sent again, because a
 * time-out does not show whether the node has accepted it. If the wallet cannot pay it, the cheaper ones of the same purpose are sent.
 * @param onSent runs in the transaction that records the time of sending
 * @returns the number of sent transactions
 * @throws NodeUnavailable, NodeError
 */
export async function sendDue<T extends Transactions>(
  { lease, deps, node }: Worker,
  open: readonly T[],
  onSent: (tx: Tx, results: readonly SentOf<T>[]) => Promise<void> | void,
): Promise<number> {
  const now = deps.clock.now()
  const due = open.flatMap((owner) => {
    const transaction = owner.transactions.at(-1)
    const isDue = transaction !== undefined && !(transaction.sentAt !== null && isRecent(transaction.sentAt, now, RESEND_AFTER_MS))
    return isDue ? [{ owner, transaction }] : []
  })
  if (due.length === 0) return 0
  const answers = await node.send(due.map(({ transaction }) => transaction.raw))
  const results = due.map((one, index) => ({ ...one, sent: answers[index] ?? 'taken' }))
  const unpaid = results.filter(({ sent }) => sent === 'no gas')
  const cheaper = unpaid.flatMap(({ owner, transaction: { purpose } }) =>
    owner.transactions.slice(0, -1).filter((one) => one.purpose === purpose),
  )
  if (cheaper.length > 0) await node.send(cheaper.toReversed().map(({ raw }) => raw))
  await lease.inTransaction(async (tx) => {
    const hashes = due.map(({ transaction }) => transaction.hash)
    await tx.updateTable('signed_transaction').set({ sent_at: now }).where('hash', 'in', hashes).execute()
    await onSent(tx, results)
  })
  return results.length
}

/** Records block and gas of an owner's transaction. @returns false if both are known */
export async function recordMined(tx: Tx, owner: Owner, { transaction: { hash }, mined }: MinedResult): Promise<boolean> {
  const [column, id] = 'moveId' in owner ? (['move_id', owner.moveId] as const) : (['request_id', owner.requestId] as const)
  const { block, blockHash, gasUsed, gasPrice } = mined
  const gasPaid = String(gasUsed * gasPrice)
  const recorded = await tx
    .updateTable('signed_transaction')
    .set({ block: BigInt(block), block_hash: blockHash, gas_used: gasUsed, gas_paid: gasPaid })
    .where('hash', '=', hash)
    .where(({ eb, or }) =>
      or([eb('block_hash', 'is distinct from', blockHash), eb('gas_used', '<>', gasUsed), eb('gas_paid', '<>', gasPaid)]),
    )
    .executeTakeFirst()
  if (recorded.numUpdatedRows === 0n) return false
  // Clears block and gas of a transaction mined before a reorganisation, because a nonce is used only once.
  await tx
    .updateTable('signed_transaction')
    .set(IN_NO_BLOCK)
    .where(column, '=', id)
    .where('hash', '<>', hash)
    .where('block', 'is not', null)
    .execute()
  return true
}

/** Records that no transaction of a payout is in a block any more. The newest one is then sent again. */
export async function recordUnmined(tx: Tx, requestId: bigint): Promise<void> {
  await tx
    .updateTable('signed_transaction')
    .set({ ...IN_NO_BLOCK, sent_at: null })
    .where('request_id', '=', requestId)
    .execute()
}

const IN_NO_BLOCK = { block: null, block_hash: null, gas_used: null, gas_paid: null } as const

/** Replaces receivers in the transactions of payouts, when their member is erased. */
export async function replaceReceivers(tx: Tx, replaced: readonly { id: bigint; before: string; after: string }[]): Promise<void> {
  const [ids, before, after] = [replaced.map(({ id }) => id), replaced.map((one) => one.before), replaced.map((one) => one.after)]
  await sql`
    update signed_transaction t set raw = replace(t.raw, substr(n.before, 3), substr(n.after, 3))
    from unnest(${ids}::bigint[], ${before}::text[], ${after}::text[]) n (id, before, after) where t.request_id = n.id`.execute(tx)
}

/** Mined transaction of an owner. */
export interface MinedResult {
  transaction: StoredTransaction
  mined: MinedTransaction
}

/** Shown for an impossible receipt. Such a receipt does not settle its owner and delays no other one. */
export const IMPOSSIBLE_RECEIPT = 'the node reports more gas than signed'

/** What the chain has of an owner: `odd` for an impossible receipt, undefined if no transaction is mined. */
interface ChainResult<T> {
  owner: T
  found: MinedResult | 'odd' | undefined
  /** Returns true if every source confirms the receipt. */
  isFinal(): Promise<boolean>
}

/**
 * Reads the results of open owners from the node.
 * @param confirmations minimum blocks until a transaction is final. Defaults to 12
 * @throws NodeUnavailable, NodeError
 */
export async function readResults<T extends Transactions>(
  worker: Worker,
  open: readonly T[],
  confirmations?: number,
): Promise<ChainResult<T>[]> {
  const hashes = open.flatMap(({ transactions }) => transactions.map(({ hash }) => hash))
  const answers = await worker.node.receipts(hashes)
  const receipts = new Map(hashes.map((hash, index) => [hash, answers[index] ?? undefined]))
  const final = await finalBlockOf(worker.node, confirmations)
  return open.map((owner) => {
    const transaction = owner.transactions.find(({ hash }) => receipts.get(hash) !== undefined)
    const mined = transaction && receipts.get(transaction.hash)
    if (transaction === undefined || mined === undefined) return { owner, found: undefined, isFinal: () => Promise.resolve(false) }
    const found = { transaction, mined }
    const isOdd = !isPossible(mined, transaction.gasPrice)
    if (isOdd) worker.deps.log.error({ owner: owner.label, hash: transaction.hash }, IMPOSSIBLE_RECEIPT)
    return {
      owner,
      found: isOdd ? 'odd' : found,
      isFinal: async () => !isOdd && mined.block <= final && isFinalEverywhere(worker, found, confirmations),
    }
  })
}

/** Returns false if the receipt reports more gas than signed. */
export const isPossible = ({ gasUsed, gasPrice }: MinedTransaction, signedPrice: bigint): boolean =>
  gasUsed <= GAS_LIMIT && gasPrice <= signedPrice

/** Returns true if the transaction succeeded with exactly this transfer. */
export const hasTransfer = (
  { succeeded, transfers }: MinedTransaction,
  { token, wallet, to, amount }: { token: string; wallet: string; to: string; amount: bigint },
): boolean =>
  succeeded && transfers.some((made) => made.token === token && made.from === wallet && made.to === to && made.amount === amount)

/**
 * Returns true if a receipt is final in the current chain of every source, with the same result and transfers. A single node with invented
 * blocks or missing transfers therefore settles nothing.
 */
async function isFinalEverywhere(sources: Sources, { transaction, mined }: MinedResult, confirmations?: number): Promise<boolean> {
  for (const source of sourcesOf(sources)) {
    const [receipt] = await source.receipts([transaction.hash])
    const [blockHash] = await source.blockHashes([mined.block])
    if (receipt === null || receipt === undefined || mined.block > (await finalBlockOf(source, confirmations))) return false
    if (receipt.blockHash !== mined.blockHash || blockHash !== mined.blockHash || receipt.succeeded !== mined.succeeded) return false
    if (!isDeepStrictEqual(receipt.transfers, mined.transfers)) return false
  }
  return true
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
