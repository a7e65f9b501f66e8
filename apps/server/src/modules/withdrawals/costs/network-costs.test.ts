import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import { testDatabase } from '../../../../test/database.ts'
import { createTestMember } from '../../../../test/members.ts'
import type { Lease } from '../../../jobs/lease.ts'
import { balanceOfSystemAccount } from '../../../ledger/index.ts'
import { DAY_MS, testClock } from '../../../platform/runtime/clock.ts'
import { readConfig } from '../../../platform/config/config.ts'
import { inTransaction, type Tx } from '../../../platform/db/database.ts'
import { randomIds } from '../../../platform/runtime/ids.ts'
import { createLog } from '../../../platform/runtime/log.ts'
import { bookCosts, costJob } from './book-costs.ts'
import { networkCosts, unbookedTransactions } from './network-costs.queries.ts'

const { db } = await testDatabase()
const now = new Date('2026-03-31T09:00:00Z')
const ago = (days: number, ms = 0) => new Date(now.getTime() - days * DAY_MS + ms)

it('[I7] sums network costs and fees of the requested days, to the moment', async () => {
  expect(await networkCosts(db, now, 30)).toEqual({ transactions: 0, wei: 0n, usd: 0n, networkFees: 0n })
  const cost = (hash: string, source: string, wei: number, usd: bigint, ended_at: Date) =>
    db
      .insertInto('network_cost')
      .values({ hash, source, wei: String(wei), price: 1n, usd, ended_at, booked_at: now })
      .execute()
  await cost('0x1', 'PAYOUT', 1, 10n, ago(30, 1))
  await cost('0x2', 'MOVE', 2, 20n, ago(1))
  await cost('0x3', 'PAYOUT', 4, 40n, ago(30))
  const { id: member } = await createTestMember(db)
  let requests = 0
  const payout = (kind: string, status: string, fee: bigint, decided: Date) =>
    inTransaction(db, async (tx) => {
      await sql`set local session_replication_role = replica`.execute(tx)
      await sql`insert into payout_request (public_id, member_id, kind, amount, platform_fee, network_fee, received, address, network, hold_id,
          status, settings_version, created_at, confirm_by, confirmed_at, confirmed_how, decided_at, decided_by, owner_mac)
        values (${`p${(requests += 1)}`}, ${member}, ${kind}, ${fee}, 0, ${fee}, 0, '0x1', 0, ${requests}, ${status}, 1, ${decided}, ${decided},
          ${decided}, 'book', ${decided}, ${member + 1n}, '')`.execute(tx)
    })
  await payout('withdrawal', 'APPROVED', 1n, ago(30, 1))
  await payout('withdrawal', 'APPROVED', 2n, ago(2))
  await payout('withdrawal', 'APPROVED', 4n, ago(30))
  await payout('withdrawal', 'REJECTED', 8n, ago(2))
  await payout('bridge', 'APPROVED', 16n, ago(2))
  expect(await networkCosts(db, now, 30)).toEqual({ transactions: 2, wei: 3n, usd: 30n, networkFees: 3n })
  expect(await networkCosts(db, now, 31)).toEqual({ transactions: 3, wei: 7n, usd: 70n, networkFees: 7n })
})

describe('unbooked costs', () => {
  const all = (write: (tx: Tx) => Promise<unknown>) =>
    inTransaction(db, async (tx) => {
      await sql`set local session_replication_role = replica`.execute(tx)
      await write(tx)
    })
  beforeEach(() =>
    all(async (tx) => {
      for (const table of ['network_cost', 'signed_transaction', 'payout_sending', 'chain_move'] as const)
        await tx.deleteFrom(table).execute()
    }),
  )
  const move = (hash: string, ended: Date | null) =>
    all((tx) =>
      sql`with one as (
          insert into chain_move (chain_id, kind, wallet, nonce, address, to_address, token, amount, state, made_at, ended_at)
          values (1, 'SWEEP', ${hash}, 0, ${hash}, '0xb', '0xc', 1, ${ended === null ? 'SIGNED' : 'DONE'}, ${now}, ${ended}) returning id)
        insert into signed_transaction (hash, move_id, raw, gas_price, made_at, block, block_hash, gas_paid)
        select ${hash}, id, '', 1, ${now}, 1, '0x', 7 from one`.execute(tx),
    )
  let sent = 0
  /** Inserts a payout with one mined and one unmined transaction. */
  const payout = (hash: string, ended: Date | null) =>
    all(async (tx) => {
      const state = ended === null ? 'MINED' : 'DONE'
      await sql`insert into payout_sending (request_id, chain_id, token, to_address, exact_amount, approval_mac, queued_at, state, wallet, nonce,
          signed_at, ended_at) values (${(sent += 1)}, 1, '0xc', '0xb', 1, '', ${now}, ${state}, '0xw', ${sent}, ${now}, ${ended})`.execute(
        tx,
      )
      for (const [name, block] of [
        [hash, 1],
        [`${hash}-unmined`, null],
      ])
        await sql`insert into signed_transaction (hash, request_id, purpose, raw, gas_price, made_at, block, block_hash, gas_paid)
          values (${name}, ${sent}, 'PAYMENT', '', 1, ${now}, ${block}, ${block === null ? null : '0x'}, 5)`.execute(tx)
    })
  const booked = (hash: string, source: 'PAYOUT' | 'MOVE', ended_at: Date) =>
    db.insertInto('network_cost').values({ hash, source, wei: '1', price: 1n, usd: 1n, ended_at, booked_at: now }).execute()

  it('[I7] are searched per kind from a day before the newest booked one, because ends may be stored out of order', async () => {
    await booked('0x11', 'MOVE', ago(20))
    await booked('0x12', 'MOVE', ago(0))
    await booked('0x13', 'PAYOUT', ago(30))
    await booked('0x14', 'PAYOUT', ago(5))
    for (const [hash, ended] of [
      ['0x21', ago(1)],
      ['0x22', ago(1, 1)],
      ['0x12', ago(0)],
      ['0x23', ago(3)],
      ['0x24', null],
    ] as const)
      await move(hash, ended)
    for (const [hash, ended] of [
      ['0x31', ago(6)],
      ['0x32', ago(6, 1)],
      ['0x14', ago(5)],
      ['0x33', ago(2)],
      ['0x34', null],
      ['0x35', ago(9)],
    ] as const)
      await payout(hash, ended)
    const found = [
      { hash: '0x32', source: 'PAYOUT', wei: 5n, endedAt: ago(6, 1) },
      { hash: '0x33', source: 'PAYOUT', wei: 5n, endedAt: ago(2) },
      { hash: '0x22', source: 'MOVE', wei: 7n, endedAt: ago(1, 1) },
    ]
    expect([await unbookedTransactions(db, 10), await unbookedTransactions(db, 2)]).toEqual([found, found.slice(0, 2)])
  })

  it('[I7] are all transactions of a kind before its first booked one', async () => {
    await booked('0x12', 'MOVE', ago(0))
    await payout('0x31', ago(400))
    await move('0x21', ago(400))
    expect((await unbookedTransactions(db, 10)).map(({ hash }) => hash)).toEqual(['0x31'])
  })
})

