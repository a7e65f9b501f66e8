import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import { testDatabase } from '../../../test/database.ts'
import { testClock } from '../../platform/runtime/clock.ts'
import { readConfig } from '../../platform/config/config.ts'
import { inTransaction, type Tx } from '../../platform/db/database.ts'
import { randomIds } from '../../platform/runtime/ids.ts'
import { createLog } from '../../platform/runtime/log.ts'
import { beginRecovery, markRestored, newestGeneration, nextKeyIndex, openGeneration } from './address-generations.ts'
import type { Watch } from './chain-watch.types.ts'
import { generationAt, generationOf, indexOf, keyIndexOf } from './deposit-address.ts'
import { recoverAddresses } from './recover-addresses.ts'

const { db } = await testDatabase()
const clock = testClock('2026-03-02T09:40:00Z')
const HOUR_MS = 3_600_000
const NINE = generationAt(clock.now())
const after = (hours: number) => new Date(clock.now().getTime() + hours * HOUR_MS)
const open = (at = clock.now()) => inTransaction(db, (tx) => openGeneration(tx, at))
const draw = (at = clock.now()) => inTransaction(db, (tx) => nextKeyIndex(tx, at))
const recoveries = () =>
  db.selectFrom('chain_address_recovery').select(['next_generation as next', 'last_generation as last', 'ended_at']).orderBy('id').execute()
/** Simulates a restored copy: another database opened the hours. */
const restored = () => sql`update chain_address_generation set database = 'another copy'`.execute(db)

/** Addresses used on the chain. */
let used = new Set<string>()
const addressAt = (keyIndex: number) => `0x${keyIndex.toString(16).padStart(40, '0')}`
const watch = {
  deps: { config: readConfig({ NODE_ENV: 'test' }), clock, ids: randomIds, log: createLog('silent') },
  lease: {
    read: <T>(look: (from: typeof db) => Promise<T>) => look(db),
    inTransaction: <T>(work: (tx: Tx) => Promise<T>) => inTransaction(db, work),
  },
  node: { used: (_: unknown, addresses: readonly string[]) => Promise.resolve(addresses.map((address) => used.has(address))) },
  tokens: [],
  addressAt,
  addressGap: 25,
} as unknown as Watch
const keyIndexes = async () =>
  (await db.selectFrom('chain_address').select(['key_index', 'invoice_id']).orderBy('key_index').execute()).map(
    ({ key_index, invoice_id }) => [generationOf(Number(key_index)) - NINE, indexOf(Number(key_index)), invoice_id] as const,
  )

beforeEach(async () => {
  used = new Set()
  for (const table of ['chain_address', 'chain_address_generation', 'chain_address_recovery'] as const) await db.deleteFrom(table).execute()
})

describe('an address generation', () => {
  it('[I8] numbers indexes from 1 in each hour, and uses each once', async () => {
    expect(await draw()).toBeUndefined()
    await open()
    await open()
    expect([await draw(), await draw()]).toEqual([keyIndexOf(NINE, 1), keyIndexOf(NINE, 2)])
    // The new hour starts once the worker opens it. The old hour serves until then, for at most one hour.
    expect(await draw(after(1))).toBe(keyIndexOf(NINE, 3))
    expect(await draw(after(2))).toBeUndefined()
    await open(after(1))
    expect([await draw(after(1)), await draw(after(1))]).toEqual([keyIndexOf(NINE + 1, 1), keyIndexOf(NINE + 1, 2)])
  })

  it('[I8] uses each index once when many calls run at once', async () => {
    await open()
    const drawn = await Promise.all(Array.from({ length: 30 }, () => draw()))
    expect(new Set(drawn).size).toBe(30)
  })

  it.each([
    ['the system identifier, the timeline or the table changed', restored],
    ['the restore command marked the database', () => markRestored(db)],
  ])('[I8] gives no address before the next hour when %s', async (_, restore) => {
    await open()
    const drawn = await draw()
    await restore()
    // Restores the counter from the backup.
    await sql`select setval('chain_address_key_index', 1)`.execute(db)
    expect(await draw()).toBeUndefined()
    await open()
    await open()
    expect([await draw(), await recoveries()]).toEqual([undefined, [{ next: NINE, last: NINE, ended_at: null }]])
    await open(after(1))
    const next = await draw(after(1))
    expect(next).toBe(keyIndexOf(NINE + 1, 1))
    expect(next).not.toBe(drawn)
    expect(await recoveries()).toHaveLength(1)
  })

  it('[I8] covers every hour since the backup in the recovery', async () => {
    await open()
    await restored()
    await open(after(5))
    // The lost part may have given addresses of this hour, too, so the next rounds open none.
    await open(after(5))
    expect([await newestGeneration(db), await draw(after(5))]).toEqual([NINE, undefined])
    expect(await recoveries()).toEqual([{ next: NINE, last: NINE + 5, ended_at: null }])
    await open(after(6))
    expect(await newestGeneration(db)).toBe(NINE + 6)
  })

  const rescan = () => inTransaction(db, (tx) => beginRecovery(tx, { from: NINE + 1, to: NINE + 1, now: clock.now() }))
  const restoredBefore = async () => {
    await markRestored(db)
    await open(after(1))
  }
  it.each([
    ['an earlier restore', restoredBefore, () => undefined],
    ['a repeated scan before it', rescan, () => undefined],
    ['a repeated scan right after it', () => undefined, rescan],
  ])('[I8] recovers the hours of each restore, also with %s', async (_, beforeIt, afterIt) => {
    await open()
    await beforeIt()
    await open(after(2))
    expect(await newestGeneration(db)).toBe(NINE + 2)
    await markRestored(db)
    await afterIt()
    const known = await recoveries()
    await open(after(4))
    await open(after(4))
    expect([await draw(after(4)), await recoveries()]).toEqual([undefined, [...known, { next: NINE + 2, last: NINE + 4, ended_at: null }]])
    await open(after(5))
    expect(await draw(after(5))).toBe(keyIndexOf(NINE + 5, 1))
    expect(await recoveries()).toHaveLength(known.length + 1)
  })
})

describe('address recovery', () => {
  const recover = (from: number, to: number) => inTransaction(db, (tx) => beginRecovery(tx, { from, to, now: clock.now() }))

  it('[I8] stores the next indexes of each hour without an invoice, until a gap of unused addresses', async () => {
    await db
      .insertInto('chain_address')
      .values({ address: addressAt(keyIndexOf(NINE, 3)), key_index: BigInt(keyIndexOf(NINE, 3)), invoice_id: 'known' })
      .execute()
    used.add(addressAt(keyIndexOf(NINE + 1, 20)))
    used.add(addressAt(keyIndexOf(NINE + 1, 44)))
    await recover(NINE, NINE + 1)
    expect(await recoverAddresses(watch)).toBe(true)
    const lost = (hour: number, from: number, to: number) => Array.from({ length: to - from + 1 }, (_, step) => [hour, from + step, null])
    expect(await keyIndexes()).toEqual([[0, 3, 'known'], ...lost(0, 4, 28), ...lost(1, 0, 69)])
    expect(await recoveries()).toEqual([{ next: NINE + 2, last: NINE + 1, ended_at: clock.now() }])
    expect(await recoverAddresses(watch)).toBe(true)
  })

  it('[I8] continues after an interruption, a few hours at a time, and blocks the block scan until it ends', async () => {
    await recover(NINE, NINE + 11)
    expect([await recoverAddresses(watch), await recoverAddresses(watch)]).toEqual([false, true])
    expect(await keyIndexes()).toHaveLength(12 * 25)
  })
})
