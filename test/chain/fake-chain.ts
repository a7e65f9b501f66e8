import { createHash } from 'node:crypto'
import { Transaction } from 'micro-eth-signer'
import { word } from '../../apps/server/src/sandbox/chain/dev-node.ts'
import { controlChain, type TestChain } from './anvil.ts'
import { type NodeCall, serveInProcess } from './in-process-nodes.ts'

/** Transaction in the pool or in a block. Addresses are in lower case. */
interface FakeTransaction {
  hash: string
  raw: string
  from: string
  to: string
  nonce: number
  value: bigint
  input: string
  gasLimit: bigint
  gasPrice: bigint
}

interface Log {
  address: string
  topics: string[]
  data: string
}

/** Parameters of `eth_sendTransaction`. */
interface TransactionRequest {
  from: string
  to: string
  value?: string
  data?: string
  gas?: string
}

/** Filter of `eth_getLogs`; an omitted address or topic matches all. */
interface LogFilter {
  address?: string | string[]
  fromBlock: string
  toBlock: string
  topics?: (string | string[] | null)[]
}

interface FakeBlock {
  number: string
  hash: string
  parentHash: string
  timestamp: string
  mined: { transaction: FakeTransaction; succeeded: boolean; logs: Log[] }[]
  /** State after the block. */
  state: State
}

/** Amounts of native coin and tokens, and numbers of transactions. */
interface State {
  coins: Map<string, bigint>
  nonces: Map<string, number>
  /** By contract and holder. */
  tokens: Map<string, bigint>
}

const HOLDER = `0x${'f1'.repeat(20)}`
/** Account with native coin and without tokens. */
const POOR = `0x${'f2'.repeat(20)}`
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
/** First bytes of the raw transactions of accounts without a key. */
const UNSIGNED = '0xfe'
/** Wei per gas unit of these accounts, which no rise of the market price stops. */
const UNSIGNED_PRICE = 100_000_000_000n
const [COIN_GAS, TOKEN_GAS] = [21_000n, 51_504n]
/** Code of a contract that succeeds without an effect. */
const STOPS = '0x00'
/** Blocks from the head to the finalized block, as anvil is started by the tests. */
const FINALIZED_DEPTH = 2

const hex = (value: bigint | number): string => `0x${value.toString(16)}`
const digest = (...parts: unknown[]): string => `0x${createHash('sha256').update(parts.join(' ')).digest('hex')}`
const addressIn = (data: string, index: number): string => `0x${data.slice(10 + index * 64 + 24, 10 + index * 64 + 64)}`
const numberIn = (data: string, index: number): bigint => BigInt(`0x${data.slice(10 + index * 64, 10 + index * 64 + 64)}`)

/**
 * Starts a chain inside this process, with the calls of anvil that the tests use. Its contracts are ERC-20 tokens without code. It costs
 * a fraction of the processor time, because no call leaves the process.
 */
