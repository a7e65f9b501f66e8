import { sql } from 'kysely'
import { beforeEach, expect, it } from 'vitest'
import { testDatabase } from '../../../../test/database.ts'
import { CHAIN, minedAt, fakeNode, USD } from '../../../../test/sent-payouts.ts'
import { readConfig } from '../../../platform/config/config.ts'
import { inTransaction } from '../../../platform/db/database.ts'
import { testClock } from '../../../platform/runtime/clock.ts'
import { randomIds } from '../../../platform/runtime/ids.ts'
import { createLog } from '../../../platform/runtime/log.ts'
import { FIRST_CHECK_MS, resendLostMoves } from './resend-moves.ts'
import type { Sweeper } from './sweeper.ts'

const { db } = await testDatabase()
const clock = testClock('2026-03-02T09:00:00Z')
const deps = { config: readConfig({ NODE_ENV: 'test' }), clock, ids: randomIds, log: createLog('silent') }
const DAY_MS = 86_400_000
let [node, secondNode] = [fakeNode(), fakeNode()]
/** The job uses no key, because it only sends stored transactions. */
const sweeper = (): Sweeper => ({
  lease: { read: (run) => run(db), inTransaction: (work) => inTransaction(db, work) },
  deps,
  node: node.node,
  secondNode: secondNode.node,
  keys: { addressAt: () => '', sign: () => Promise.reject(new Error('nothing is signed')) },
  rules: { chainId: CHAIN, to: `0x${'ab'.repeat(20)}`, minAmounts: new Map(), maxGasPrice: 100_000n },
  mayMove: () => Promise.resolve(true),
})
const resend = (maySend = true) => resendLostMoves(sweeper(), maySend)
const sources = () => [node, secondNode]

beforeEach(async () => {
  ;[node, secondNode] = [fakeNode(), fakeNode()]
  await inTransaction(db, async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx)
    for (const table of ['signed_transaction', 'chain_move', 'chain_incident', 'chain_address'] as const)
      await tx.deleteFrom(table).execute()
  })
})

