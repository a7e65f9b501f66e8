import { beforeAll, expect, it } from 'vitest'
import { searchFor, searchTimeout } from '../../../../../test/search.ts'
import { testDatabase } from '../../../test/database.ts'
import { testClock } from '../../platform/runtime/clock.ts'
import { readConfig } from '../../platform/config/config.ts'
import { inTransaction, type Tx } from '../../platform/db/database.ts'
import { randomIds } from '../../platform/runtime/ids.ts'
import { createLog } from '../../platform/runtime/log.ts'
import type { EvmNode, Header, TokenLog } from './chain-node.ts'
import { NodeUnavailable } from './rpc.ts'
import { watchChain } from './watch-chain.ts'

const CHAIN = 31_337
const TOKEN = `0x${'7'.repeat(40)}`
const OURS = ['a', 'b', 'c'].map((letter) => `0x${letter.repeat(40)}`)
const DEPTH = 12
const { db } = await testDatabase()
const clock = testClock('2026-03-02T09:00:00Z')
const deps = { config: readConfig({ NODE_ENV: 'test', LOG_LEVEL: 'silent' }), clock, ids: randomIds, log: createLog('silent') }
const lease = {
  inTransaction: <T>(work: (tx: Tx) => Promise<T>) => inTransaction(db, work),
  read: <T>(work: (from: typeof db) => Promise<T>) => work(db),
}

/** Block of the model, with its payments. A transaction keeps its name when it moves to another block. */
interface Block {
  hash: string
  payments: { tx: string; to: string; amount: bigint }[]
}

/** Current faults of a source. */
interface Faults {
  /** Blocks that the source lags. */
  lag: number
  /** Blocks between its finalized block and its head; null if it knows none. */
  finalLag: number | null
  /** Blocks below its head whose logs it silently omits. */
  blind: number
  /** True if the source does not answer. */
  away: boolean
}

const hexOf = (text: string) => `0x${Buffer.from(text).toString('hex').padStart(64, '0')}`

/** True chain of the model. Every source reports a part, and the oracle compares the books with it. */
class Model {
  blocks: Block[] = [{ hash: hexOf('genesis'), payments: [] }]
  made = 0

  /** Adds a block. Payments dropped by a reorganisation may return in it. */
  mine(payments: Block['payments']): void {
    this.blocks.push({ hash: hexOf(`block ${(this.made += 1)}`), payments })
  }

  header(number: number): Header | null {
    const block = this.blocks[number]
    const parentHash = this.blocks[number - 1]?.hash ?? '0x'
    return block === undefined ? null : { number, hash: block.hash, parentHash, time: new Date(clock.now().getTime() + number * 1000) }
  }

  logs(number: number): TokenLog[] {
    const block = this.blocks[number]
    return (block?.payments ?? []).map(({ tx, to, amount }, logIndex) => ({
      txHash: tx,
      token: TOKEN,
      from: `0x${'fe'.repeat(20)}`,
      to,
      amount,
      block: number,
      blockHash: block?.hash ?? '',
      logIndex,
    }))
  }

  /** Creates a source that reports the chain with faults. */
  source(faults: Faults): EvmNode {
    const head = () => Math.max(0, this.blocks.length - 1 - faults.lag)
    const headerAt = (number: number) => (number > head() ? null : this.header(number))
    const answer = <T>(tell: () => T): Promise<T> => (faults.away ? Promise.reject(new NodeUnavailable('away')) : Promise.resolve(tell()))
    const finalized = () => (faults.finalLag === null ? null : Math.max(0, head() - faults.finalLag))
    return {
      chainId: () => answer(() => CHAIN),
      decimals: () => answer(() => 18),
      head: () => answer(() => this.header(head()) ?? ({} as Header)),
      finalized: () =>
        answer(() => {
          const number = finalized()
          return number === null ? null : headerAt(number)
        }),
      headers: (numbers) => answer(() => numbers.map(headerAt)),
      transfers: (_, { from, to }) =>
        answer(() =>
          Array.from({ length: Math.max(0, Math.min(to, head() - faults.blind) - from + 1) }, (_unused, step) =>
            this.logs(from + step),
          ).flat(),
        ),
      balances: (queries) =>
        answer(() =>
          queries.map(({ address, block = head() }) =>
            this.blocks
              .slice(0, block + 1)
              .flatMap(({ payments }) => payments)
              .reduce((sum, { to, amount }) => sum + (to === address ? amount : 0n), 0n),
          ),
        ),
      nonces: (addresses) => answer(() => addresses.map(() => 0n)),
      used: (_, addresses) => answer(() => addresses.map(() => false)),
      receipts: (hashes) =>
        answer(() =>
          hashes.map((hash) => {
            const number = this.blocks.findIndex(({ payments }) => payments.some(({ tx }) => tx === hash))
            const transfers = this.logs(number).filter(({ txHash }) => txHash === hash)
            return number < 0 || number > head() ? null : { succeeded: true, blockHash: this.blocks[number]?.hash ?? '', transfers }
          }),
        ),
    }
  }
}

/** Returns seeded random integers from 0 up to a bound. */
function randomOf(seed: number): (bound: number) => number {
  let state = (seed * 2_654_435_761) >>> 0
  return (bound) => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 3_266_489_917) >>> 0
    return state % bound
  }
}

