import { ONE } from '@tizara/money'
import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import { testDatabase } from '../../../test/database.ts'
import { testClock } from '../../platform/runtime/clock.ts'
import { readConfig } from '../../platform/config/config.ts'
import { inTransaction, type Tx } from '../../platform/db/database.ts'
import { randomIds } from '../../platform/runtime/ids.ts'
import { createLog } from '../../platform/runtime/log.ts'
import { answerIncident, hasOpenIncident } from './incidents.ts'
import { beginAt, deleteSums, isAlive, saveBlocks, savedBlocks, moveCursor, moveFinal, recordHeads, readCursor } from './chain-cursor.ts'
import { chainHealth, chainIncidents } from './chain-health.ts'
import type { ChainSettings } from './chain.jobs.ts'
import { awaitsConfirmations, isOwnAddress, recordFinal, recordTransfers, seenIn, type Sighting, sightingsOf } from './chain-transfers.ts'
import type { TokenLog } from './chain-node.ts'
import { finalTransfersTo, numberBefore, verifyMacsAfter } from './final-transfer.ts'

const { db } = await testDatabase()
const clock = testClock('2026-03-02T09:00:00Z')
const config = readConfig({ NODE_ENV: 'test' })
const deps = { config, clock, ids: randomIds, log: createLog('silent') }
const at = clock.now()
const after = (seconds: number) => new Date(at.getTime() + seconds * 1000)
const [COIN, USD] = [`0x${'c0'.repeat(20)}`, `0x${'d0'.repeat(20)}`]
const [MINE, YOURS] = [`0x${'a1'.repeat(20)}`, `0x${'a2'.repeat(20)}`]
const tables = [
  'chain_transfer',
  'chain_move',
  'chain_block',
  'chain_cursor',
  'chain_address',
  'chain_incident',
  'chain_checkpoint',
] as const
const within = <T>(work: (tx: Tx) => Promise<T>) => inTransaction(db, work)
beforeEach(async () => {
  for (const table of tables) await db.deleteFrom(table).execute()
  for (const [index, address] of [MINE, YOURS].entries())
    await db
      .insertInto('chain_address')
      .values({ address, key_index: BigInt(index), invoice_id: `invoice-${index}` })
      .execute()
})

