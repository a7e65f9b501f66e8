import * as v from 'valibot'
import { finalizedOf } from '../finality.ts'
import { readSigned } from './transfer-order.ts'
import { balanceCall, hex, quantity, shaped, hexInteger, wide } from '../node-answers.ts'
import { decodeTransfer, type TokenTransfer } from '../transfer-log.ts'
import { connectAll, connectNode, NodeUnavailable, NodeError } from '../rpc.ts'

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

/** Node queries for sending payouts. Every call throws NodeUnavailable or NodeError without a usable answer. */
export interface WalletNode {
  chainId(): Promise<number>
  /** Returns the head's number. */
  head(): Promise<number>
  /** Returns the newest finalized block number, or null if the node does not support the tag. */
  finalized(): Promise<number | null>
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

const log = v.object({ address: hex, topics: v.array(hex), data: hex })
const receipt = v.object({
  transactionHash: hex,
  status: hex,
  blockNumber: hexInteger,
  blockHash: hex,
  gasUsed: wide,
  effectiveGasPrice: v.optional(wide),
  logs: v.array(log),
})

export function walletNode(url: string, timeoutMs?: number): WalletNode {
  const [ask, askAll] = [connectNode(url, timeoutMs), connectAll(url, timeoutMs)]
  const one = async <S extends v.GenericSchema>(schema: S, method: string, ...params: unknown[]) =>
    shaped(schema, (await ask([{ method, params }]))[0])
  return {
    chainId: () => one(hexInteger, 'eth_chainId'),
    head: () => one(hexInteger, 'eth_blockNumber'),
    finalized: async () => (await finalizedOf(ask, v.nullable(v.object({ number: hexInteger }))))?.number ?? null,
    async blockHashes(numbers) {
      const answers = await ask(numbers.map((number) => ({ method: 'eth_getBlockByNumber', params: [quantity(number), false] })))
      return answers.map((answer, index) => {
        const found = shaped(v.nullable(v.object({ number: hexInteger, hash: hex })), answer)
        if (found !== null && found.number !== numbers[index]) throw new NodeUnavailable('the node answered with another block')
        return found?.hash ?? null
      })
    },
    nonceOf: (address, block) => one(hexInteger, 'eth_getTransactionCount', address, block === undefined ? 'latest' : quantity(block)),
    async pendingNonceOf(address) {
      const tags = ['pending', 'latest'].map((tag) => ({ method: 'eth_getTransactionCount', params: [address, tag] }))
      const answers = (await askAll(tags)).flat().filter((answer) => !(answer instanceof NodeError))
      if (answers.length === 0) throw new NodeUnavailable('no node counts the transactions of a wallet')
      return Math.max(...answers.map((answer) => shaped(hexInteger, answer)))
    },
    gasPrice: () => one(wide, 'eth_gasPrice'),
    nativeBalanceOf: (address) => one(wide, 'eth_getBalance', address, 'latest'),
    async nativeBalancesOf(addresses) {
      const answers = await ask(addresses.map((address) => ({ method: 'eth_getBalance', params: [address, 'latest'] })))
      return answers.map((answer) => shaped(wide, answer))
    },
    tokenOf: (token, address) => one(wide, 'eth_call', balanceCall(token, address), 'latest'),
    async tokensOf(token, addresses, block) {
      const tag = block === undefined ? 'latest' : quantity(block)
      const answers = await ask(addresses.map((address) => ({ method: 'eth_call', params: [balanceCall(token, address), tag] })))
      return answers.map((answer) => shaped(wide, answer))
    },
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
    async receipts(hashes) {
      const answers = await ask(hashes.map((hash) => ({ method: 'eth_getTransactionReceipt', params: [hash] })))
      return answers.map((answer, index) => minedOf(hashes[index] ?? '', answer))
    },
  }
}

const sentOf = (answer: unknown): Sent => (answer instanceof NodeError ? rejectionOf(answer.message) : 'taken')

/** Matches error texts of geth, its forks and anvil. */
function rejectionOf(text: string): Sent {
  if (/already (known|imported)|known transaction/i.test(text)) return 'taken'
  if (/nonce (is )?too low|nonce has already been used/i.test(text)) return 'nonce used'
  if (/underpriced/i.test(text)) return 'underpriced'
  if (/insufficient funds/i.test(text)) return 'no gas'
  return { refused: text }
}

function minedOf(hash: string, answer: unknown): MinedTransaction | null {
  const found = shaped(v.nullable(receipt), answer)
  if (found === null) return null
  if (found.transactionHash !== hash) throw new NodeUnavailable('the node answered with another receipt')
  return {
    succeeded: found.status === '0x1',
    block: found.blockNumber,
    blockHash: found.blockHash,
    gasUsed: found.gasUsed,
    gasPrice: found.effectiveGasPrice ?? 0n,
    transfers: found.logs.flatMap((one) => decodeTransfer(one) ?? []),
  }
}
