import * as v from 'valibot'
import { finalizedOf } from './finality.ts'
import { balanceCall, hex, nonsense, quantity, shaped, TRANSFER, hexInteger, wide } from './node-answers.ts'
import { connectNode, NodeUnavailable, NodeError } from './rpc.ts'
import type { Token } from './chain.ts'
import { decodeTransfer, hexOf, type TokenTransfer } from './transfer-log.ts'

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

/** Queries to a node. Every call throws NodeUnavailable or NodeError without a usable answer. */
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
  receipts(tokens: readonly string[], txHashes: readonly string[]): Promise<(Receipt | null)[]>
}

const header = v.object({ number: hexInteger, hash: hex, parentHash: hex, timestamp: hexInteger })
const receipt = v.object({ status: hex, blockHash: hex, logs: v.array(v.unknown()) })

export function evmNode(url: string, timeoutMs?: number): EvmNode {
  const ask = connectNode(url, timeoutMs)
  const one = async <S extends v.GenericSchema>(schema: S, method: string, ...params: unknown[]) =>
    shaped(schema, (await ask([{ method, params }]))[0])
  return {
    chainId: () => one(hexInteger, 'eth_chainId'),
    decimals: (token) => one(hexInteger, 'eth_call', { to: token, data: DECIMALS }, 'latest'),
    head: async () => headerOf(await one(header, 'eth_getBlockByNumber', 'latest', false)),
    async finalized() {
      const found = await finalizedOf(ask, v.nullable(header))
      return found === null ? null : headerOf(found)
    },
    async headers(numbers) {
      const answers = await ask(numbers.map((number) => ({ method: 'eth_getBlockByNumber', params: [quantity(number), false] })))
      return answers.map((answer, index) => {
        const found = shaped(v.nullable(header), answer)
        if (found !== null && found.number !== numbers[index]) throw new NodeUnavailable('the node answered with another block')
        return found === null ? null : headerOf(found)
      })
    },
    async transfers(tokens, { from, to }) {
      const wanted = { address: tokens, fromBlock: quantity(from), toBlock: quantity(to), topics: [TRANSFER] }
      const logs = transfersIn(await one(v.array(v.unknown()), 'eth_getLogs', wanted), tokens)
      if (logs.some(({ block }) => block < from || block > to)) throw new NodeUnavailable('the node answered with other blocks')
      return logs
    },
    async balances(queries) {
      const answers = await ask(
        queries.map(({ token, address, block }) => ({
          method: 'eth_call',
          params: [balanceCall(token, address), block === undefined ? 'latest' : quantity(block)],
        })),
      )
      return answers.map((answer) => shaped(wide, answer))
    },
    async nonces(addresses) {
      const answers = await ask(addresses.map((address) => ({ method: 'eth_getTransactionCount', params: [address, 'latest'] })))
      return answers.map((answer) => shaped(wide, answer))
    },
    async used(tokens, addresses) {
      const calls = addresses.flatMap((address) => [
        { method: 'eth_getTransactionCount', params: [address, 'latest'] },
        ...tokens.map((token) => ({ method: 'eth_call', params: [balanceCall(token, address), 'latest'] })),
      ])
      const answers = (await ask(calls)).map((answer) => shaped(wide, answer) > 0n)
      const width = tokens.length + 1
      return addresses.map((_, index) => answers.slice(index * width, (index + 1) * width).includes(true))
    },
    async receipts(tokens, txHashes) {
      const answers = await ask(txHashes.map((hash) => ({ method: 'eth_getTransactionReceipt', params: [hash] })))
      return answers.map((answer, index) => receiptOf(tokens, txHashes[index] ?? '', answer))
    },
  }
}

/** Thrown if a node serves another chain or token than configured. */
export class WrongChain extends Error {}

/**
 * Checks the node's chain and the decimals of its tokens.
 * @throws WrongChain on another chain id, or other decimals
 */
export async function assertChain(node: EvmNode, is: { chainId: number; tokens: readonly Token[] }): Promise<void> {
  const answered = await node.chainId()
  if (answered !== is.chainId) throw new WrongChain(`the node belongs to chain ${answered}, not ${is.chainId}`)
  for (const { address, decimals } of is.tokens) {
    const has = await node.decimals(address)
    if (has !== decimals) throw new WrongChain(`the token has ${has} decimals, not ${decimals}`)
  }
}

/** Returns true if a node rejects a block range as too wide. */
export const isTooWide = (error: unknown): boolean =>
  error instanceof NodeError && /range|limit|too (large|many)|exceed|time-?out|more than/i.test(error.message)

function receiptOf(tokens: readonly string[], txHash: string, answer: unknown): Receipt | null {
  const found = shaped(v.nullable(receipt), answer)
  if (found === null) return null
  const transfers = transfersIn(found.logs, tokens)
  if (transfers.some((transfer) => transfer.txHash !== txHash)) throw new NodeUnavailable('the node answered with another receipt')
  return { succeeded: found.status === '0x1', blockHash: found.blockHash, transfers }
}

/**
 * Parses the tokens' transfers in chain order and ignores logs of other contracts. Parsing is manual: a busy token emits thousands
 * of logs a second, and a schema took longer than the node.
 */
function transfersIn(logs: readonly unknown[], tokens: readonly string[]): TokenLog[] {
  const found: TokenLog[] = []
  for (const entry of logs) {
    if (typeof entry !== 'object' || entry === null) throw nonsense()
    const { address, topics, data, blockNumber, blockHash, transactionHash, logIndex, removed } = entry as Record<string, unknown>
    if (typeof address !== 'string' || !Array.isArray(topics)) throw nonsense()
    // Skips other contracts first, which emit most logs of a receipt.
    if (!tokens.includes(address.toLowerCase()) || removed === true) continue
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
  if (sorted.some((log, index) => log.block === sorted[index - 1]?.block && log.logIndex === sorted[index - 1]?.logIndex)) throw nonsense()
  return sorted
}

function numberOf(value: unknown): number {
  const number = Number(hexOf(value))
  if (!Number.isSafeInteger(number)) throw nonsense()
  return number
}

const headerOf = ({ timestamp, ...rest }: v.InferOutput<typeof header>): Header => ({ ...rest, time: new Date(timestamp * 1000) })
