import { sql } from 'kysely'
import { describe, expect, inject, it } from 'vitest'
import { searchFor, searchTimeout } from '../../../../test/search.ts'
import { testDatabase } from '../database.ts'
import type { Db } from '../../src/platform/db/database.ts'
import { simulate, SimulationFailed } from './simulator.ts'

/** Seeds that once found a fault. They run every time; add new ones and never remove any. */
const KEPT_SEEDS: readonly number[] = [2, 1_727]

const database = await testDatabase(2)
const otherDatabase = await testDatabase(2)
/** Story pairs in a short run. */
const PAIRS = inject('testDatabase').kind === 'postgres' ? 30 : 20

const onOneConnection = <T>(work: (connection: Db) => Promise<T>, where = database) =>
  where.db.connection().execute(async (connection) => {
    await sql`set synchronous_commit = off`.execute(connection)
    await sql`set statement_timeout = 0`.execute(connection)
    await sql`set idle_in_transaction_session_timeout = 0`.execute(connection)
    return work(connection)
  })

/** Runs a seed's story on a database connection. */
async function playStory(connection: Db, where: typeof database, seed: number) {
  await simulate(connection, seed, { audit: seed % 25 === 0 })
  // Vacuums dead rows of rolled-back stories, which slow down every later story.
  if (seed % 25 === 0) await where.pool.query('vacuum ledger_account, ledger_transfer')
}

describe('ledger simulator', () => {
  it('[RW-13] keeps every invariant in stories that failed before', async () => {
    await onOneConnection(async (connection) => {
      for (const seed of KEPT_SEEDS) await expect(playStory(connection, database, seed)).resolves.toBeUndefined()
    })
  })

  it(
    '[RW-13] keeps every invariant through stories of crashes, repeats and stale workers',
    { timeout: searchTimeout(120_000) },
    async () => {
      const playPairs = (one: Db, other: Db) =>
        searchFor('ledger simulator, in pairs', { short: PAIRS }, async (seed) => {
          await Promise.all([playStory(one, database, 2 * seed - 1), playStory(other, otherDatabase, 2 * seed)])
        })
      expect(await onOneConnection((one) => onOneConnection((other) => playPairs(one, other), otherDatabase))).toBeGreaterThan(0)
    },
  )
})

/** Runs seeds against a planted flaw in a database function until one detects it. */
async function firstToFind(
  name: string,
  change: (text: string) => string,
  also = 'select 1',
  seeds = 60,
): Promise<SimulationFailed | undefined> {
  return onOneConnection(async (connection) => {
    const found = await sql<{ text: string }>`select pg_get_functiondef(${name}::regproc) as text`.execute(connection)
    const text = found.rows[0]?.text ?? ''
    expect(change(text)).not.toBe(text)
    await sql.raw(also).execute(connection)
    await sql.raw(change(text)).execute(connection)
    try {
      for (let seed = 1; seed <= seeds; seed += 1) {
        await simulate(connection, seed)
      }
      return undefined
    } catch (error) {
      if (error instanceof SimulationFailed) return error
      throw error
    } finally {
      await sql.raw(text).execute(connection)
    }
  })
}

it('finds a posting that skips the balance check', async () => {
  const failure = await firstToFind(
    'ledger_post',
    (text) => text.replace('balances[d] - amount < floors[d]', 'false'),
    'alter table ledger_account drop constraint ledger_account_covered, drop constraint ledger_account_new_money_held',
  )
  expect(failure?.message).toMatch(/expected INSUFFICIENT_BALANCE|expected NOT_COVERED|expected COIN_SOLD_OUT|not covered/)
  await sql`alter table ledger_account add constraint ledger_account_covered check (balance >= min_balance),
    add constraint ledger_account_new_money_held check (new_money = 0 or ledger_keeps_new_money(id) and new_money between 0 and balance)`.execute(
    database.db,
  )
})

it('finds an idempotency key that does not stop a repeat', async () => {
  const failure = await firstToFind(
    'ledger_post',
    (text) => text.replace('earlier[at_work] is not null', 'false'),
    'drop index ledger_transfer_by_key',
  )
  expect(failure?.message).toMatch(/expected repeated|is a repeat|expected true|ended before/)
  await sql`create unique index ledger_transfer_by_key on ledger_transfer (key) where key is not null`.execute(database.db)
})

it('finds balances that are only partly rolled back when a linked transfer is rejected', async () => {
  const failure = await firstToFind('ledger_post', (text) =>
    text.replace('for j in reverse o_count .. mark + 1', 'for j in reverse o_count .. mark + 2'),
  )
  expect(failure?.message).toMatch(/I2|I3|holds/)
})

it('finds a lost credit', async () => {
  const failure = await firstToFind('ledger_post', (text) =>
    text
      .replace('n.hits > 0;', 'n.hits > 0 and not (n.id > 0 and n.balance % 13 = 0);')
      .replace('if written <>', 'if false and written <>'),
  )
  expect(failure?.message).toMatch(/I1|I2/)
})

it('repeats the same run for the same seed', async () => {
  const flawed = () =>
    firstToFind('ledger_post', (text) => text.replace('for j in reverse o_count .. mark + 1', 'for j in reverse o_count .. mark + 2'))
  const [first, second] = [await flawed(), await flawed()]
  expect(first?.seed).toBe(second?.seed)
})