describe('booking of network costs', () => {
  const at = testClock(now)
  const deps = { config: readConfig({ NODE_ENV: 'test' }), clock: at, ids: randomIds, log: createLog('silent') }
  const due = (hash: string, wei: bigint) => ({ hash, source: 'MOVE' as const, wei, endedAt: ago(1) })
  const instance = async () => [await balanceOfSystemAccount(db, 'SYS-GAS', 'USD'), await balanceOfSystemAccount(db, 'SYS-OPERATOR', 'USD')]
  const price = 3n * 10n ** 8n

  it('[I7] uses the price, rounds up, charges the operator once, and books nothing for zero', async () => {
    const [gas = 0n, operator = 0n] = await instance()
    const bookAt = (of: ReturnType<typeof due>[], one: bigint) => inTransaction(db, (tx) => bookCosts(tx, deps, of, one))
    const book = (...of: ReturnType<typeof due>[]) => bookAt(of, price)
    const third = 10n ** 10n / 3n
    // Three thirds of a unit's cost round to one unit, and another wei to two.
    expect(await book(due('0xb0', 0n), due('0xb1', 1n), due('0xb2', third), due('0xb3', third + 1n), due('0xb4', 10n ** 18n))).toBe(5)
    const rows = await db.selectFrom('network_cost').selectAll().where('hash', 'like', '0xb%').orderBy('hash').execute()
    const row = { source: 'MOVE', price, ended_at: ago(1), booked_at: now }
    expect(rows).toEqual([
      { ...row, hash: '0xb0', wei: '0', usd: 0n },
      { ...row, hash: '0xb1', wei: '1', usd: 1n },
      { ...row, hash: '0xb2', wei: String(third), usd: 1n },
      { ...row, hash: '0xb3', wei: String(third + 1n), usd: 2n },
      { ...row, hash: '0xb4', wei: String(10n ** 18n), usd: price },
    ])
    const worth = 4n + price
    expect(await instance()).toEqual([gas + worth, operator - worth])
    expect([await book(due('0xb4', 10n ** 18n), due('0xb5', 1n)), await instance()]).toEqual([1, [gas + worth + 1n, operator - worth - 1n]])
    // Any fraction of a unit rounds up to one.
    expect([await bookAt([due('0xb6', 1n)], 1n), (await instance())[0]]).toEqual([1, gas + worth + 2n])
  })

  it('[I7] books 100 per transaction, until none is left or the worker stops', async () => {
    const run = async (sizes: number[], stops = false) => {
      const [batches, written] = [
        sizes.map((size, batch) => Array.from({ length: size }, (_, index) => due(`${size} ${batch} ${index}`, 0n))),
        [] as number[],
      ]
      const lease = {
        read: () => Promise.resolve(batches.shift() ?? []),
        stopping: () => stops,
        inTransaction: () => {
          written.push(1)
          return Promise.resolve(7)
        },
      } as unknown as Lease
      return [await costJob(price).run(lease, deps), written.length]
    }
    expect(await run([])).toEqual([0, 0])
    expect(await run([1])).toEqual([7, 1])
    expect(await run([99, 1])).toEqual([7, 1])
    expect(await run([100, 100, 1])).toEqual([21, 3])
    expect(await run([100, 100, 1], true)).toEqual([7, 1])
  })
})
