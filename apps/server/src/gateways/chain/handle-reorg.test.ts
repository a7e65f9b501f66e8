import { beforeEach, expect, it } from 'vitest'
import { testDatabase } from '../../../test/database.ts'
import { testClock } from '../../platform/runtime/clock.ts'
import { readConfig } from '../../platform/config/config.ts'
import { inTransaction, type Tx } from '../../platform/db/database.ts'
import { randomIds } from '../../platform/runtime/ids.ts'
import { createLog } from '../../platform/runtime/log.ts'
import type { Cursor } from './chain-cursor.ts'
import { handleReorg } from './handle-reorg.ts'
import type { Watch } from './chain-watch.types.ts'

const { db } = await testDatabase()
const clock = testClock('2026-03-02T09:00:00Z')
const at = clock.now()
const time = (block: number) => new Date(at.getTime() + block * 1000)
const [MINE, YOURS] = ['0xa1', '0xa2']
let moved: string[][] = []
/** Block hashes of the fake node. It has no other blocks. */
let has = new Map<number, string>()
const watch = {
  chainId: 1,
  deps: { config: readConfig({ NODE_ENV: 'test' }), clock, ids: randomIds, log: createLog('silent') },
  lease: {
    read: <T>(look: (from: typeof db) => Promise<T>) => look(db),
    inTransaction: <T>(work: (tx: Tx) => Promise<T>) => inTransaction(db, work),
  },
  node: {
    headers: (numbers: readonly number[]) =>
      Promise.resolve(
        numbers.map((number) => {
          const hash = has.get(number)
          return hash === undefined ? null : { number, hash, parentHash: '', time: time(number) }
        }),
      ),
  },
  onTransfersRecorded: (_: Tx, addresses: readonly string[]) => Promise.resolve(void moved.push(addresses.toSorted())),
} as unknown as Watch
const CURSOR: Cursor = { block: 20, hash: '0x20', time: time(20), finalBlock: 9, seenAt: at }
const follow = (head = 20, cursor = CURSOR) => handleReorg(watch, cursor, head)
const rows = async () => ({
  cursors: await db.selectFrom('chain_cursor').selectAll().orderBy('chain_id').execute(),
  blocks: await db.selectFrom('chain_block').selectAll().orderBy('chain_id').orderBy('number').execute(),
  transfers: await db.selectFrom('chain_transfer').selectAll().orderBy('chain_id').orderBy('tx_hash').execute(),
  incidents: await db.selectFrom('chain_incident').select(['kind', 'noted_at', 'from_block', 'transfers']).orderBy('id').execute(),
  sums: await db.selectFrom('chain_checkpoint').select(['chain_id', 'until_block']).orderBy('chain_id').execute(),
})
const same = (from: number, to: number) => new Map(Array.from({ length: to - from + 1 }, (_, index) => [from + index, `0x${from + index}`]))

beforeEach(async () => {
  ;[moved, has] = [[], same(10, 20)]
  for (const table of ['chain_transfer', 'chain_block', 'chain_cursor', 'chain_address', 'chain_incident', 'chain_checkpoint'] as const)
    await db.deleteFrom(table).execute()
  for (const [index, address] of [MINE, YOURS].entries())
    await db
      .insertInto('chain_address')
      .values({ address: address ?? '', key_index: BigInt(index), invoice_id: `invoice-${index}` })
      .execute()
  for (const chain_id of [1n, 2n]) {
    const cursor = { block: 20n, block_hash: '0x20', block_time: time(20), final_block: 9n, seen_at: at }
    await db
      .insertInto('chain_cursor')
      .values({ chain_id, ...cursor })
      .execute()
    for (let number = 10; number <= 20; number += 1)
      await db
        .insertInto('chain_block')
        .values({ chain_id, number: BigInt(number), hash: `0x${number}`, block_time: time(number) })
        .execute()
    for (const [block, state, address] of [
      [15, 'SEEN', MINE],
      [15, 'FINAL', MINE],
      [16, 'SEEN', MINE],
      [16, 'FINAL', YOURS],
      [17, 'FINAL', MINE],
      [18, 'GONE', MINE],
    ] as const)
      await db
        .insertInto('chain_transfer')
        .values({
          chain_id,
          tx_hash: `0x${block}${state}`,
          address: address ?? '',
          ordinal: 0,
          token: '0xc',
          exact_amount: '1',
          amount: 1n,
          block: BigInt(block),
          block_time: time(block),
          state,
        })
        .execute()
    await db
      .insertInto('chain_checkpoint')
      .values({ chain_id, part: 'BOOKS', until: at, until_block: 16n, sums: '{}', mac: Buffer.of() })
      .execute()
  }
})