let moves = 0
/** Stores a completed move of block 80, and mines it in both sources. */
async function ended(kind: 'GAS' | 'SWEEP' = 'SWEEP', state: 'DONE' | 'FAILED' = 'DONE', chain = CHAIN): Promise<string> {
  moves += 1
  const [address, hash] = [`0x${String(moves).padStart(40, '0')}`, `0xh${moves}`]
  await db
    .insertInto('chain_address')
    .values({ address, key_index: BigInt(moves) })
    .execute()
  const at = clock.now()
  const { id } = await db
    .insertInto('chain_move')
    .values({
      chain_id: BigInt(chain),
      kind,
      wallet: address,
      nonce: 0n,
      address,
      to_address: address,
      token: kind === 'GAS' ? null : (USD ?? ''),
      amount: '5',
      state,
      made_at: at,
      ended_at: at,
      check_at: new Date(at.getTime() + FIRST_CHECK_MS),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const row = { move_id: id, gas_price: '1', made_at: at }
  await db
    .insertInto('signed_transaction')
    .values([
      { ...row, hash, raw: `raw ${hash}`, block: 80n, block_hash: '0xb80', gas_used: 1n, gas_paid: '1' },
      { ...row, hash: `${hash}-other`, raw: `raw ${hash}-other` },
    ])
    .execute()
  for (const { nodeState } of sources()) nodeState.mined.set(hash, minedAt(80, []))
  return hash
}
const reorganise = () =>
  sources().forEach(({ nodeState }) => {
    nodeState.mined.clear()
    nodeState.blockHash = (block) => `0xnew${block}`
  })
const incidents = () => db.selectFrom('chain_incident').select(['kind', 'from_block', 'transfers']).orderBy('id').execute()
const rows = () =>
  db.selectFrom('chain_move').select(['state', 'ended_at', 'check_at']).where('chain_id', '=', BigInt(CHAIN)).orderBy('id').execute()

it('[I7] sends completed token sweeps and gas again when a deep reorg removed them, and records one incident', async () => {
  const hashes = [await ended(), await ended('GAS'), await ended('SWEEP', 'FAILED')]
  await ended('SWEEP', 'DONE', 2)
  reorganise()
  expect([await resend(), node.nodeState.asked]).toEqual([0, []])
  clock.advance(FIRST_CHECK_MS)
  const before = await rows()
  expect([await resend(), node.nodeState.sent]).toEqual([3, hashes.map((hash) => `raw ${hash}`)])
  const again = new Date(clock.now().getTime() + FIRST_CHECK_MS)
  expect(await rows()).toEqual(before.map((row) => ({ ...row, check_at: again })))
  const noted = await incidents()
  expect(noted).toMatchObject([{ kind: 'SWEEP_GONE', from_block: 80n }])
  expect(JSON.parse(JSON.stringify(noted[0]?.transfers).replaceAll(/0x0+\d+/g, 'ADDRESS'))).toEqual([
    `${hashes[0]} (sweep by ADDRESS, number 0, DONE)`,
    `${hashes[1]} (gas by ADDRESS, number 0, DONE)`,
    `${hashes[2]} (sweep by ADDRESS, number 0, FAILED)`,
  ])
  clock.advance(FIRST_CHECK_MS)
  expect([await resend(), await incidents()]).toEqual([3, noted])
  // One of them is mined again, in another block.
  for (const { nodeState } of sources()) nodeState.mined.set(hashes[0] ?? '', minedAt(85, []))
  clock.advance(FIRST_CHECK_MS)
  expect([await resend(), await incidents()]).toEqual([2, noted])
})

it('[I7] records the incident and sends nothing during an emergency pause, and sends after it', async () => {
  await ended()
  reorganise()
  clock.advance(FIRST_CHECK_MS)
  expect([await resend(false), node.nodeState.sent, (await incidents()).length]).toEqual([0, [], 1])
  clock.advance(FIRST_CHECK_MS)
  expect([await resend(), (await incidents()).length]).toEqual([1, 1])
})

it.each<[string, (hash: string) => void]>([
  ['the second source is behind its block', () => (secondNode.nodeState.blockHash = () => null)],
  ['the node is behind its block', () => (node.nodeState.blockHash = () => null)],
  ['a source still has the block', () => (secondNode.nodeState.blockHash = (block) => `0xb${block}`)],
  ['a source has the transaction in another block', (hash) => secondNode.nodeState.mined.set(hash, minedAt(90, []))],
  ['another transaction of the move was mined', (hash) => node.nodeState.mined.set(`${hash}-other`, minedAt(90, []))],
])('[I7] leaves a completed token sweep when %s', async (_, tell) => {
  const hash = await ended()
  reorganise()
  tell(hash)
  clock.advance(FIRST_CHECK_MS)
  expect([await resend(), node.nodeState.sent, await incidents()]).toEqual([0, [], []])
})

it('[I7] checks a completed token sweep for three days, at doubled intervals', async () => {
  await ended()
  const from = clock.now().getTime()
  const checks: number[] = []
  for (;;) {
    const at = (await rows())[0]?.check_at
    if (at === null || at === undefined) break
    checks.push((at.getTime() - from) / 60_000)
    clock.advance(at.getTime() - clock.now().getTime())
    await resend()
  }
  expect(checks).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192])
  expect(clock.now().getTime() - from).toBeGreaterThan(3 * DAY_MS)
})

it('[I7] checks a hundred completed token sweeps per round, the most overdue first', async () => {
  for (let made = 0; made < 101; made += 1) await ended()
  clock.advance(FIRST_CHECK_MS)
  await resend()
  const due = () => rows().then((all) => all.filter(({ check_at }) => check_at !== null && check_at <= clock.now()).length)
  expect(await due()).toBe(1)
  await resend()
  expect(await due()).toBe(0)
})
