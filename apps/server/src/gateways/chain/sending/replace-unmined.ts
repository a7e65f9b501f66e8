import type { Tx } from '../../../platform/db/database.ts'
import { NodeError, NodeUnavailable } from '../rpc.ts'
import { type Owner, type Purpose, type StoredTransaction, storeTransactions, type Transactions, type Worker } from './outbox.ts'
import { minReplacementFee, COIN_GAS, GAS_LIMIT, type SignedOrder, type TransferOrder } from './transfer-order.ts'

/** Owner whose transactions are in no block, oldest transaction first. */
export interface Unmined extends Transactions {
  wallet: string
  nonce: number
}

/** Content of an order: a token transfer, native coin, or neither for a cancellation. */
type Content = Pick<TransferOrder, 'transfer' | 'coin'>

/** Why an unmined owner gets no replacement now. */
export type NotReplaced =
  /** A transaction pays the market price. It is only sent again. */
  | { why: 'fee suffices' }
  | { why: 'price above maximum' }
  | { why: 'not signed' }
  /** The wallet lacks this amount of native coin, in wei, at the market price in wei per gas unit. */
  | { why: 'no gas'; missing: bigint; market: bigint }

/** Worker with its gas rules. */
interface Replacer extends Worker {
  rules: { chainId: number; maxGasPrice: bigint }
}

/** What payouts and token sweeps do differently. */
export interface Replacing<T> {
  /** Age in ms from which an unmined transaction is replaced. */
  stuckMs: number
  ownerOf(unmined: T): Owner
  /** Purpose that the next transaction must have. A transaction with another purpose is replaced at once. */
  purposeOf(unmined: T): Purpose
  /** Content to sign; undefined if the row does not match its approval and is not signed again. */
  contentOf(unmined: T): Promise<Content | undefined>
  sign(unmined: T, order: TransferOrder): Promise<SignedOrder>
  /** Locks the row, in the transaction that stores the replacement. Returns false if a replacement is not needed any more. */
  lock(tx: Tx, unmined: T): Promise<boolean>
  /** Handles an owner without replacement. Returns the number of other signed transactions. */
  onNotReplaced(unmined: T, reason: NotReplaced): Promise<number>
}

/**
 * Replaces unmined transactions by dearer ones with the same nonce, so that the chain mines at most one. If a transaction pays the market
 * price, no replacement is signed; otherwise the fee would grow up to the maximum while a node drops the transactions. A call that the
 * node refuses skips only the owners of its wallet.
 * @returns the number of signed transactions
 * @throws NodeUnavailable
 */
export async function replaceUnmined<T extends Unmined>(replacer: Replacer, open: readonly T[], replacing: Replacing<T>): Promise<number> {
  const { deps, node } = replacer
  const stuckBefore = deps.clock.now().getTime() - replacing.stuckMs
  const due = open.filter((unmined) => {
    const last = unmined.transactions.at(-1)
    return last !== undefined && (last.madeAt.getTime() <= stuckBefore || last.purpose !== replacing.purposeOf(unmined))
  })
  if (due.length === 0) return 0
  const market = await node.gasPrice()
  const balances = new Map<string, Promise<bigint>>()
  let signed = 0
  for (const unmined of due) {
    try {
      // Reads each balance by a call of its own, because a refused call ends its whole batch.
      const balance = balances.get(unmined.wallet) ?? node.nativeBalanceOf(unmined.wallet)
      balances.set(unmined.wallet, balance)
      signed += await replaceOne(replacer, unmined, { ...replacing, market, coins: await balance })
    } catch (error) {
      if (!(error instanceof NodeError)) throw error
      deps.log.error({ owner: unmined.label, wallet: unmined.wallet, nonce: unmined.nonce }, error.message)
    }
  }
  return signed
}

async function replaceOne<T extends Unmined>(
  { lease, deps, rules: { chainId, maxGasPrice } }: Replacer,
  unmined: T,
  { market, coins, ...replacing }: Replacing<T> & { market: bigint; coins: bigint },
): Promise<number> {
  const { wallet: from, nonce, transactions } = unmined
  const content = await replacing.contentOf(unmined)
  const last = transactions.at(-1)
  if (content === undefined || last === undefined) return 0
  const purpose = replacing.purposeOf(unmined)
  const costAt = (price: bigint) => (content.coin === undefined ? GAS_LIMIT * price : content.coin.amount + COIN_GAS * price)
  const suffices = (one: StoredTransaction) => one.purpose === purpose && one.gasPrice >= market
  if (transactions.some((one) => suffices(one) && costAt(one.gasPrice) <= coins))
    return replacing.onNotReplaced(unmined, { why: 'fee suffices' })
  const gasPrice = suffices(last) ? last.gasPrice : replacementPrice(last.gasPrice, market)
  if (gasPrice > maxGasPrice) return replacing.onNotReplaced(unmined, { why: 'price above maximum' })
  const missing = costAt(gasPrice) - coins
  if (missing > 0n) return replacing.onNotReplaced(unmined, { why: 'no gas', missing, market })
  let order: SignedOrder
  try {
    order = await replacing.sign(unmined, { chainId, from, nonce, gasPrice, ...content })
  } catch (error) {
    if (error instanceof NodeUnavailable) throw error
    deps.log.error({ err: error, owner: unmined.label, wallet: from, nonce }, 'the signer does not sign a replacement')
    return replacing.onNotReplaced(unmined, { why: 'not signed' })
  }
  return lease.inTransaction(async (tx) => {
    if (!(await replacing.lock(tx, unmined))) return 0
    return storeTransactions(tx, [{ ...order, ...replacing.ownerOf(unmined), purpose, gasPrice, madeAt: deps.clock.now() }])
  })
}

/** Returns the price of a replacement, in wei per gas unit: the market price, but at least what nodes require. */
const replacementPrice = (last: bigint, market: bigint): bigint => (market > minReplacementFee(last) ? market : minReplacementFee(last))