export function startFakeChain({ chainId = 31_337, at = new Date() }: { chainId?: number; at?: Date } = {}): Promise<TestChain> {
  const begin: State = { coins: new Map([HOLDER, POOR].map((account) => [account, 10n ** 24n])), nonces: new Map(), tokens: new Map() }
  const blocks: FakeBlock[] = []
  const minedIn = new Map<string, FakeBlock>()
  let pool: FakeTransaction[] = []
  let nextTimestamp: number | undefined
  let salt = 0
  /** Lowest price of a transaction in a block, in wei per gas unit. */
  let price = 1_000_000_000n
  let contracts = 0
  /** Code that a test gave to a contract: it stops without an effect, or reverts. */
  const codes = new Map<string, string>()

  const head = (): FakeBlock => {
    const newest = blocks.at(-1)
    if (newest === undefined) throw new Error('a chain without blocks')
    return newest
  }
  const stateAt = (tag: unknown): State => {
    const block = tag === 'pending' ? head() : tagged(tag)
    if (block === undefined) throw new Error('header not found')
    return block.state
  }
  const nonceOf = (address: string, state = head().state): number => state.nonces.get(address) ?? 0
  const pendingNonceOf = (address: string): number => {
    let nonce = nonceOf(address)
    while (pool.some((one) => one.from === address && one.nonce === nonce)) nonce += 1
    return nonce
  }

  /** Moves a token amount, and returns its event, or undefined if the sender has too little. */
  function move(state: State, token: string, from: string, to: string, amount: bigint): Log | undefined {
    const [source, target] = [`${token} ${from}`, `${token} ${to}`]
    if ((state.tokens.get(source) ?? 0n) < amount) return undefined
    state.tokens.set(source, (state.tokens.get(source) ?? 0n) - amount)
    state.tokens.set(target, (state.tokens.get(target) ?? 0n) + amount)
    return { address: token, topics: [TRANSFER, `0x${word(from)}`, `0x${word(to)}`], data: `0x${word(amount)}` }
  }

  function execute(state: State, transaction: FakeTransaction): FakeBlock['mined'][number] {
    const { from, to, value, input, gasPrice, nonce } = transaction
    const coinOf = (address: string) => state.coins.get(address) ?? 0n
    state.nonces.set(from, nonce + 1)
    state.coins.set(from, coinOf(from) - (input === '0x' ? COIN_GAS : TOKEN_GAS) * gasPrice - value)
    state.coins.set(to, coinOf(to) + value)
    const code = codes.get(to)
    if (code !== undefined) return { transaction, succeeded: code === STOPS, logs: [] }
    const count = input.startsWith('0xb7fc6612') ? Number(numberIn(input, 2)) : input.startsWith('0xa9059cbb') ? 1 : 0
    const before = new Map(state.tokens)
    const logs = Array.from({ length: count }, (_, index) =>
      count === 1 && input.startsWith('0xa9059cbb')
        ? move(state, to, from, addressIn(input, 0), numberIn(input, 1))
        : move(state, to, from, addressIn(input, 3 + index), numberIn(input, 4 + count + index)),
    )
    if (!logs.includes(undefined)) return { transaction, succeeded: true, logs: logs.flatMap((log) => log ?? []) }
    state.tokens = before
    return { transaction, succeeded: false, logs: [] }
  }

  /** Mines a block of the pool's transactions, or of the named ones. */
  function mineBlock(only?: readonly FakeTransaction[]): void {
    const parent = blocks.at(-1)
    const source = only ?? pool
    const timestamp = nextTimestamp ?? (parent === undefined ? Math.floor(at.getTime() / 1000) : Number(parent.timestamp) + 1)
    nextTimestamp = undefined
    const before = parent?.state ?? begin
    const state: State =
      source.length === 0 ? before : { coins: new Map(before.coins), nonces: new Map(before.nonces), tokens: new Map(before.tokens) }
    const mined: FakeBlock['mined'] = []
    for (let left = source, found = left; found.length > 0;) {
      found = left.filter(
        (one) => one.nonce === nonceOf(one.from, state) && one.gasPrice >= price && costOf(one) <= (state.coins.get(one.from) ?? 0n),
      )
      // One per round, as each changes the state that decides about the others.
      const [first] = found
      if (first === undefined) break
      // An account without a key pays the market price.
      mined.push(execute(state, first.raw.startsWith(UNSIGNED) ? { ...first, gasPrice: price } : first))
      left = left.filter((one) => one !== first)
      pool = pool.filter((one) => one !== first)
    }
    pool = pool.filter((one) => one.nonce >= nonceOf(one.from, state))
    const number = blocks.length
    salt += 1
    const hash = digest('block', number, parent?.hash, timestamp, salt)
    const block = { number: hex(number), hash, parentHash: parent?.hash ?? `0x${word(0n)}`, timestamp: hex(timestamp), mined, state }
    blocks.push(block)
    for (const { transaction } of mined) minedIn.set(transaction.hash, block)
  }

  const costOf = ({ value, gasLimit, gasPrice }: FakeTransaction): bigint => value + gasLimit * gasPrice

  /** Adds a transaction to the pool. The errors are those of anvil and geth. */
  function submit(transaction: FakeTransaction): string {
    const { hash, from, nonce, gasPrice } = transaction
    if (pool.some((one) => one.hash === hash)) throw new Error('transaction already imported')
    if (nonce < nonceOf(from)) throw new Error('nonce too low')
    if (costOf(transaction) > (head().state.coins.get(from) ?? 0n)) throw new Error('insufficient funds for gas * price + value')
    const other = pool.find((one) => one.from === from && one.nonce === nonce)
    if (other !== undefined && gasPrice * 10n < other.gasPrice * 11n) throw new Error('replacement transaction underpriced')
    pool = [...pool.filter((one) => one !== other), transaction]
    return hash
  }

  function parse(raw: string): FakeTransaction {
    if (raw.startsWith(UNSIGNED)) {
      const [from = '', nonce = '', to = '', value = '', input = '', gas = ''] = Buffer.from(raw.slice(4), 'hex').toString().split(' ')
      const [gasLimit, gasPrice] = [BigInt(gas), UNSIGNED_PRICE]
      return { hash: digest(raw), raw, from, to, nonce: Number(nonce), value: BigInt(value), input, gasLimit, gasPrice }
    }
    const signed = Transaction.fromHex(raw)
    const { to, value, data, nonce, gasLimit, maxFeePerGas, ...rest } = signed.raw as Record<'to' | 'data', string> &
      Record<'value' | 'nonce' | 'gasLimit' | 'maxFeePerGas' | 'chainId', bigint>
    if (rest.chainId !== BigInt(chainId)) throw new Error('invalid chain id for signer')
    const input = data === '' ? '0x' : `0x${data.replace(/^0x/, '')}`.toLowerCase()
    const prefixed = `0x${signed.hash.replace(/^0x/, '')}`.toLowerCase()
    const from = signed.sender.toLowerCase()
    return { hash: prefixed, raw, from, to: to.toLowerCase(), nonce: Number(nonce), value, input, gasLimit, gasPrice: maxFeePerGas }
  }

  function unsigned({ from, to, value = '0x0', data = '0x', gas = hex(TOKEN_GAS) }: TransactionRequest, nonce: number): FakeTransaction {
    const text = [from.toLowerCase(), nonce, to.toLowerCase(), value, data, gas].join(' ')
    return parse(UNSIGNED + Buffer.from(text).toString('hex'))
  }

  const logsOf = (block: FakeBlock) =>
    block.mined
      .flatMap(({ transaction, logs }) => logs.map((log) => ({ ...log, transactionHash: transaction.hash })))
      .map((log, index) => ({ ...log, logIndex: hex(index), blockNumber: block.number, blockHash: block.hash }))

  const transactionOf = (hash: string): FakeTransaction | undefined =>
    [...pool, ...(minedIn.get(hash)?.mined ?? []).map(({ transaction }) => transaction)].find((one) => one.hash === hash)
  const tagged = (tag: unknown): FakeBlock | undefined =>
    tag === 'latest' ? head() : tag === 'finalized' ? blocks[Math.max(0, blocks.length - 1 - FINALIZED_DEPTH)] : blocks[Number(tag)]

  type Call = (...params: never[]) => unknown
  const calls: Record<string, Call> = {
    eth_chainId: () => hex(chainId),
    eth_accounts: () => [HOLDER, POOR],
    eth_blockNumber: () => head().number,
    eth_gasPrice: () => hex(price),
    eth_getCode: (address: string) => codes.get(address.toLowerCase()) ?? '0x',
    eth_getBlockByNumber(tag: string, isFull: boolean) {
      const block = tagged(tag)
      if (block === undefined) return null
      const { mined, state: _, ...header } = block
      return {
        ...header,
        transactions: mined.map(({ transaction: { hash, from, to, input } }) => (isFull ? { hash, from, to, input } : hash)),
      }
    },
    eth_getTransactionCount: (address: string, tag: string) =>
      hex(tag === 'pending' ? pendingNonceOf(address.toLowerCase()) : nonceOf(address.toLowerCase(), stateAt(tag))),
    eth_getBalance: (address: string, tag: string) => hex(stateAt(tag).coins.get(address.toLowerCase()) ?? 0n),
    eth_call({ to, data }: { to: string; data: string }, tag: string) {
      const state = stateAt(tag)
      if (data.startsWith('0x70a08231')) return `0x${word(state.tokens.get(`${to.toLowerCase()} ${addressIn(data, 0)}`) ?? 0n)}`
      return `0x${data.startsWith('0x313ce567') ? word(18n) : ''}`
    },
    eth_getLogs({ address, fromBlock, toBlock, topics = [] }: LogFilter) {
      const last = toBlock === 'latest' ? blocks.length - 1 : Number(toBlock)
      return blocks
        .slice(Number(fromBlock), last + 1)
        .filter(({ mined }) => mined.length > 0)
        .flatMap(logsOf)
        .filter((log) => address === undefined || [address].flat().includes(log.address))
        .filter((log) => topics.every((topic, index) => topic === null || [topic].flat().includes(log.topics[index] ?? '')))
    },
    eth_getTransactionReceipt(hash: string) {
      const block = minedIn.get(hash)
      const found = block?.mined.find(({ transaction }) => transaction.hash === hash)
      if (block === undefined || found === undefined) return null
      const { transaction, succeeded } = found
      return {
        transactionHash: hash,
        status: hex(succeeded ? 1 : 0),
        blockNumber: block.number,
        blockHash: block.hash,
        gasUsed: hex(transaction.input === '0x' ? COIN_GAS : TOKEN_GAS),
        effectiveGasPrice: hex(transaction.gasPrice),
        logs: logsOf(block).filter((log) => log.transactionHash === hash),
      }
    },
    eth_getTransactionByHash(hash: string) {
      const found = transactionOf(hash)
      return found === undefined ? null : { hash, from: found.from, to: found.to, input: found.input, gas: hex(found.gasLimit) }
    },
    eth_getRawTransactionByHash: (hash: string) => transactionOf(hash)?.raw ?? null,
    eth_sendRawTransaction: (raw: string) => submit(parse(raw)),
    eth_sendTransaction: (request: TransactionRequest) => submit(unsigned(request, pendingNonceOf(request.from.toLowerCase()))),
    evm_setNextBlockTimestamp(timestamp: number) {
      nextTimestamp = timestamp
      return null
    },
    anvil_mine(count: string) {
      for (let left = Number(count); left > 0; left -= 1) mineBlock()
      return null
    },
    /** Replaces the newest blocks. `added` are the transactions of the new ones, signed or not, each with the index of its block. */
    anvil_reorg(depth: number, added: readonly (readonly [string | TransactionRequest, number])[] = []) {
      for (const { mined } of blocks.splice(-depth)) for (const { transaction } of mined) minedIn.delete(transaction.hash)
      for (let index = 0; index < depth; index += 1) {
        const here = added.flatMap(([transaction, block]) => (block === index ? [transaction] : []))
        mineBlock(here.map((one) => (typeof one === 'string' ? parse(one) : unsigned(one, nonceOf(one.from.toLowerCase())))))
      }
      return null
    },
    anvil_dropTransaction(hash: string) {
      pool = pool.filter((one) => one.hash !== hash)
      return hash
    },
    anvil_setCode(contract: string, code: string) {
      if (code === '0x') codes.delete(contract.toLowerCase())
      else codes.set(contract.toLowerCase(), code)
      return null
    },
    anvil_impersonateAccount: () => null,
    anvil_dropAllTransactions() {
      pool = []
      return null
    },
    anvil_setBlockTimestampInterval: () => null,
    anvil_setBalance(address: string, coins: string) {
      head().state.coins.set(address.toLowerCase(), BigInt(coins))
      return null
    },
    anvil_setNextBlockBaseFeePerGas(fee: string) {
      price = BigInt(fee)
      return null
    },
    txpool_content() {
      const listed = pool.map(({ hash, from, nonce, input }) => ({ hash, from, nonce: hex(nonce), input }))
      return { pending: Object.groupBy(listed, ({ from }) => from), queued: {} }
    },
  }

  const answerOne = ({ id, method, params }: NodeCall) => {
    try {
      const call = calls[method]
      if (call === undefined) throw new Error(`the fake chain has no ${method}`)
      return { jsonrpc: '2.0', id, result: call(...(params as never[])) }
    } catch (error) {
      return { jsonrpc: '2.0', id, error: { code: -32_000, message: error instanceof Error ? error.message : String(error) } }
    }
  }
  const deployToken = () => {
    contracts += 1
    const token = `0x${'c0'.repeat(19)}${contracts.toString(16).padStart(2, '0')}`
    head().state.tokens.set(`${token} ${HOLDER}`, 10n ** 27n)
    mineBlock()
    return Promise.resolve(token)
  }
  mineBlock()
  const { url, close } = serveInProcess((batch) => Promise.resolve(batch.map(answerOne)))
  return controlChain(url, { chainId, deployToken, stop: () => Promise.resolve(close()) })
}