describe('chain cursor', () => {
  const cursors = () => db.selectFrom('chain_cursor').selectAll().orderBy('chain_id').execute()
  const header = (number: number, hash = `0x${number}`) => ({ number, hash, parentHash: '', time: after(number) })

  it('belongs to one chain, and advances each of its parts separately', async () => {
    expect(await readCursor(db, 1)).toBeNull()
    for (const chain of [1, 2]) await within((tx) => beginAt(tx, chain, header(7), at))
    const [one, two] = await cursors()
    expect(one).toEqual({
      chain_id: 1n,
      block: 7n,
      block_hash: '0x7',
      block_time: after(7),
      final_block: 7n,
      seen_at: at,
      tokens_scanned_to: null,
      head_at: after(7),
      second_head_at: null,
      rejected_tokens: {},
    })
    expect(await readCursor(db, 2)).toEqual({ block: 7, hash: '0x7', time: after(7), finalBlock: 7, seenAt: at })
    expect(await savedBlocks(db, 1, 7)).toEqual([{ number: 7, hash: '0x7', time: after(7) }])
    await within((tx) => moveCursor(tx, 1, header(9)))
    const moved = { ...one, block: 9n, block_hash: '0x9', block_time: after(9) }
    expect(await cursors()).toEqual([moved, two])
    await within((tx) => moveFinal(tx, 1, 8))
    await within((tx) => recordHeads(tx, { chainId: 1 }, after(5), [header(10)]))
    expect(await cursors()).toEqual([{ ...moved, final_block: 8n, seen_at: after(5), head_at: after(10) }, two])
    const found = (seconds: number) => chainHealth(db, { chainId: 1 } as ChainSettings, after(seconds))
    expect([await found(125), (await found(126)).alive]).toEqual([
      { seenAt: after(5), headAt: after(10), alive: true, incidents: 0 },
      false,
    ])
    expect((await chainHealth(db, { chainId: 3 } as ChainSettings, at)).seenAt).toBeNull()
  })

  it('counts as alive for two minutes after the last scan and the last head, and never before the first scan', () => {
    const [young, old] = [after(120), new Date(after(120).getTime() + 1)]
    const known = (seen: number, head: number) => ({ seenAt: after(seen), headAt: after(head) })
    expect([isAlive(null, at), isAlive(known(0, 0), young), isAlive(known(0, 0), old)]).toEqual([false, true, false])
    // Covers a node that answers without new blocks, and a node that stopped answering.
    expect([isAlive(known(1, 0), old), isAlive(known(0, 1), old), isAlive(known(1, 1), old)]).toEqual([false, false, true])
  })

  it('keeps the newest 256 blocks of its chain', async () => {
    const blocks = (chain: number, from: number, to: number) =>
      sql`insert into chain_block (chain_id, number, hash, block_time) select ${chain}, n, '0x' || n, ${at} from generate_series(${from}::int, ${to}::int) n`.execute(
        db,
      )
    await blocks(1, 1, 256)
    await blocks(2, 0, 0)
    await blocks(2, 1000, 1300)
    await within((tx) => saveBlocks(tx, 1, [header(257), header(200, '0xnew')]))
    const kept = await db.selectFrom('chain_block').select(['chain_id', 'number', 'hash']).orderBy('chain_id').orderBy('number').execute()
    const [mine, theirs] = [kept.filter(({ chain_id }) => chain_id === 1n), kept.filter(({ chain_id }) => chain_id === 2n)]
    expect([mine.length, mine[0]?.number, mine.at(-1)?.number, theirs.length]).toEqual([256, 2n, 257n, 302])
    expect(mine.find(({ number }) => number === 200n)?.hash).toBe('0xnew')
    const found = await savedBlocks(db, 1, 257)
    expect([found.length, found[0]?.number, found.at(-1)?.number]).toEqual([256, 257, 2])
    expect((await savedBlocks(db, 1, 3)).map(({ number }) => number)).toEqual([3, 2])
    expect(await savedBlocks(db, 2, 1300)).toHaveLength(256)
  })

  it('deletes the checkpoints of its chain above a block', async () => {
    const sums = (chain_id: bigint, part: string, until_block: bigint) =>
      db.insertInto('chain_checkpoint').values({ chain_id, part, until: at, until_block, sums: '{}', mac: Buffer.of() }).execute()
    await sums(1n, 'BOOKS', 8n)
    await sums(1n, 'WALLETS', 8n)
    await sums(2n, 'BOOKS', 8n)
    const left = async () => (await db.selectFrom('chain_checkpoint').selectAll().execute()).length
    await within((tx) => deleteSums(tx, 1, 8))
    expect(await left()).toBe(3)
    await within((tx) => deleteSums(tx, 1, 7))
    const rest = await db.selectFrom('chain_checkpoint').select(['chain_id', 'part']).orderBy('chain_id').execute()
    expect(rest).toEqual([
      { chain_id: 1n, part: 'WALLETS' },
      { chain_id: 2n, part: 'BOOKS' },
    ])
  })
})

const log = (more: Partial<TokenLog> = {}): TokenLog => ({
  txHash: '0x1',
  token: COIN ?? '',
  from: `0x${'fe'.repeat(20)}`,
  to: MINE ?? '',
  amount: 5n * 10n ** 18n,
  block: 10,
  blockHash: '0xb',
  logIndex: 0,
  ...more,
})

