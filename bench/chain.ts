/**
 * `npm run bench -- chain`: compares the chain watcher with bare log queries to the node for the same blocks, in turns. One
 * transfer in a hundred pays an open invoice. Required: at least 20,000 transfers a second into the database with 10,000 open
 * invoices. Options: `--blocks 500` (100 transfers each), `--invoices 10000`, `--rounds 3`.
 */
import { createHash } from 'node:crypto'
import { readArguments } from '../apps/server/src/cli/command-line.mjs'
import { connectNode } from '../apps/server/src/gateways/chain/rpc.ts'
import { chainNode } from '../apps/server/src/gateways/chain/chain-node.ts'
import { watchChain } from '../apps/server/src/gateways/chain/watch-chain.ts'
import { systemClock } from '../apps/server/src/platform/runtime/clock.ts'
import { readConfig } from '../apps/server/src/platform/config/config.ts'
import { inTransaction, openDatabase } from '../apps/server/src/platform/db/database.ts'
import { randomIds } from '../apps/server/src/platform/runtime/ids.ts'
import { createLog } from '../apps/server/src/platform/runtime/log.ts'
import { migrate } from '../apps/server/src/platform/db/migrate.ts'
import { startChain } from '../test/chain/anvil.ts'
import { startPostgres } from '../test/postgres.ts'

/** Number of transfers per block, and number of these to the platform, each in a separate transaction. */
const TRANSFERS = 100
const OURS = 1
/** Blocks per call, as in the watcher. */
const RANGE = 200

const { values } = readArguments(import.meta.url, {
  blocks: { type: 'string', default: '500' },
  invoices: { type: 'string', default: '10000' },
  rounds: { type: 'string', default: '3' },
})
const blocks = Number(values.blocks)
const invoices = Number(values.invoices)

const address = (name: string) => `0x${createHash('sha256').update(name).digest('hex').slice(0, 40)}`
const invoiceAt = (index: number) => address(`invoice ${index % invoices}`)
const mean = (list: readonly number[]) => list.reduce((sum, value) => sum + value, 0) / list.length

const chain = await startChain()
const server = await startPostgres()
const database = openDatabase({ url: server.url }, { max: 4 })
try {
  await migrate(database.pool)
  await database.pool.query(
    `insert into chain_address (address, key_index, invoice_id) select a, n - 1, 'invoice-' || n from unnest($1::text[]) with ordinality t (a, n)`,
    [Array.from({ length: invoices }, (_, index) => invoiceAt(index))],
  )
  for (let block = 0; block < blocks; block += 1) {
    const to = Array.from({ length: TRANSFERS - OURS }, (_, index) => address(`${block} ${index}`))
    await chain.send(invoiceAt(block), 10n ** 18n)
    await chain.sendMany(
      to,
      to.map(() => 10n ** 18n),
    )
    await chain.mine()
  }
  await chain.mine(12)
  const head = Number(await chain.call<string>('eth_blockNumber'))
  const first = head - 12 - blocks
  const deps = { config: readConfig({ NODE_ENV: 'test' }), clock: systemClock, ids: randomIds, log: createLog('silent') }
  const lease = {
    read: <T>(query: (db: typeof database.db) => Promise<T>) => query(database.db),
    inTransaction: <T>(work: Parameters<typeof inTransaction<T>>[1]) => inTransaction(database.db, work),
  }
  const ask = connectNode(chain.url)
  const bare = async () => {
    const began = performance.now()
    // Reads twice, because the watcher reads the blocks of credits twice.
    for (const _ of ['quick', 'final'])
      for (let from = first + 1; from <= head; from += RANGE) {
        const range = {
          address: chain.token,
          fromBlock: `0x${from.toString(16)}`,
          toBlock: `0x${Math.min(head, from + RANGE - 1).toString(16)}`,
        }
        await ask([{ method: 'eth_getLogs', params: [range] }])
      }
    return performance.now() - began
  }
  const watched = async () => {
    await database.pool.query('truncate chain_cursor, chain_block, chain_transfer')
    const began = performance.now()
    await watchChain(lease, deps, {
      chainId: chain.chainId,
      tokens: [{ address: chain.token, decimals: 18, asset: 'COIN' }],
      startBlock: first,
      addressAt: String,
      addressGap: 1,
      node: chainNode(chain.url),
      onTransfersRecorded: () => Promise.resolve(),
    })
    const took = performance.now() - began
    const { rows } = await database.pool.query<{ count: number }>(
      `select count(*)::int as count from chain_transfer where state = 'FINAL' and amount = 100000000`,
    )
    if (rows[0]?.count !== blocks * OURS) throw new Error(`${rows[0]?.count} final transfers of ${blocks * OURS}`)
    return took
  }
  const times = { bare: [] as number[], watched: [] as number[] }
  for (let round = 0; round < Number(values.rounds); round += 1) {
    times.bare.push(await bare())
    times.watched.push(await watched())
  }
  const perSecond = (blocks * TRANSFERS) / (mean(times.watched) / 1000)
  console.log(`${blocks * TRANSFERS} transfers in ${blocks} blocks, ${invoices} open invoices, ${blocks * OURS} payments made final`)
  console.log(`bare calls ${times.bare.map(Math.round).join(', ')} ms; watcher, both passes ${times.watched.map(Math.round).join(', ')} ms`)
  console.log(`${Math.round(perSecond)} transfers a second into the database (required 20,000)`)
  console.log(`ratio: ${(mean(times.bare) / mean(times.watched)).toFixed(2)}`)
} finally {
  await database.close()
  await server.stop()
  await chain.stop()
}
