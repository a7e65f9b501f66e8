import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { assertChain, chainNode, isTooWide } from './chain-node.ts'
import { TRANSFER } from './node-answers.ts'
import { connectWithCallErrors, connectNode, NodeUnavailable, NodeError } from './rpc.ts'
import { RESEND_AFTER_MS, minReplacementFee, checkedOrder, readSigned, signedBy, transactionOf } from './sending/transfer-order.ts'
import { keySigner } from './sending/signer.ts'

interface Call {
  id: number
  method: string
  params: unknown[]
}
/** Answers of the fake node (whole batches with `whole`), and the calls received. */
let answer: (call: Call) => unknown = () => null
let whole: ((calls: Call[]) => unknown) | undefined
let status = 200
let receivedCalls: Call[] = []
const refuse = (message: string) => ({ error: { message } })
const server = createServer((request, reply) => {
  const chunks: Buffer[] = []
  request
    .on('data', (chunk: Buffer) => chunks.push(chunk))
    .on('end', () => {
      const calls = JSON.parse(Buffer.concat(chunks).toString()) as Call[]
      receivedCalls.push(...calls)
      const each = calls.map((call) => {
        const result = answer(call)
        return { id: call.id, ...(typeof result === 'object' && result !== null && 'error' in result ? result : { result: result }) }
      })
      const result = whole === undefined ? each.toReversed() : whole(calls)
      reply.writeHead(status).end(typeof result === 'string' ? result : JSON.stringify(result))
    })
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
afterAll(() => void server.close())
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
const node = chainNode(url)
beforeEach(() => {
  ;[receivedCalls, whole, status] = [[], undefined, 200]
})

const hex = (number: number | bigint) => `0x${number.toString(16)}`
const [TOKEN, OTHER] = [`0x${'c0'.repeat(20)}`, `0x${'d0'.repeat(20)}`]
const [FROM, TO] = [`0x${'a1'.repeat(20)}`, `0x${'a2'.repeat(20)}`]
const topic = (address: string) => `0x${address.slice(2).padStart(64, '0')}`
const log = (more: object = {}) => ({
  address: TOKEN.toUpperCase().replace('0X', '0x'),
  topics: [TRANSFER, topic(FROM), topic(TO)],
  data: hex(7),
  blockNumber: hex(10),
  blockHash: '0xB',
  transactionHash: '0xA1',
  logIndex: hex(3),
  ...more,
})
const receipt = (more: object = {}) => ({
  transactionHash: '0xA1',
  status: '0x1',
  blockNumber: hex(10),
  blockHash: '0xB',
  gasUsed: hex(50_000),
  effectiveGasPrice: hex(9),
  logs: [log()],
  ...more,
})
const read = { txHash: '0xa1', token: TOKEN, from: FROM, to: TO, amount: 7n, block: 10, blockHash: '0xb', logIndex: 3 }

describe('final block of a node', () => {
  const block = { number: hex(70), hash: '0xf', parentHash: '0xe', timestamp: hex(1) }

  it('is its finalized block, or unknown when it rejects the tag or has no such block', async () => {
    answer = () => block
    expect((await node.finalized())?.number).toBe(70)
    expect(receivedCalls.map(({ params }) => params)).toEqual([['finalized', false]])
    for (const result of [refuse('unknown block tag'), null]) {
      answer = () => result
      expect(await node.finalized()).toBeNull()
    }
  })

  it('is not taken as unknown when the node does not answer', async () => {
    status = 503
    answer = () => block
    await expect(node.finalized()).rejects.toThrow(NodeUnavailable)
  })
})

describe('node connection', () => {
  const calls = [
    { method: 'one', params: [] },
    { method: 'two', params: [1] },
  ]
  it('returns the results in the order of the calls, and sends nothing for an empty list', async () => {
    answer = ({ method }) => `said ${method}`
    expect(await connectNode(url)(calls)).toEqual(['said one', 'said two'])
    expect(receivedCalls).toMatchObject([
      { jsonrpc: '2.0', method: 'one' },
      { method: 'two', params: [1] },
    ])
    receivedCalls = []
    expect([await connectNode(url)([]), receivedCalls]).toEqual([[], []])
  })

  it('distinguishes rejected from unanswered calls, per call on request', async () => {
    answer = ({ method }) => (method === 'two' ? refuse('no') : 'yes')
    const each = await connectWithCallErrors(url)(calls)
    expect([each[0], each[1] instanceof NodeError, (each[1] as Error).message]).toEqual(['yes', true, 'two: no'])
    await expect(connectNode(url)(calls)).rejects.toThrow(NodeError)
    for (const [say, code] of [
      [() => [{ id: 0, result: 'yes' }], 200],
      [() => [7, null, 'x'], 200],
      [() => 'no JSON', 200],
      [() => ({ id: 0, result: 'yes' }), 200],
      [(some: Call[]) => some.map(({ id }) => ({ id, result: 'yes' })), 500],
    ] as const) {
      ;[whole, status] = [say, code]
      await expect(connectWithCallErrors(url)(calls)).rejects.toThrow(NodeUnavailable)
    }
    ;[whole, status] = [() => ({ error: { message: 'too many calls' } }), 400]
    await expect(connectWithCallErrors(url)(calls)).rejects.toThrow(new NodeError('too many calls'))
    await expect(connectWithCallErrors('http://127.0.0.1:9')(calls)).rejects.toThrow(NodeUnavailable)
  })
})

describe('chain reader', () => {
  const header = (number: number) => ({ number: hex(number), hash: '0xA', parentHash: '0xB', timestamp: hex(60) })
  it('requires the configured chain and tokens', async () => {
    const tokens = [TOKEN, OTHER].map((address) => ({ address, decimals: address === TOKEN ? 18 : 6 }))
    const is = (chain: number, coin: number, usd: number) => {
      answer = ({ method, params }) => hex(method === 'eth_chainId' ? chain : JSON.stringify(params).includes(OTHER) ? usd : coin)
      return assertChain(node, { chainId: 56, tokens })
    }
    await is(56, 18, 6)
    await expect(is(1, 18, 6)).rejects.toThrow('chain 1, not 56')
    await expect(is(56, 8, 6)).rejects.toThrow('8 decimals, not 18')
    await expect(is(56, 18, 18)).rejects.toThrow('18 decimals, not 6')
  })

  it('returns the requested headers, and null for a missing block', async () => {
    answer = ({ params }) => (params[0] === hex(8) ? null : header(Number(params[0])))
    const found = (number: number) => ({ number, hash: '0xa', parentHash: '0xb', time: new Date(60_000) })
    expect(await node.headers([7, 8, 9])).toEqual([found(7), null, found(9)])
    answer = () => header(7)
    expect(await node.head()).toEqual(found(7))
    await expect(node.headers([9])).rejects.toThrow('another block')
    answer = () => hex(2n ** 53n)
    await expect(node.chainId()).rejects.toThrow('unreadable answer')
  })

  it('returns the transfers of the tokens in order, and no other logs', async () => {
    const logs = [
      log({ blockNumber: hex(11), logIndex: hex(0) }),
      log({ logIndex: hex(5) }),
      log(),
      log({ address: OTHER }),
      log({ topics: [topic(FROM), topic(FROM), topic(TO)] }),
      log({ topics: [TRANSFER, topic(FROM)] }),
      log({ topics: [TRANSFER, topic(FROM), topic(TO), topic(TO)] }),
      log({ removed: true }),
      log({ data: '0x', logIndex: hex(4) }),
    ]
    answer = () => logs
    const range = { from: 10, to: 11 }
    expect(await node.transfers([TOKEN], range)).toEqual([read, { ...read, logIndex: 5 }, { ...read, block: 11, logIndex: 0 }])
    expect(receivedCalls[0]?.params).toEqual([{ address: [TOKEN], fromBlock: '0xa', toBlock: '0xb', topics: [TRANSFER] }])
    for (const block of [9, 12]) {
      answer = () => [log({ blockNumber: hex(block) })]
      await expect(node.transfers([TOKEN], range)).rejects.toThrow('other blocks')
    }
    for (const odd of [
      null,
      7,
      log({ address: 7 }),
      log({ topics: 7 }),
      log({ data: 'x' }),
      log({ blockHash: 7 }),
      log({ logIndex: hex(2n ** 53n) }),
    ]) {
      answer = () => [odd]
      await expect(node.transfers([TOKEN], range)).rejects.toThrow('unreadable answer')
    }
  })

  it('returns receipts in batches of 100, each of its own transaction, and null for a missing one', async () => {
    const hashes = Array.from({ length: 101 }, (_, index) => `0x${(index + 1000).toString(16)}`)
    answer = ({ params: [hash] }) =>
      hash === hashes[3]
        ? null
        : receipt({ transactionHash: hash, status: hash === hashes[4] ? '0x0' : '0x1', logs: [log({ transactionHash: hash })] })
    const sizes: number[] = []
    whole = (calls) => {
      sizes.push(calls.length)
      return calls.map((call) => ({ id: call.id, result: answer(call) }))
    }
    const receipts = await node.receipts(hashes, [TOKEN])
    expect(sizes).toEqual([100, 1])
    expect(receipts.map((one) => one?.transfers[0]?.txHash ?? null)).toEqual(hashes.map((hash, index) => (index === 3 ? null : hash)))
    expect([receipts[4]?.succeeded, receipts[5]?.succeeded, receipts[5]?.blockHash]).toEqual([false, true, '0xb'])
    answer = () => receipt({ logs: [log(), log({ address: OTHER, logIndex: hex(4) })] })
    expect((await node.receipts(['0xa1'], [TOKEN]))[0]?.transfers).toEqual([read])
    answer = () => receipt({ logs: [log(), log({ transactionHash: '0xa2', logIndex: hex(4) })] })
    await expect(node.receipts(['0xa1'], [TOKEN])).rejects.toThrow('another receipt')
  })

  it('narrows a range only when the node reports that it is too wide', () => {
    expect(['the range is too large', 'limit of 7', 'took more than 10s'].map((text) => isTooWide(new NodeError(text)))).toEqual([
      true,
      true,
      true,
    ])
    expect([isTooWide(new NodeError('execution reverted')), isTooWide(new NodeUnavailable('limit')), isTooWide(undefined)]).toEqual([
      false,
      false,
      false,
    ])
  })
})

describe('payout node', () => {
  it('returns the mined transaction with transfers of the token only', async () => {
    answer = () => receipt()
    const mined = {
      succeeded: true,
      block: 10,
      blockHash: '0xb',
      gasUsed: 50_000n,
      gasPrice: 9n,
      transfers: [read],
    }
    expect(await node.receipts(['0xa1'])).toEqual([mined])
    const topics = [TRANSFER, topic(FROM), topic(TO)]
    const odd = [
      { topics: [topic(FROM), topic(FROM), topic(TO)] },
      { topics: [TRANSFER] },
      { topics: [TRANSFER, topic(FROM)] },
      { topics: [...topics, topic(TO)] },
      { data: '0x' },
    ]
    answer = () => receipt({ logs: odd.map((more) => log(more)), status: '0x0', effectiveGasPrice: undefined })
    expect(await node.receipts(['0xa1'])).toEqual([{ ...mined, succeeded: false, gasPrice: 0n, transfers: [] }])
    answer = () => null
    expect(await node.receipts(['0xa1'])).toEqual([null])
    answer = () => receipt()
    await expect(node.receipts(['0xa2'])).rejects.toThrow('another receipt')
    answer = () => receipt({ gasUsed: '0x' })
    await expect(node.receipts(['0xa1'])).rejects.toThrow('unreadable answer')
  })

  it('returns block hashes, and balances and code of addresses', async () => {
    answer = ({ params }) => (params[0] === hex(8) ? null : { number: params[0], hash: '0xA', parentHash: '0xB', timestamp: hex(60) })
    expect(await node.blockHashes([7, 8])).toEqual(['0xa', null])
    answer = () => ({ number: hex(9), hash: '0xA', parentHash: '0xB', timestamp: hex(60) })
    await expect(node.blockHashes([7])).rejects.toThrow('another block')
    answer = ({ params }) => (JSON.stringify(params).includes(TO.slice(2)) ? hex(5) : hex(6))
    expect([await node.tokensOf(TOKEN, [FROM, TO]), await node.tokenOf(TOKEN, TO), await node.nativeBalanceOf(FROM)]).toEqual([
      [6n, 5n],
      5n,
      6n,
    ])
    receivedCalls = []
    await node.nonceOf(FROM)
    await node.nonceOf(FROM, 9)
    expect(receivedCalls.map(({ params }) => params[1])).toEqual(['latest', '0x9'])
  })

  it('sends a transaction, or classifies the rejection in the wording of each node', async () => {
    const words = new Map<string, unknown>([
      ['already known', 'taken'],
      ['ALREADY_EXISTS: already imported', 'taken'],
      ['known transaction: 0x1', 'taken'],
      ['nonce too low', 'nonce used'],
      ['nonce is too low', 'nonce used'],
      ['nonce has already been used', 'nonce used'],
      ['replacement transaction underpriced', 'underpriced'],
      ['insufficient funds for gas', 'no gas'],
      ['odd', { refused: 'eth_sendRawTransaction: odd' }],
    ])
    answer = ({ params }) => (params[0] === 'fine' ? '0xa1' : refuse(String(params[0])))
    expect(await node.send(['fine', ...words.keys()])).toEqual(['taken', ...words.values()])
  })

  it('returns a transaction as signed, and rejects one with another hash', async () => {
    const key = Buffer.alloc(32, 5)
    const { address } = keySigner(key)
    const order = { chainId: 56, from: address, nonce: 4, gasPrice: 9n, transfer: { token: TOKEN, to: TO, amount: 7n } }
    const { hash, raw } = signedBy(key, address, order)
    answer = () => raw
    expect(await node.transaction(hash)).toEqual({ hash, raw, from: address, nonce: 4, gasPrice: 9n })
    await expect(node.transaction('0xa1')).rejects.toThrow('another transaction')
    for (const none of [null, '0x']) {
      answer = () => none
      expect(await node.transaction(hash)).toBeNull()
    }
  })
})

describe('transfer order', () => {
  const key = Buffer.alloc(32, 5)
  const { address } = keySigner(key)
  const order = { chainId: 56, from: address, nonce: 4, gasPrice: 9n }
  it('encodes receiver, amount and gas limit', () => {
    const raw = (more: object) => transactionOf({ ...order, ...more }).raw
    const token = raw({ transfer: { token: TOKEN, to: TO, amount: 7n } })
    expect([token.to.toLowerCase(), token.value, token.gasLimit, token.data]).toEqual([
      TOKEN,
      0n,
      120_000n,
      `0xa9059cbb${topic(TO).slice(2)}${'7'.padStart(64, '0')}`,
    ])
    const coin = raw({ coin: { to: TO, amount: 7n } })
    expect([coin.to.toLowerCase(), coin.value, coin.gasLimit, coin.data]).toEqual([TO, 7n, 21_000n, ''])
    const nothing = raw({})
    expect([nothing.to.toLowerCase(), nothing.value, nothing.gasLimit, nothing.data]).toEqual([address, 0n, 120_000n, ''])
    expect([nothing.maxFeePerGas, nothing.maxPriorityFeePerGas, nothing.nonce, nothing.chainId]).toEqual([9n, 9n, 4n, 56n])
  })

  it('is replaced for a fee of one eighth more, rounded up', () => {
    expect([0n, 1n, 7n, 8n, 9n, 1_000n].map(minReplacementFee)).toEqual([1n, 2n, 8n, 9n, 11n, 1_125n])
    expect(RESEND_AFTER_MS).toBe(15_000)
  })

  it('is signed only by the key of its wallet', () => {
    expect(() => signedBy(Buffer.alloc(32, 6), keySigner(Buffer.alloc(32, 6)).address, order)).toThrow('another key')
    const { raw, hash } = signedBy(key, address, order)
    expect(checkedOrder(order, raw)).toEqual({ raw, hash })
    expect(checkedOrder(order, raw.slice(2).toUpperCase()).raw).toBe(raw)
    expect(() => checkedOrder({ ...order, nonce: 5 }, raw)).toThrow('something else')
    expect(() => checkedOrder(order, transactionOf(order).toHex({ includeSignature: false }))).toThrow('something else')
    const forged = transactionOf(order).signBy(Buffer.alloc(32, 6)).toHex()
    expect(() => checkedOrder(order, forged)).toThrow('another key')
    expect(readSigned(raw)).toEqual({ hash, raw, from: address, nonce: 4, gasPrice: 9n })
  })
})

describe('node requests', () => {
  const ask = (count: number) => Array.from({ length: count }, (_, index) => ({ method: 'eth_call', params: [index] }))

  it.each([20, 100, 1000])('are split into batches that the node accepts, here %i', async (limit) => {
    answer = ({ params }) => hex(params[0] as number)
    const sizes: number[] = []
    whole = (calls) => {
      sizes.push(calls.length)
      return calls.length > limit
        ? { error: { code: -32_600, message: 'batch too large' } }
        : calls.map(({ id, params }) => ({ id, result: params[0] }))
    }
    const connected = connectNode(url)
    expect(await connected(ask(730))).toEqual(Array.from({ length: 730 }, (_, index) => index))
    sizes.length = 0
    expect(await connected(ask(250))).toHaveLength(250)
    expect(Math.max(...sizes)).toBeLessThanOrEqual(Math.min(limit, 100))
  })

  it('treat an error of null as no error', async () => {
    whole = (calls) => calls.map(({ id }) => ({ id, result: '0x1', error: null }))
    expect(await connectNode(url)(ask(2))).toEqual(['0x1', '0x1'])
  })

  it('fail over to the next node of the list, and stay there', async () => {
    whole = undefined
    answer = () => '0x1'
    const connected = connectNode(`http://127.0.0.1:9, ${url}`)
    expect(await connected(ask(1))).toEqual(['0x1'])
    receivedCalls = []
    expect([await connected(ask(3)), receivedCalls.length]).toEqual([['0x1', '0x1', '0x1'], 3])
    await expect(connectNode('http://127.0.0.1:9,http://127.0.0.1:10')(ask(1))).rejects.toBeInstanceOf(NodeUnavailable)
  })

  it('skip nodes of another chain', async () => {
    const chainOf = (port: number) => `http://127.0.0.1:${port}`
    let isAway = false
    const first = createServer((request, reply) => {
      request.resume().on('end', () => (isAway ? request.socket.destroy() : reply.end(JSON.stringify([{ id: 0, result: '0x38' }]))))
    })
    await new Promise<void>((resolve) => first.listen(0, '127.0.0.1', resolve))
    whole = undefined
    answer = () => '0x1'
    const connected = connectNode(`${chainOf((first.address() as AddressInfo).port)},${url}`)
    expect(await connected([{ method: 'eth_chainId', params: [] }])).toEqual(['0x38'])
    isAway = true
    await expect(connected(ask(1))).rejects.toThrow('another chain')
    first.close()
  })

  it('send a signed transaction to every node, and succeed when one has it', async () => {
    answer = ({ method }) => (method === 'eth_sendRawTransaction' ? refuse('nonce too low') : null)
    const other = createServer((request, reply) => {
      request.resume().on('end', () => reply.end(JSON.stringify([{ id: 0, result: '0xa1' }])))
    })
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    const second = `http://127.0.0.1:${(other.address() as AddressInfo).port}`
    expect(await chainNode(`${url},${second}`).send(['0x01'])).toEqual(['taken'])
    expect(receivedCalls.map(({ method }) => method)).toEqual(['eth_sendRawTransaction'])
    expect(await chainNode(`http://127.0.0.1:9,${second}`).send(['0x01'])).toEqual(['taken'])
    expect(await chainNode(`${url},http://127.0.0.1:9`).send(['0x01'])).toEqual(['nonce used'])
    other.close()
  })

  it('[I8] reject a repeated log', async () => {
    answer = () => [log(), log({ transactionHash: '0xA2', logIndex: hex(4) }), log()]
    await expect(node.transfers([TOKEN], { from: 1, to: 20 })).rejects.toBeInstanceOf(NodeUnavailable)
    answer = () => [log(), log({ transactionHash: '0xA2', logIndex: hex(4) }), log({ blockNumber: hex(11) })]
    expect(await node.transfers([TOKEN], { from: 1, to: 20 })).toHaveLength(3)
  })
})
