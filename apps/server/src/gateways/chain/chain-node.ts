import * as v from 'valibot'
import {
  balanceCall,
  decodeTransfer,
  hex,
  hexInteger,
  hexOf,
  unreadableAnswer,
  quantity,
  parseAnswer,
  type TokenTransfer,
  TRANSFER,
  hexBigInt,
} from './node-answers.ts'
import { connectAll, connectNode, NodeUnavailable, NodeError } from './rpc.ts'
import type { Token } from './chain.ts'
import { readSigned } from './sending/transfer-order.ts'

/** First four bytes of `decimals()`. */
const DECIMALS = '0x313ce567'

export interface Header {
  number: number
  hash: string
  parentHash: string
  time: Date
}

/** Token transfer with its position in the chain. */
export interface TokenLog extends TokenTransfer {
  txHash: string
  block: number
  blockHash: string
  logIndex: number
}

export interface Receipt {
  succeeded: boolean
  blockHash: string
  transfers: TokenLog[]
}

/** Balance to read: the head's, or that after a block. */
export interface BalanceQuery {
  token: string
  address: string
  block?: number | undefined
}

/** Queries of the watcher. Every call throws NodeUnavailable or NodeError without a usable answer. */
export interface EvmNode {
  chainId(): Promise<number>
  decimals(token: string): Promise<number>
  head(): Promise<Header>
  /** Returns the newest finalized block, or null if the node does not support the tag. */
  finalized(): Promise<Header | null>
  /** Returns null for blocks unknown to the node. */
  headers(numbers: readonly number[]): Promise<(Header | null)[]>
  transfers(tokens: readonly string[], range: { from: number; to: number }): Promise<TokenLog[]>
  /** Returns token balances in the smallest unit, at the head or at a block. */
  balances(queries: readonly BalanceQuery[]): Promise<bigint[]>
  /** Returns the number of transactions that each address has sent. */
  nonces(addresses: readonly string[]): Promise<bigint[]>
  /** Returns true for addresses that hold a token or have sent a transaction. */
  used(tokens: readonly string[], addresses: readonly string[]): Promise<boolean[]>
  /** Returns receipts by transaction, with null for transactions unknown to the node. */
  receipts(txHashes: readonly string[], tokens: readonly string[]): Promise<(Receipt | null)[]>
}

/** Result of sending a transaction to a node. */
export type Sent =
  /** The node has the transaction. */
  | 'taken'
  /** The nonce is used, by this transaction, by another transaction of the same payout, or by an unknown one. */
  | 'nonce used'
  /** The fee does not beat the pending transaction with this nonce. */
  | 'underpriced'
  /** The wallet has too little native coin. */
  | 'no gas'
  /** Any other refusal, in the node's words. */
  | { refused: string }

export interface MinedTransaction {
  succeeded: boolean
  block: number
  blockHash: string
  gasUsed: bigint
  gasPrice: bigint
  transfers: TokenTransfer[]
}

/** Queries of the jobs that sign and send transactions. Every call throws NodeUnavailable or NodeError without a usable answer. */
export interface WalletNode {
  chainId(): Promise<number>
  head(): Promise<Pick<Header, 'number'>>
  /** Returns the newest finalized block, or null if the node does not support the tag. */
  finalized(): Promise<Pick<Header, 'number'> | null>
  /** Returns block hashes by number, with null for unknown blocks. */
  blockHashes(numbers: readonly number[]): Promise<(string | null)[]>
  /** Returns the next nonce: the address's transaction count at the head or at a block. */
  nonceOf(address: string, block?: number): Promise<number>
  /** Returns the highest next nonce over all configured nodes, with the transactions in their pools. A node without pool counts blocks. */
  pendingNonceOf(address: string): Promise<number>
  /** Returns wei per gas unit. */
  gasPrice(): Promise<bigint>
  /** Returns the native balance in wei. */
  nativeBalanceOf(address: string): Promise<bigint>
  /** Returns the native balances of several addresses in wei. */
  nativeBalancesOf(addresses: readonly string[]): Promise<bigint[]>
  /** Returns the token balance in its smallest unit. */
  tokenOf(token: string, address: string): Promise<bigint>
  /** Returns token balances at several addresses, in the smallest unit: at the head or at a block. */
  tokensOf(token: string, addresses: readonly string[], block?: number): Promise<bigint[]>
  /** Sends transactions to every configured node. */
  send(raws: readonly string[]): Promise<Sent[]>
  /** Returns the signed transaction, with the sender from its signature, or null if unknown. */
  transaction(hash: string): Promise<{ raw: string; from: string; nonce: number; gasPrice: bigint } | null>
  /** Returns receipts, with null for unmined transactions. */
  receipts(hashes: readonly string[]): Promise<(MinedTransaction | null)[]>
}