describe('sightings from logs', () => {
  const token = (address: string | undefined, decimals: number, asset: 'COIN' | 'USD') => ({ address: address ?? '', decimals, asset })
  const watched = { tokens: [token(COIN, 18, 'COIN'), token(USD, 6, 'USD')] } as unknown as Parameters<typeof sightingsOf>[0]
  const headers = new Map([10, 11].map((number) => [number, { number, hash: '', parentHash: '', time: after(number) }]))
  const seen = (...logs: TokenLog[]) => sightingsOf(watched, logs, headers)

  it('are numbered by transaction, token and receiver, with amounts in units', () => {
    const logs = [
      log(),
      log(),
      log({ txHash: '0x2' }),
      log({ to: YOURS ?? '' }),
      log({ token: USD ?? '', amount: 5_000_001n, block: 11 }),
      log({ amount: 10n ** 10n - 1n }),
    ]
    expect(seen(...logs).map(({ ordinal, asset, amount, time }) => [ordinal, asset, amount, time])).toEqual([
      [0, 'COIN', 5n * ONE, after(10)],
      [1, 'COIN', 5n * ONE, after(10)],
      [0, 'COIN', 5n * ONE, after(10)],
      [0, 'COIN', 5n * ONE, after(10)],
      [0, 'USD', 500_000_100n, after(11)],
      [2, 'COIN', 0n, after(10)],
    ])
  })

  it('leave out other contracts, unknown blocks and impossible amounts', () => {
    const [most, more] = [2n ** 62n * 10n ** 10n, (2n ** 62n + 1n) * 10n ** 10n]
    const found = seen(log({ token: '0xf' }), log({ block: 12 }), log({ amount: more }), log({ amount: most }))
    expect(found.map(({ amount, ordinal }) => [amount, ordinal])).toEqual([[2n ** 62n, 2]])
  })
})

