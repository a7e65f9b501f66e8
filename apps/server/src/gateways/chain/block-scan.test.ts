import { beforeEach, describe, expect, it } from 'vitest'
import { testDatabase } from '../../../test/database.ts'
import { testClock } from '../../platform/runtime/clock.ts'
import { readConfig } from '../../platform/config/config.ts'
import { inTransaction, type Tx } from '../../platform/db/database.ts'
import { randomIds } from '../../platform/runtime/ids.ts'
import { createLog } from '../../platform/runtime/log.ts'
import { hasOpenIncident } from './incidents.ts'
import { isAlive, readCursor, readLiveness } from './chain-cursor.ts'
import type { EvmNode, Header, TokenLog } from './chain-node.ts'
import { NodeError } from './rpc.ts'
import { watchChain } from './watch-chain.ts'

const CHAIN = 31_337
const TOKEN = `0x${'7'.repeat(40)}`
const OURS = `0x${'a'.repeat(40)}`
const { db } = await testDatabase()
const deps = {
  config: readConfig({ NODE_ENV: 'test', LOG_LEVEL: 'silent' }),
  clock: testClock('2026-03-02T09:00:00Z'),
  ids: randomIds,
  log: createLog('silent'),
}
const lease = {
  inTransaction: <T>(work: (tx: Tx) => Promise<T>) => inTransaction(db, work),
  read: <T>(work: (from: typeof db) => Promise<T>) => work(db),
}

const hashOf = (number: number, of = '0') => `0x${of.padStart(8, '0')}${number.toString(16).padStart(56, '0')}`
const headerOf = (number: number, hash = hashOf(number)): Header => ({
  number,
  hash,
  parentHash: hashOf(number - 1),
  time: new Date(Date.UTC(2026, 2, 2, 8) + number * 1000),
})
const paid = (block: number): TokenLog => ({
  txHash: hashOf(block, 'aa'),
  token: TOKEN,
  from: `0x${'fe'.repeat(20)}`,
  to: OURS,
  amount: 10n ** 18n,
  block,
  blockHash: hashOf(block),
  logIndex: 0,
})

/** Creates a fake node with the test's chain. It records the requested ranges. */
function fakeNode(logs: readonly TokenLog[] = []) {
  const node = {
    head: 0,
    /** Finalized block of the fake node, or null if it knows none. */
    finalized: null as number | null,
    /** Widest block range answered by the fake node. */
    widest: 10_000,
    asked: [] as [number, number][],
    /** Block that the fake node lies about. */
    lie: undefined as number | undefined,
  }
  const evm: EvmNode = {
    chainId: () => Promise.resolve(CHAIN),
    decimals: () => Promise.resolve(18),
    head: () => Promise.resolve(headerOf(node.head)),
    headers: (numbers) =>
      Promise.resolve(
        numbers.map((number) => (number > node.head ? null : headerOf(number, number === node.lie ? hashOf(number, 'ff') : undefined))),
      ),
    transfers: (_, { from, to }) => {
      node.asked.push([from, to])
      if (to - from + 1 > node.widest) return Promise.reject(new NodeError('the range is too large'))
      return Promise.resolve(logs.filter(({ block }) => block >= from && block <= to))
    },
    finalized: () => Promise.resolve(node.finalized === null ? null : headerOf(node.finalized)),
    balances: (queries) =>
      Promise.resolve(
        queries.map(({ address, block = node.head }) =>
          logs.reduce((sum, log) => sum + (log.to === address && log.block <= block ? log.amount : 0n), 0n),
        ),
      ),
    nonces: (addresses) => Promise.resolve(addresses.map(() => 0n)),
    used: (_, addresses) => Promise.resolve(addresses.map((address) => logs.some(({ to }) => to === address))),
    receipts: (hashes) =>
      Promise.resolve(
        hashes.map((hash) => {
          const transfers = logs.filter(({ txHash }) => txHash === hash)
          return transfers.length === 0 ? null : { succeeded: true, blockHash: transfers[0]?.blockHash ?? '', transfers }
        }),
      ),
  }
  return { node, evm }
}