const header = v.object({ number: hexInteger, hash: hex, parentHash: hex, timestamp: hexInteger })
const receipt = v.object({
  transactionHash: hex,
  status: hex,
  blockNumber: hexInteger,
  blockHash: hex,
  gasUsed: hexBigInt,
  effectiveGasPrice: v.optional(hexBigInt),
  logs: v.array(v.unknown()),
})

/**
 * Connects to a node, for the watcher and for the jobs that send.
 * @param url JSON-RPC addresses, separated by commas; reads fail over, and a signed transaction goes to every node
 */
export function chainNode(url: string, timeoutMs?: number): EvmNode & WalletNode {
  const [ask, askAll] = [connectNode(url, timeoutMs), connectAll(url, timeoutMs)]
  const one = async <S extends v.GenericSchema>(schema: S, method: string, ...params: unknown[]) =>
    parseAnswer(schema, (await ask([{ method, params }]))[0])
  const headers = async (numbers: readonly number[]) => {
    const answers = await ask(numbers.map((number) => ({ method: 'eth_getBlockByNumber', params: [quantity(number), false] })))
    return answers.map((answer, index) => {
      const found = parseAnswer(v.nullable(header), answer)
      if (found !== null && found.number !== numbers[index]) throw new NodeUnavailable('the node answered with another block')
      return found === null ? null : headerOf(found)
    })
  }
  const balances = async (queries: readonly BalanceQuery[]) => {
    const tagOf = (block: number | undefined) => (block === undefined ? 'latest' : quantity(block))
    const answers = await ask(
      queries.map(({ token, address, block }) => ({ method: 'eth_call', params: [balanceCall(token, address), tagOf(block)] })),
    )
    return answers.map((answer) => parseAnswer(hexBigInt, answer))
  }
  return {
    headers,
    balances,
    chainId: () => one(hexInteger, 'eth_chainId'),
    decimals: (token) => one(hexInteger, 'eth_call', { to: token, data: DECIMALS }, 'latest'),
    head: async () => headerOf(await one(header, 'eth_getBlockByNumber', 'latest', false)),
    async finalized() {
      try {
        const found = await one(v.nullable(header), 'eth_getBlockByNumber', 'finalized', false)
        return found === null ? null : headerOf(found)
      } catch (error) {
        if (error instanceof NodeError) return null
        throw error
      }
    },
    blockHashes: async (numbers) => (await headers(numbers)).map((found) => found?.hash ?? null),
    async transfers(tokens, { from, to }) {
      const wanted = { address: tokens, fromBlock: quantity(from), toBlock: quantity(to), topics: [TRANSFER] }
      const logs = transfersIn(await one(v.array(v.unknown()), 'eth_getLogs', wanted), tokens)
      if (logs.some(({ block }) => block < from || block > to)) throw new NodeUnavailable('the node answered with other blocks')
      return logs
    },
    async nonces(addresses) {
      const answers = await ask(addresses.map((address) => ({ method: 'eth_getTransactionCount', params: [address, 'latest'] })))
      return answers.map((answer) => parseAnswer(hexBigInt, answer))
    },
    async used(tokens, addresses) {
      const calls = addresses.flatMap((address) => [
        { method: 'eth_getTransactionCount', params: [address, 'latest'] },
        ...tokens.map((token) => ({ method: 'eth_call', params: [balanceCall(token, address), 'latest'] })),
      ])
      const answers = (await ask(calls)).map((answer) => parseAnswer(hexBigInt, answer) > 0n)
      const width = tokens.length + 1
      return addresses.map((_, index) => answers.slice(index * width, (index + 1) * width).includes(true))
    },
    async receipts(hashes: readonly string[], tokens?: readonly string[]) {
      const answers = await ask(hashes.map((hash) => ({ method: 'eth_getTransactionReceipt', params: [hash] })))
      return answers.map((answer, index) => receiptOf(hashes[index] ?? '', answer, tokens))
    },
    nonceOf: (address, block) => one(hexInteger, 'eth_getTransactionCount', address, block === undefined ? 'latest' : quantity(block)),
    async pendingNonceOf(address) {
      const tags = ['pending', 'latest'].map((tag) => ({ method: 'eth_getTransactionCount', params: [address, tag] }))
      const answers = (await askAll(tags)).flat().filter((answer) => !(answer instanceof NodeError))
      if (answers.length === 0) throw new NodeUnavailable('no node counts the transactions of a wallet')
      return Math.max(...answers.map((answer) => parseAnswer(hexInteger, answer)))
    },
    gasPrice: () => one(hexBigInt, 'eth_gasPrice'),
    nativeBalanceOf: (address) => one(hexBigInt, 'eth_getBalance', address, 'latest'),
    async nativeBalancesOf(addresses) {
      const answers = await ask(addresses.map((address) => ({ method: 'eth_getBalance', params: [address, 'latest'] })))
      return answers.map((answer) => parseAnswer(hexBigInt, answer))
    },
    tokenOf: (token, address) => one(hexBigInt, 'eth_call', balanceCall(token, address), 'latest'),
    tokensOf: (token, addresses, block) => balances(addresses.map((address) => ({ token, address, block }))),
    async send(raws) {
      const answersByNode = await askAll(raws.map((raw) => ({ method: 'eth_sendRawTransaction', params: [raw] })))
      // A transaction counts as sent if any node has it.
      return raws.map((_, index) => {
        const sent = answersByNode.map((answers) => sentOf(answers[index]))
        return sent.includes('taken') ? 'taken' : (sent[0] ?? 'taken')
      })
    },
    async transaction(hash) {
      const raw = await one(v.nullable(hex), 'eth_getRawTransactionByHash', hash)
      if (raw === null || raw === '0x') return null
      const read = readSigned(raw)
      if (read.hash !== hash) throw new NodeUnavailable('the node answered with another transaction')
      return read
    },
  }
}