describe('stored transfers of a chain', () => {
  let moved: string[][] = []
  beforeEach(() => void (moved = []))
  const onTransfersRecorded = (_: Tx, addresses: readonly string[]) => Promise.resolve(void moved.push([...addresses]))
  const chain = { chainId: 1, deps, onTransfersRecorded }
  const sighting = (more: Partial<TokenLog> = {}, options: Partial<Sighting> = {}): Sighting => ({
    log: log(more),
    ordinal: 0,
    asset: 'COIN',
    amount: 5n * ONE,
    balanceFits: true,
    time: after(10),
    ...options,
  })
  const see = (...sightings: Sighting[]) => within((tx) => recordTransfers(tx, chain, sightings))
  const end = (from: number, to: number, ...sightings: Sighting[]) =>
    within((tx) => recordFinal(tx, chain, { range: { from, to }, sightings }))
  const rows = () => db.selectFrom('chain_transfer').selectAll().orderBy('tx_hash').orderBy('chain_id').orderBy('address').execute()
  const states = async () => (await rows()).map(({ tx_hash, chain_id, state }) => `${tx_hash} of ${chain_id} ${state}`)

  it('report their addresses once, and again when they change', async () => {
    expect([await see(), moved]).toEqual([0, []])
    expect(await see(sighting(), sighting({}, { ordinal: 1 }), sighting({ to: YOURS ?? '' }))).toBe(3)
    expect(moved.map((addresses) => addresses.toSorted())).toEqual([[MINE, YOURS]])
    expect(await see(sighting())).toBe(0)
    expect([await see(sighting({ block: 11 })), await see(sighting({ block: 11 }, { amount: 4n }))]).toEqual([1, 1])
    expect(moved).toHaveLength(3)
    expect((await rows()).map(({ address, block, amount, state }) => [address, block, amount, state])).toContainEqual([
      MINE,
      11n,
      4n,
      'SEEN',
    ])
  })

  it('keeps a final row with the watcher’s MAC, and overwrites one without a valid MAC', async () => {
    await see(sighting({ txHash: '0x1' }), sighting({ txHash: '0x2' }))
    expect(await end(10, 10, sighting({ txHash: '0x1' }), sighting({ txHash: '0x2' }))).toBe(2)
    const final = await rows()
    expect(final[0]).toMatchObject({ state: 'FINAL', final_mac: expect.any(Buffer) })
    moved = []
    const other = { amount: 9n * ONE }
    expect(await see(sighting({ txHash: '0x1' }, other))).toBe(0)
    expect(await end(10, 10, sighting({ txHash: '0x1' }, other), sighting({ txHash: '0x2' }))).toBe(0)
    expect([await rows(), moved]).toEqual([final, []])
    await db
      .updateTable('chain_transfer')
      .set({ final_mac: null, amount: 900n * ONE })
      .where('tx_hash', '=', '0x1')
      .execute()
    expect([...(await finalTransfersTo(db, config, MINE ?? ''))].map(([key]) => key)).toEqual([`1:0x2:${COIN}:${MINE}:0`])
    expect(await end(10, 10, sighting({ txHash: '0x1' }))).toBe(1)
    expect(await rows()).toEqual(final.map((row) => ({ ...row, final_mac: expect.any(Buffer) })))
    expect(moved).toEqual([[MINE]])
    // A final row with an invented MAC or an edited amount does not keep out the true one.
    for (const forgery of [{ final_mac: Buffer.alloc(60, 1) }, { amount: 900n * ONE }]) {
      await db.updateTable('chain_transfer').set(forgery).where('tx_hash', '=', '0x1').execute()
      expect([await end(10, 10, sighting({ txHash: '0x1' })), (await finalTransfersTo(db, config, MINE ?? '')).size]).toEqual([1, 2])
    }
    await db
      .updateTable('chain_transfer')
      .set({ final_mac: Buffer.alloc(60, 1) })
      .where('tx_hash', '=', '0x2')
      .execute()
    expect(await see(sighting({ txHash: '0x2' }))).toBe(1)
    expect([await end(10, 10, sighting({ txHash: '0x2' })), (await rows()).map(({ state }) => state)]).toEqual([1, ['FINAL', 'FINAL']])
    expect([...(await finalTransfersTo(db, config, MINE ?? '')).values()]).toEqual(
      Array.from({ length: 2 }, () => ({ asset: 'COIN', amount: 5n * ONE })),
    )
    expect([...(await finalTransfersTo(db, config, YOURS ?? ''))]).toEqual([])
  })

  it('become gone when they are in a finalized range but not among its transfers', async () => {
    const many = [9, 10, 11, 12].map((block) => sighting({ txHash: `0x${block}`, block }))
    await see(...many)
    await within((tx) => recordTransfers(tx, { ...chain, chainId: 2 }, many))
    await end(9, 9, sighting({ txHash: '0xf', block: 10 }))
    moved = []
    expect(await seenIn(db, 1, { from: 10, to: 11 })).toEqual(expect.arrayContaining(['0x10', '0x11', '0xf']))
    expect(await seenIn(db, 1, { from: 9, to: 9 })).toEqual([])
    expect((await seenIn(db, 2, { from: 9, to: 12 })).length).toBe(4)
    expect(await end(10, 11, sighting({ txHash: '0x11', block: 11 }))).toBe(2)
    expect(moved).toEqual([[MINE], [MINE]])
    expect(await states()).toEqual([
      '0x10 of 1 GONE',
      '0x10 of 2 SEEN',
      '0x11 of 1 FINAL',
      '0x11 of 2 SEEN',
      '0x12 of 1 SEEN',
      '0x12 of 2 SEEN',
      '0x9 of 1 GONE',
      '0x9 of 2 SEEN',
      '0xf of 1 FINAL',
    ])
    expect(await awaitsConfirmations(db)).toBe(true)
    await db.updateTable('chain_transfer').set({ state: 'GONE' }).where('state', '=', 'SEEN').execute()
    expect([await awaitsConfirmations(db), await end(10, 12), moved.length]).toEqual([false, 0, 2])
    // The watcher sees a returning transfer as new.
    expect([await see(sighting({ txHash: '0x10' })), await awaitsConfirmations(db)]).toEqual([1, true])
  })

  it('are verified by MAC in the order of their ids, from a given time on', async () => {
    expect(await numberBefore(db, at)).toBe(0n)
    await see(sighting({ txHash: '0x1' }), sighting({ txHash: '0x2' }, { time: after(20) }))
    await end(10, 10, sighting({ txHash: '0x3' }, { time: after(20) }), sighting({ txHash: '0x4' }, { time: after(30) }))
    await see(sighting({ txHash: '0x5' }))
    await db.updateTable('chain_transfer').set({ state: 'FINAL' }).where('tx_hash', '=', '0x5').execute()
    await db.updateTable('chain_transfer').set({ state: 'GONE' }).where('tx_hash', '=', '0x4').execute()
    const ids = new Map((await rows()).map(({ tx_hash, id }) => [tx_hash, id]))
    const id = (hash: string) => ids.get(hash) ?? -1n
    const of = async (behind: bigint, limit = 9) =>
      (await verifyMacsAfter(db, config, behind, limit)).map(({ id: one, isValid }) => [one, isValid])
    expect(await of(0n)).toEqual([
      [id('0x3'), true],
      [id('0x4'), true],
      [id('0x5'), false],
    ])
    expect([await of(id('0x3')), await of(0n, 1)]).toEqual([
      [
        [id('0x4'), true],
        [id('0x5'), false],
      ],
      [[id('0x3'), true]],
    ])
    expect(await numberBefore(db, after(20))).toBe(id('0x2') - 1n)
    expect(await numberBefore(db, after(30))).toBe(id('0x4') - 1n)
    expect(await numberBefore(db, after(31))).toBe(id('0x5'))
  })

  it('belong to one of the deposit addresses in any spelling', async () => {
    expect([await isOwnAddress(db, (MINE ?? '').toUpperCase().replace('0X', '0x')), await isOwnAddress(db, COIN ?? '')]).toEqual([
      true,
      false,
    ])
  })
})