const watch = (evm: EvmNode, secondNode?: EvmNode) =>
  watchChain(lease, deps, {
    chainId: CHAIN,
    tokens: [{ address: TOKEN, decimals: 18, asset: 'COIN' }],
    startBlock: 0,
    addressAt: (index) => `0x${index.toString(16).padStart(40, '0')}`,
    addressGap: 20,
    node: evm,
    secondNode,
    onTransfersRecorded: () => Promise.resolve(),
  })
const states = () => db.selectFrom('chain_transfer').select(['block', 'state']).orderBy('block').execute()

beforeEach(async () => {
  for (const table of [
    'chain_transfer',
    'chain_block',
    'chain_cursor',
    'chain_address',
    'chain_address_recovery',
    'chain_incident',
  ] as const)
    await db.deleteFrom(table).execute()
  await db.insertInto('chain_address').values({ address: OURS, key_index: 1n, invoice_id: 'invoice-1' }).execute()
})

describe('block scan', () => {
  it('[I8] reads each block once, in consecutive ranges of at most 200', async () => {
    const { node, evm } = fakeNode()
    node.head = 730
    await watch(evm)
    const quick = [
      [1, 200],
      [201, 400],
      [401, 600],
      [601, 730],
    ]
    const final = [...quick.slice(0, 3), [601, 719]]
    expect(node.asked).toEqual([...quick, ...final])
    expect(await readCursor(db, CHAIN)).toMatchObject({ block: 730, finalBlock: 719 })
  })

  it('[I8] halves a range that a node finds too wide, and widens again up to 200', async () => {
    const { node, evm } = fakeNode()
    node.head = 300
    node.widest = 100
    await watch(evm)
    const quick = node.asked.slice(
      0,
      node.asked.findIndex(([from], index) => index > 0 && from === 1 && node.asked[index - 1]?.[1] === 300),
    )
    expect(quick).toEqual([
      [1, 200],
      [1, 100],
      [101, 300],
      [101, 200],
      [201, 300],
    ])
    expect(await readCursor(db, CHAIN)).toMatchObject({ block: 300, finalBlock: 289 })
    node.asked = []
    node.widest = 10_000
    node.head = 1200
    await watch(evm)
    expect(Math.max(...node.asked.map(([from, to]) => to - from + 1))).toBe(200)
  })

  it('[I8] finalizes nothing beyond a block for which the node gives two answers', async () => {
    const { node, evm } = fakeNode([paid(50), paid(450)])
    node.head = 60
    await watch(evm)
    expect(await readCursor(db, CHAIN)).toMatchObject({ block: 60, finalBlock: 49 })
    node.lie = 50
    node.head = 700
    await watch(evm).catch(() => undefined)
    expect(await readCursor(db, CHAIN)).toMatchObject({ finalBlock: 49 })
    expect((await states()).map(({ state }) => state)).not.toContain('FINAL')
    node.lie = undefined
    await watch(evm)
    expect(await states()).toEqual([
      { block: 50n, state: 'FINAL' },
      { block: 450n, state: 'FINAL' },
    ])
  })
  it('[I8] finalizes nothing before a second source is as deep, because a node may invent blocks on top', async () => {
    const [lying, honest] = [fakeNode([paid(20)]), fakeNode([paid(20)])]
    honest.node.head = 20
    lying.node.head = 31
    await watch(lying.evm, honest.evm)
    expect(await states()).toEqual([{ block: 20n, state: 'SEEN' }])
    honest.node.head = 30
    await watch(lying.evm, honest.evm)
    expect(await states()).toEqual([{ block: 20n, state: 'SEEN' }])
    honest.node.head = 31
    await watch(lying.evm, honest.evm)
    expect(await states()).toEqual([{ block: 20n, state: 'FINAL' }])
  })

  it('[I8] finalizes nothing when a second source disagrees on the block time, which decides whether a credit is late', async () => {
    const [{ node, evm }, honest] = [fakeNode([paid(20)]), fakeNode([paid(20)])]
    node.head = 31
    honest.node.head = 31
    let wrong = 1
    const lying: EvmNode = {
      ...evm,
      headers: async (numbers) =>
        (await evm.headers(numbers)).map((header) => header && { ...header, time: new Date(header.time.getTime() - wrong * 1000) }),
    }
    await expect(watch(lying, honest.evm)).rejects.toThrow('disagrees about block 20')
    expect(await states()).toEqual([{ block: 20n, state: 'SEEN' }])
    wrong = 0
    await watch(lying, honest.evm)
    expect(await states()).toEqual([{ block: 20n, state: 'FINAL' }])
  })

  it('[I8] finalizes a payment whose logs the first source omits, but not one that only the second source has', async () => {
    const [first, second, forgetful] = [fakeNode(), fakeNode([paid(20)]), fakeNode([paid(20)])]
    for (const { node } of [first, second, forgetful]) node.head = 31
    await expect(watch(first.evm, second.evm)).rejects.toThrow('only the second source has a payment')
    expect(await states()).toEqual([])
    await watch({ ...forgetful.evm, transfers: () => Promise.resolve([]) }, second.evm)
    expect(await states()).toEqual([{ block: 20n, state: 'FINAL' }])
  })

  it('[I8] records a final payment to an address without an invoice once, and does not stop payouts', async () => {
    await db.updateTable('chain_address').set({ invoice_id: null }).execute()
    const { node, evm } = fakeNode([paid(20), { ...paid(21), amount: 1n }])
    node.head = 40
    await watch(evm)
    await db.updateTable('chain_cursor').set({ final_block: 0n }).execute()
    await watch(evm)
    const incidents = await db.selectFrom('chain_incident').select(['kind', 'from_block', 'transfers']).execute()
    expect(incidents).toEqual([{ kind: 'UNCLAIMED', from_block: 20n, transfers: [`${hashOf(20, 'aa')} ${OURS} 0 1 COIN`] }])
    expect(await hasOpenIncident(db)).toBe(false)
  })

  it('[I8] reads no block while hours with lost addresses remain to be recovered', async () => {
    const { node, evm } = fakeNode([paid(20)])
    node.head = 5
    await watch(evm)
    const recovery = { database: 'this', begun_at: deps.clock.now(), next_generation: 1, last_generation: 11 }
    await db.insertInto('chain_address_recovery').values(recovery).execute()
    node.head = 40
    expect([await watch(evm), (await readCursor(db, CHAIN))?.block]).toEqual([0, 5])
    await watch(evm)
    expect((await readCursor(db, CHAIN))?.block).toBe(40)
  })

  it.each([
    ['the node calls an older block final', 19, 'SEEN'],
    ['the node calls its block final', 20, 'FINAL'],
    ['the node calls a block above its head final', 900, 'FINAL'],
    ['the node knows no final block', null, 'FINAL'],
  ])("[I8] [CO-40] finalizes blocks that are 12 deep and not above the node's final block: %s", async (_, finalized, state) => {
    const { node, evm } = fakeNode([paid(20)])
    node.finalized = finalized
    node.head = 30
    await watch(evm)
    expect(await states()).toEqual([{ block: 20n, state: 'SEEN' }])
    node.head = 31
    await watch(evm)
    expect(await states()).toEqual([{ block: 20n, state }])
    // A stalled finalized block delays all blocks above it, at any depth.
    node.head = 300
    await watch(evm)
    expect(await states()).toEqual([{ block: 20n, state }])
  })

  it('[I8] finalizes nothing that one of two sources does not call final', async () => {
    const [first, second] = [fakeNode([paid(20)]), fakeNode([paid(20)])]
    for (const { node } of [first, second]) [node.head, node.finalized] = [60, 58]
    second.node.finalized = 19
    await watch(first.evm, second.evm)
    expect(await states()).toEqual([{ block: 20n, state: 'SEEN' }])
    second.node.finalized = 20
    await watch(first.evm, second.evm)
    expect(await states()).toEqual([{ block: 20n, state: 'FINAL' }])
  })

  it('records the chain as alive after the work, by the timestamp of each head', async () => {
    const [first, second] = [fakeNode(), fakeNode()]
    ;[first.node.head, second.node.head] = [3590, 3300]
    await watch(first.evm)
    const alive = async () => isAlive(await readLiveness(db, CHAIN), deps.clock.now())
    expect(await alive()).toBe(true)
    // The second source stalled five minutes ago.
    await watch(first.evm, second.evm)
    expect(await alive()).toBe(false)
    await watch(first.evm)
    await db
      .updateTable('chain_cursor')
      .set({ seen_at: new Date(0) })
      .execute()
    first.node.head = 3591
    await expect(watch({ ...first.evm, transfers: () => Promise.reject(new NodeError('no')) })).rejects.toThrow('no')
    expect(await alive()).toBe(false)
  })
})
