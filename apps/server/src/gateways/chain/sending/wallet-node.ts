import * as v from 'valibot'
import { finalizedOf } from '../finality.ts'
import { readSigned } from './transfer-order.ts'
import { balanceCall, hex, quantity, shaped, TRANSFER, whole, wide } from '../node-answers.ts'
import { connectAll, connectNode, NodeAway, NodeRefused } from '../rpc.ts'

/** What became of a transaction that was handed to a node. */
export type Sent =
  /** The node has it, now or already. */
  | 'taken'
  /** Its nonce is used: by it, by another of the same payout, or by somebody else. */
  | 'nonce used'
  /** Its fee does not beat the one that waits on its nonce. */
  | 'underpriced'
  /** The wallet has too little of the chain's own coin. */
  | 'no gas'
  /** Anything else; the text is the node's. */
  | { refused: string }

export interface Mined {
  succeeded: boolean
  block: number
  blockHash: string
  gasUsed: bigint
  gasPrice: bigint
  /** What the token paid in it: receiver, lower case, and amount in its smallest unit. */
  transfers: { token: string; from: string; to: string; amount: bigint }[]
}

/** What is asked of a node to send payouts. Every call throws NodeAway or NodeRefused when it gave no answer that can be used. */
export interface WalletNode {
  chainId(): Promise<number>
  /** Number of the head. */
  head(): Promise<number>
  /** Number of the newest block that the node calls final; null where it knows none. */
  finalized(): Promise<number | null>
  /** Hashes of blocks by number; null where the node has none. */
  blockHashes(numbers: readonly number[]): Promise<(string | null)[]>
  /** Transactions of the address that are in blocks, up to the head or a block: the nonce that comes next. */
  nonceOf(address: string, block?: number): Promise<number>
  /** Wei for one unit of gas. */
  gasPrice(): Promise<bigint>
  /** Wei of the chain's own coin. */
  coinOf(address: string): Promise<bigint>
  /** Smallest units of the token. */
  tokenOf(token: string, address: string): Promise<bigint>
  /** Smallest units of the token at several addresses. */
  tokensOf(token: string, addresses: readonly string[]): Promise<bigint[]>
  /** Hands transactions to every configured node. */
  send(raws: readonly string[]): Promise<Sent[]>
  /** A transaction as it was signed, the sender by its signature; null where the node has none. */
  transaction(hash: string): Promise<{ raw: string; from: string; nonce: number; gasPrice: bigint } | null>
  /** Null where a transaction is in no block. */
  receipts(hashes: readonly string[]): Promise<(Mined | null)[]>
}

const log = v.object({ address: hex, topics: v.array(hex), data: hex })
const receipt = v.object({
  transactionHash: hex,
  status: hex,
  blockNumber: whole,
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
    chainId: () => one(whole, 'eth_chainId'),
    head: () => one(whole, 'eth_blockNumber'),
    finalized: async () => (await finalizedOf(ask, v.nullable(v.object({ number: whole }))))?.number ?? null,
    async blockHashes(numbers) {
      const answers = await ask(numbers.map((number) => ({ method: 'eth_getBlockByNumber', params: [quantity(number), false] })))
      return answers.map((answer, place) => {
        const found = shaped(v.nullable(v.object({ number: whole, hash: hex })), answer)
        if (found !== null && found.number !== numbers[place]) throw new NodeAway('the node answered with another block')
        return found?.hash ?? null
      })
    },
    nonceOf: (address, block) => one(whole, 'eth_getTransactionCount', address, block === undefined ? 'latest' : quantity(block)),
    gasPrice: () => one(wide, 'eth_gasPrice'),
    coinOf: (address) => one(wide, 'eth_getBalance', address, 'latest'),
    tokenOf: (token, address) => one(wide, 'eth_call', balanceCall(token, address), 'latest'),
    async tokensOf(token, addresses) {
      const answers = await ask(addresses.map((address) => ({ method: 'eth_call', params: [balanceCall(token, address), 'latest'] })))
      return answers.map((answer) => shaped(wide, answer))
    },
    async send(raws) {
      const told = await askAll(raws.map((raw) => ({ method: 'eth_sendRawTransaction', params: [raw] })))
      // One node that has it is enough.
      return raws.map((_, place) => {
        const sent = told.map((answers) => sentOf(answers[place]))
        return sent.includes('taken') ? 'taken' : (sent[0] ?? 'taken')
      })
    },
    async transaction(hash) {
      const raw = await one(v.nullable(hex), 'eth_getRawTransactionByHash', hash)
      if (raw === null || raw === '0x') return null
      const read = readSigned(raw)
      if (read.hash !== hash) throw new NodeAway('the node answered with another transaction')
      return read
    },
    async receipts(hashes) {
      const answers = await ask(hashes.map((hash) => ({ method: 'eth_getTransactionReceipt', params: [hash] })))
      return answers.map((answer, place) => minedOf(hashes[place] ?? '', answer))
    },
  }
}

const sentOf = (answer: unknown): Sent => (answer instanceof NodeRefused ? refusalOf(answer.message) : 'taken')

/** Texts of geth, its forks and anvil. */
function refusalOf(text: string): Sent {
  if (/already (known|imported)|known transaction/i.test(text)) return 'taken'
  if (/nonce (is )?too low|nonce has already been used/i.test(text)) return 'nonce used'
  if (/underpriced/i.test(text)) return 'underpriced'
  if (/insufficient funds/i.test(text)) return 'no gas'
  return { refused: text }
}

function minedOf(hash: string, answer: unknown): Mined | null {
  const found = shaped(v.nullable(receipt), answer)
  if (found === null) return null
  if (found.transactionHash !== hash) throw new NodeAway('the node answered with another receipt')
  return {
    succeeded: found.status === '0x1',
    block: found.blockNumber,
    blockHash: found.blockHash,
    gasUsed: found.gasUsed,
    gasPrice: found.effectiveGasPrice ?? 0n,
    transfers: found.logs.flatMap(({ address, topics: [kind, from, to, ...more], data }) =>
      kind !== TRANSFER || from === undefined || to === undefined || more.length > 0 || data.length < 3
        ? []
        : [{ token: address, from: addressIn(from), to: addressIn(to), amount: BigInt(data) }],
    ),
  }
}

const addressIn = (topic: string) => `0x${topic.slice(-40)}`
