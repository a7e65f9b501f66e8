import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import { bit, bits, chainRows, MIN_AMOUNT } from '../../../test/chain-rows.ts'
import { testDatabase } from '../../../test/database.ts'
import { createTestMember } from '../../../test/members.ts'
import { inTransaction } from '../../platform/db/database.ts'
import { addressesAfter, compareAddresses, recordDifferences } from './check-addresses.ts'
import { confirmedDifferences } from '../../gateways/chain/confirmed-differences.ts'
import { lastReconciled } from './differences.queries.ts'

const { db } = await testDatabase()
const now = new Date('2026-03-02T09:00:00Z')
const { ago, write, forget, came, known, credited, held, invoices } = chainRows(db, now)
const member = await createTestMember(db)
beforeEach(() => forget('chain_transfer', 'chain_move', 'chain_address', 'invoice_transfer', 'deposit', 'chain_difference', 'chain_check'))

describe('balances at addresses', () => {
  const node = (balanceOf: (address: string) => bigint) => ({
    tokensOf: (_: string, addresses: readonly string[]) => Promise.resolve(addresses.map(balanceOf)),
  })
  const checked = { chainId: 1, token: '0xc0', asset: 'COIN' as const, node: node(() => 0n) }
  const insertAddress = (index: number) =>
    db
      .insertInto('chain_address')
      .values({ address: `0xa${index}`, key_index: BigInt(index), invoice_id: `invoice-${index}` })
      .execute()

  it('[I8] are known from received, due and credited amounts of the chain and token', async () => {
    for (const index of [3, 1, 2]) await insertAddress(index)
    const exact = (index: number) => ({ exact_amount: String(bit(index)) })
    await write((tx) =>
      sql`insert into chain_move (id, chain_id, kind, wallet, nonce, address, to_address, token, amount, state, made_at, ended_at)
        overriding system value select n, 1, 'SWEEP', '0xm' || n, 0, '0xa1', '0xt', '0xc0', 1, (array['DONE', 'FAILED', 'SIGNED'])[n], ${now}::timestamptz,
        case when n < 3 then ${now}::timestamptz end from generate_series(1, 3) n`.execute(tx),
    )
    await came(0, exact(0))
    await came(1, { ...exact(1), state: 'SEEN' })
    await came(2, { ...exact(2), state: 'GONE' })
    await came(3, { ...exact(3), chain_id: 2n })
    await came(4, { ...exact(4), token: '0xd0' })
    await came(5, { ...exact(5), address: '0xa2' })
    await came(6, { ...exact(6), block_time: ago(1) })
    await came(7, { ...exact(7), block_time: ago(1, -1) })
    await came(8, { ...exact(8), amount: MIN_AMOUNT - 1n })
    for (const [index, move] of [
      [9, 1n],
      [10, 2n],
      [11, 3n],
    ] as const)
      await came(index, { ...exact(index), swept_by: move })
    await invoices(member.id, 2)
    await known(0, credited(now))
    await known(1, held)
    await known(2)
    await known(3, { ...credited(now), asset: 'USD' })
    await known(4, { ...credited(now), deposit_id: 2n })
    const row = (index: number, seen: bigint, unswept: bigint, due: bigint, sum: bigint) => ({
      address: `0xa${index}`,
      keyIndex: index,
      seen: String(seen),
      unswept: String(unswept),
      due,
      credited: sum,
    })
    const all = [
      row(1, bits(0, 1, 6, 7, 8, 10, 11), bits(0, 7, 8), bits(0, 7, 9, 10, 11), bits(0, 1)),
      row(2, bit(5), bit(5), bit(5), bit(4)),
      row(3, 0n, 0n, 0n, 0n),
    ]
    expect(await addressesAfter(db, checked, -1, now)).toEqual(all)
    expect(await addressesAfter(db, checked, 1, now)).toEqual(all.slice(1))
  })

  it('[I8] differ when more is on the chain than was seen, or more is due than was credited, to the unit', async () => {
    const one = (index: number, seen: bigint, due: bigint, sum: bigint) => ({
      address: `0xa${index}`,
      keyIndex: index,
      seen: String(seen),
      unswept: '0',
      due,
      credited: sum,
    })
    const known_ = [one(1, 5n, 7n, 7n), one(2, 4n, 7n, 8n), one(3, 6n, 8n, 7n)]
    expect(await compareAddresses({ ...checked, node: node(() => 5n) }, known_)).toEqual([
      { kind: 'UNSEEN', subject: '0xa2 COIN', expected: 4n, found: 5n },
      { kind: 'UNCREDITED', subject: '0xa3 COIN', expected: 8n, found: 7n },
    ])
  })

  it('[I8] differ when less is on the chain than arrived and was not swept, if only the product moves it', async () => {
    const known_ = [4n, 5n, 6n].map((unswept, index) => ({
      address: `0xa${index}`,
      keyIndex: index,
      seen: '9',
      unswept: String(unswept),
      due: 0n,
      credited: 0n,
    }))
    const missing = { kind: 'MISSING', subject: '0xa2 COIN', expected: 6n, found: 5n }
    expect(await compareAddresses({ ...checked, node: node(() => 5n), sweeps: true }, known_)).toEqual([missing])
    expect(await compareAddresses({ ...checked, node: node(() => 5n) }, known_)).toEqual([])
  })

  it('are stored from the first finding, reported from the second, and cleared when they match', async () => {
    const differs = (subject: string, found: bigint) => ({ kind: 'UNSEEN' as const, subject, expected: 1n, found })
    const recordFindings = (subjects: string[], found: ReturnType<typeof differs>[], at: Date) =>
      inTransaction(db, (tx) => recordDifferences(tx, subjects, found, at))
    await recordFindings(['a', 'b', 'c'], [differs('a', 2n), differs('b', 3n), differs('c', 4n)], ago(3))
    expect(await confirmedDifferences(db)).toEqual([])
    await recordFindings(['a', 'b'], [differs('a', 9n)], ago(2))
    const stands = { kind: 'UNSEEN', subject: 'a', expected: '1', found: '9', since: ago(3) }
    expect(await confirmedDifferences(db)).toEqual([stands])
    const left = await db.selectFrom('chain_difference').select(['subject', 'first_seen_at', 'last_seen_at']).orderBy('subject').execute()
    expect(left).toEqual([
      { subject: 'a', first_seen_at: ago(3), last_seen_at: ago(2) },
      { subject: 'c', first_seen_at: ago(3), last_seen_at: ago(3) },
    ])
    const many = Array.from({ length: 11 }, (_, index) => differs(`m${String(index).padStart(2, '0')}`, 2n))
    for (const hours of [2, 1]) await recordFindings([], many, ago(hours))
    expect((await confirmedDifferences(db)).map(({ subject }) => subject)).toEqual(['a', ...many.slice(0, 9).map(({ subject }) => subject)])
  })

  it('have the time of the last comparison of their chain', async () => {
    await sql`insert into chain_check (chain_id, after_key_index, checked_at) values (2, 0, ${now})`.execute(db)
    expect([await lastReconciled(db, 1), await lastReconciled(db, 2)]).toEqual([null, now])
  })
})