it.each<[string, number, Map<number, string>, Cursor | null]>([
  ['the chain has the stored blocks', 25, same(10, 25), CURSOR],
  ['the chain has the stored blocks and no newer ones', 20, same(10, 20), CURSOR],
  ['the node is behind', 19, same(10, 19), null],
  ['the node is far behind', 12, same(10, 12), null],
  ['the node is behind all stored blocks', 9, same(1, 9), null],
  ['the node lacks the block', 20, new Map(), null],
])('a reorg check removes nothing when %s', async (_, head, chain, cursor) => {
  has = chain
  const before = await rows()
  expect([await follow(head), await rows(), moved]).toEqual([cursor, before, []])
})

it.each([20, 18])('[I8] a reorg removes everything above the fork, of its chain only, at a head of %i', async (head) => {
  for (const number of [16, 17, 18, 19, 20]) has.set(number, `0xnew${number}`)
  const before = await rows()
  const cursor = await follow(head)
  expect(cursor).toEqual({ ...CURSOR, block: 15, hash: '0x15', time: time(15) })
  const gone = ['0x16FINAL', '0x16SEEN', '0x17FINAL']
  const lost = [`0x16FINAL ${YOURS} 0`, `0x17FINAL ${MINE} 0`]
  expect(await rows()).toEqual({
    cursors: before.cursors.map((one) => (one.chain_id === 1n ? { ...one, block: 15n, block_hash: '0x15', block_time: time(15) } : one)),
    blocks: before.blocks.filter(({ chain_id, number }) => chain_id === 2n || number <= 15n),
    transfers: before.transfers.map((one) => (one.chain_id === 1n && gone.includes(one.tx_hash) ? { ...one, state: 'GONE' } : one)),
    incidents: [{ kind: 'FINAL_GONE', noted_at: at, from_block: 16n, transfers: lost }],
    sums: before.sums.filter(({ chain_id }) => chain_id === 2n),
  })
  expect(moved).toEqual([[MINE, YOURS]])
  // The watcher drops a missing transfer only once.
  has.set(15, '0xnew15')
  moved = []
  expect(await follow(20, { ...CURSOR, block: 15, hash: '0x15' })).toMatchObject({ block: 14 })
  expect([(await rows()).incidents.length, moved]).toEqual([2, [[MINE]]])
})

it('[I8] a reorg moves the final block back, and records no incident when no final transfer is gone', async () => {
  for (const number of [18, 19, 20]) has.set(number, `0xnew${number}`)
  await db.updateTable('chain_cursor').set({ final_block: 19n }).execute()
  expect(await follow()).toMatchObject({ block: 17, finalBlock: 17 })
  const { incidents, cursors } = await rows()
  expect([incidents, moved, cursors.map(({ final_block }) => final_block)]).toEqual([[], [], [17n, 19n]])
})

it('[I8] a reorg deeper than the stored blocks stops the scan and is reported once, also for a second fork', async () => {
  has = new Map([...has.keys()].map((number) => [number, `0xnew${number}`]))
  const before = await rows()
  const deep = (from: bigint) => ({ kind: 'TOO_DEEP', noted_at: at, from_block: from, transfers: [] })
  for (let time_ = 0; time_ < 2; time_ += 1) {
    await expect(follow()).rejects.toThrow('before block 10')
    expect(await rows()).toEqual({ ...before, incidents: [deep(10n)] })
  }
  await db.deleteFrom('chain_block').where('number', '=', 10n).execute()
  await expect(follow()).rejects.toThrow('before block 11')
  expect((await rows()).incidents).toEqual([deep(10n), deep(11n)])
  // Another incident kind at the same block.
  await db.updateTable('chain_incident').set({ kind: 'FINAL_GONE' }).where('from_block', '=', 11n).execute()
  await expect(follow()).rejects.toThrow('before block 11')
  await db
    .updateTable('chain_incident')
    .set({ transfers: '["0x1"]' })
    .where('kind', '=', 'TOO_DEEP')
    .where('from_block', '=', 11n)
    .execute()
  await expect(follow()).rejects.toThrow('before block 11')
  expect((await rows()).incidents).toHaveLength(4)
  expect(moved).toEqual([])
})