/** Thrown if a node serves another chain or token than configured. */
export class WrongChain extends Error {}

/** @throws WrongChain on another chain id */
export async function assertChainId(node: Pick<WalletNode, 'chainId'>, chainId: number): Promise<void> {
  const answered = await node.chainId()
  if (answered !== chainId) throw new WrongChain(`the node belongs to chain ${answered}, not ${chainId}`)
}

/**
 * Checks the node's chain and the decimals of its tokens.
 * @throws WrongChain on another chain id, or other decimals
 */
export async function assertChain(node: EvmNode, is: { chainId: number; tokens: readonly Token[] }): Promise<void> {
  await assertChainId(node, is.chainId)
  for (const { address, decimals } of is.tokens) {
    const has = await node.decimals(address)
    if (has !== decimals) throw new WrongChain(`the token has ${has} decimals, not ${decimals}`)
  }
}

/** Returns true if a node rejects a block range as too wide. */
export const isTooWide = (error: unknown): boolean =>
  error instanceof NodeError && /range|limit|too (large|many)|exceed|time-?out|more than/i.test(error.message)

const sentOf = (answer: unknown): Sent => (answer instanceof NodeError ? rejectionOf(answer.message) : 'taken')

/** Matches error texts of geth, its forks and anvil. */
function rejectionOf(text: string): Sent {
  if (/already (known|imported)|known transaction/i.test(text)) return 'taken'
  if (/nonce (is )?too low|nonce has already been used/i.test(text)) return 'nonce used'
  if (/underpriced/i.test(text)) return 'underpriced'
  if (/insufficient funds/i.test(text)) return 'no gas'
  return { refused: text }
}

function receiptOf(hash: string, answer: unknown, tokens?: readonly string[]): (Receipt & MinedTransaction) | null {
  const found = parseAnswer(v.nullable(receipt), answer)
  if (found === null) return null
  const transfers = transfersIn(found.logs, tokens)
  if (found.transactionHash !== hash || transfers.some(({ txHash }) => txHash !== hash))
    throw new NodeUnavailable('the node answered with another receipt')
  return {
    succeeded: found.status === '0x1',
    block: found.blockNumber,
    blockHash: found.blockHash,
    gasUsed: found.gasUsed,
    gasPrice: found.effectiveGasPrice ?? 0n,
    transfers,
  }
}

/**
 * Parses transfers in chain order and ignores logs of other contracts than the given tokens. Parsing is manual: a busy token emits thousands
 * of logs a second, and a schema took longer than the node.
 */
function transfersIn(logs: readonly unknown[], tokens?: readonly string[]): TokenLog[] {
  const found: TokenLog[] = []
  for (const entry of logs) {
    if (typeof entry !== 'object' || entry === null) throw unreadableAnswer()
    const { address, topics, data, blockNumber, blockHash, transactionHash, logIndex, removed } = entry as Record<string, unknown>
    if (typeof address !== 'string' || !Array.isArray(topics)) throw unreadableAnswer()
    // Skips other contracts first, which emit most logs of a receipt.
    if (tokens?.includes(address.toLowerCase()) === false || removed === true) continue
    const transfer = decodeTransfer({ address, topics, data })
    if (transfer === undefined) continue
    found.push({
      ...transfer,
      txHash: hexOf(transactionHash),
      block: numberOf(blockNumber),
      blockHash: hexOf(blockHash),
      logIndex: numberOf(logIndex),
    })
  }
  const sorted = found.toSorted((a, b) => a.block - b.block || a.logIndex - b.logIndex)
  // Rejects duplicate logs, because the ordinal counts logs and a duplicate would be credited twice.
  if (sorted.some((log, index) => log.block === sorted[index - 1]?.block && log.logIndex === sorted[index - 1]?.logIndex))
    throw unreadableAnswer()
  return sorted
}

function numberOf(value: unknown): number {
  const number = Number(hexOf(value))
  if (!Number.isSafeInteger(number)) throw unreadableAnswer()
  return number
}

const headerOf = ({ timestamp, ...rest }: v.InferOutput<typeof header>): Header => ({ ...rest, time: new Date(timestamp * 1000) })