const finalRows = async () =>
  (
    await db
      .selectFrom('chain_transfer')
      .select(['tx_hash', 'address', 'ordinal', 'exact_amount', 'block'])
      .where('state', '=', 'FINAL')
      .execute()
  ).map((row) => `${row.tx_hash} ${row.address} ${row.ordinal} ${row.exact_amount} ${row.block}`)

/** Oracle: counts each payment up to a block within its transaction. It is independent from the watcher. */
const paymentsUpTo = ({ blocks }: Model, last: number): string[] =>
  blocks.slice(0, last + 1).flatMap(({ payments }, block) =>
    payments.map(({ tx, to, amount }, index) => {
      const ordinal = payments.slice(0, index).filter((one) => one.tx === tx && one.to === to).length
      return `${tx} ${to} ${ordinal} ${amount} ${block}`
    }),
  )

async function play(seed: number): Promise<void> {
  for (const table of ['chain_transfer', 'chain_block', 'chain_cursor', 'chain_incident', 'chain_address_generation'] as const)
    await db.deleteFrom(table).execute()
  const random = randomOf(seed)
  const model = new Model()
  const faults: Faults[] = [0, 1].map(() => ({ lag: 0, finalLag: 2, blind: 0, away: false }))
  const [node, secondNode] = faults.map((one) => model.source(one))
  if (node === undefined || secondNode === undefined) throw new Error('no sources')
  let payments = 0
  let dropped: Block['payments'] = []
  const payment = () => {
    // A transaction may pay the same address twice.
    const repeats = random(4) === 0 ? 2 : 1
    const one = { tx: hexOf(`tx ${(payments += 1)}`), to: OURS[random(OURS.length)] ?? '', amount: 10n ** 18n * BigInt(1 + random(9)) }
    return Array.from({ length: repeats }, () => one)
  }
  const mine = (count: number) => {
    for (let made = 0; made < count; made += 1) {
      const back = dropped.length > 0 && random(2) === 0 ? dropped : []
      if (back.length > 0) dropped = []
      const fresh = random(3) === 0 ? payment() : []
      model.mine(random(2) === 0 ? [...fresh, ...back] : [...back, ...fresh])
    }
  }
  const tick = async () => {
    const tokens = [{ address: TOKEN, decimals: 18, asset: 'COIN' as const }]
    const chain = {
      chainId: CHAIN,
      tokens,
      startBlock: 0,
      node,
      secondNode,
      addressAt: String,
      addressGap: 1,
      onTransfersRecorded: () => Promise.resolve(),
    }
    await watchChain(lease, deps, chain).catch((error: unknown) => {
      if (!(error instanceof NodeUnavailable)) throw error
    })
    // Final transfers must be in the chain, deep enough in both sources, and at most at their finalized blocks.
    const last = Math.min(
      ...faults.map(({ lag, finalLag }) => {
        const head = model.blocks.length - 1 - lag
        return Math.min(head - DEPTH + 1, finalLag === null ? head : head - finalLag)
      }),
    )
    judged = Math.max(judged, last)
    const allowed = new Set(paymentsUpTo(model, judged))
    expect((await finalRows()).filter((row) => !allowed.has(row))).toEqual([])
  }
  let judged = 0
  mine(20)
  await tick()
  for (let step = 0; step < 25; step += 1) {
    const source = faults[random(2)]
    if (source === undefined) throw new Error('no source')
    const act = random(8)
    if (act <= 2) mine(1 + random(6))
    else if (act === 3) {
      // Reorganisations stay above the finalized blocks. Deeper ones are incidents, outside this search.
      const depth = Math.min(1 + random(10), model.blocks.length - 1 - Math.max(judged, 1))
      if (depth > 0) {
        dropped = [...dropped, ...model.blocks.splice(model.blocks.length - depth, depth).flatMap((block) => block.payments)]
        mine(depth + random(3))
      }
    } else if (act === 4) source.lag = random(4) === 0 ? 0 : random(6)
    else if (act === 5) source.finalLag = random(3) === 0 ? null : random(30)
    else if (act === 6) {
      // One source may omit logs of final blocks as well. If both did, nobody could know of the payment.
      source.blind = random(3) === 0 ? 0 : random(source === faults[0] ? 21 : 11)
    } else source.away = random(2) === 0
    await tick()
  }
  for (const one of faults) Object.assign(one, { lag: 0, finalLag: 2, blind: 0, away: false })
  mine(DEPTH)
  for (let time = 0; time < 3; time += 1) await tick()
  // The books contain each unit moved by the chain exactly once, and nothing else.
  expect((await finalRows()).toSorted()).toEqual(paymentsUpTo(model, model.blocks.length - DEPTH).toSorted())
  expect(await db.selectFrom('chain_incident').select('kind').execute()).toEqual([])
}

beforeAll(async () => {
  await db.deleteFrom('chain_address').execute()
  for (const [index, address] of OURS.entries())
    await db
      .insertInto('chain_address')
      .values({ address, key_index: BigInt(index), invoice_id: `invoice-${index}` })
      .execute()
})

it('[I8] records no incident when a reorg follows a payment that only the final scan saw', () => play(990_077_732))

it(
  '[I8] the watcher books each payment of a chain once, whatever sources omit, delay or revert',
  { timeout: searchTimeout(60_000) },
  async () => {
    expect(await searchFor('the watcher', { short: 10 }, play)).toBeGreaterThan(0)
  },
)