it('incidents wait for separate answers; the list has the newest 20 first', async () => {
  expect(await hasOpenIncident(db)).toBe(false)
  for (let block = 1; block <= 22; block += 1)
    await db
      .insertInto('chain_incident')
      .values({ kind: 'FINAL_GONE', noted_at: at, from_block: BigInt(block), transfers: JSON.stringify(['0x1 0xa 0']) })
      .execute()
  const open = await chainIncidents(db)
  expect(open.map(({ fromBlock }) => fromBlock)).toEqual(Array.from({ length: 20 }, (_, index) => 22 - index))
  expect(open[0]).toEqual({ id: open[0]?.id, kind: 'FINAL_GONE', at, fromBlock: 22, transfers: ['0x1 0xa 0'] })
  const answer = (id: string, when = after(1)) => within((tx) => answerIncident(tx, id, when))
  const [newest] = open
  expect([await answer('none'), await answer(String(newest?.id)), await answer(String(newest?.id), after(2))]).toEqual([false, true, false])
  const answered = await db.selectFrom('chain_incident').select(['id', 'answered_at']).where('answered_at', 'is not', null).execute()
  expect(answered).toEqual([{ id: newest?.id, answered_at: after(1) }])
  expect((await chainIncidents(db))[0]?.fromBlock).toBe(21)
  expect([await hasOpenIncident(db), (await chainHealth(db, { chainId: 1 } as ChainSettings, at)).incidents]).toEqual([true, 21])
  await db.deleteFrom('chain_incident').where('answered_at', 'is', null).execute()
  expect([await hasOpenIncident(db), await chainIncidents(db)]).toEqual([false, []])
  const missing = [{ wallet: '0xw', token: 'native', lacks: '7' }]
  await db
    .insertInto('chain_incident')
    .values({ kind: 'WALLET_SPENT', noted_at: at, from_block: 0n, transfers: JSON.stringify(missing) })
    .execute()
  expect((await chainIncidents(db))[0]?.transfers).toEqual(['0xw lacks 7 of native'])
})
