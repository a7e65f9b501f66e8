import { ONE } from '@tizara/money'
import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import { testDatabase } from '../../../test/database.ts'
import { minedAt, fakeNode } from '../../../test/sent-payouts.ts'
import { compareReceipts } from './check-receipts.ts'

const { db } = await testDatabase()
const DAY_MS = 86_400_000
const NOW = new Date('2026-03-10T09:00:00Z')
const [TOKEN, OURS, OTHER] = ['0xc0', '0xa1', '0xa2']
let [first, second] = [fakeNode(), fakeNode()]

beforeEach(async () => {
  ;[first, second] = [fakeNode(), fakeNode()]
  for (const table of ['chain_difference', 'chain_transfer', 'chain_address'] as const) await db.deleteFrom(table).execute()
  for (const [index, address] of [OURS, OTHER].entries())
    await db
      .insertInto('chain_address')
      .values({ address, key_index: BigInt(index) })
      .execute()
})

/** Stores a final transfer of 5 smallest units per ordinal, and mines it in both sources. */
async function paid(hash: string, days = 4, more: object = {}): Promise<bigint> {
  const row = {
    chain_id: 1n,
    tx_hash: hash,
    address: OURS,
    ordinal: 0,
    token: TOKEN,
    exact_amount: '5',
    amount: ONE,
    block: 1n,
    state: 'FINAL',
  }
  const { id } = await db
    .insertInto('chain_transfer')
    .values({ ...row, block_time: new Date(NOW.getTime() - days * DAY_MS), ...more })
    .returning('id')
    .executeTakeFirstOrThrow()
  for (const { nodeState } of [first, second]) nodeState.mined.set(hash, minedAt(1, [transfer(5n)]))
  return id
}
const transfer = (amount: bigint, to = OURS) => ({ token: TOKEN, from: '0xpayer', to, amount })
const compare = (after = 0n) => compareReceipts((query) => query(db), { chainId: 1, nodes: [first.node, second.node], after }, NOW)
const differing = async () => (await compare()).found.map(({ subject, expected, found }) => [subject, expected, found])

describe('receipts of final transfers', () => {
  it('[I8] are asked for once more after three days, from every source', async () => {
    await paid('0x1')
    const last = await paid('0x2', 3)
    await paid('0x3', 2.9)
    // An older payment that was found later waits, so that none is left out.
    await paid('0x4')
    expect(await compare()).toEqual({ subjects: [`0x1 ${OURS}`, `0x2 ${OURS}`], found: [], last })
    expect([first, second].map(({ nodeState }) => nodeState.asked)).toEqual([['receipts'], ['receipts']])
    expect(await compare(last)).toEqual({ subjects: [], found: [], last })
  })

  it('[I8] sum the transfers of a transaction to an address, and leave out dust, lost transfers and other chains', async () => {
    await paid('0x1')
    await paid('0x1', 4, { ordinal: 1 })
    for (const { nodeState } of [first, second]) nodeState.mined.set('0x1', minedAt(1, [transfer(5n), transfer(9n, OTHER), transfer(5n)]))
    for (const more of [{ amount: ONE / 100n - 1n }, { state: 'GONE' }, { chain_id: 2n }])
      await paid(`0x${JSON.stringify(Object.keys(more))}`, 4, more)
    expect(await compare()).toMatchObject({ subjects: [`0x1 ${OURS}`], found: [] })
  })

  it.each<[string, () => void, bigint]>([
    ['one source has another amount', () => second.nodeState.mined.set('0x1', minedAt(1, [transfer(4n)])), 4n],
    ['one source says that it failed', () => second.nodeState.mined.set('0x1', minedAt(1, [transfer(5n)], { succeeded: false })), 0n],
    ['a source has another receiver', () => first.nodeState.mined.set('0x1', minedAt(1, [transfer(5n, OTHER)])), 0n],
    ['a source has another token', () => first.nodeState.mined.set('0x1', minedAt(1, [{ ...transfer(5n), token: '0xd0' }])), 0n],
    ['no source has the receipt', () => [first, second].forEach(({ nodeState }) => nodeState.mined.delete('0x1')), 0n],
  ])('[I8] differ when %s', async (_, tell, found) => {
    await paid('0x1')
    tell()
    expect(await differing()).toEqual([[`0x1 ${OURS}`, 5n, found]])
  })

  it('[I8] are compared again in each round once they differ, until they agree', async () => {
    const last = await paid('0x1')
    await sql`insert into chain_difference (kind, subject, expected, found, first_seen_at, last_seen_at)
      values ('RECEIPT', ${`0x1 ${OURS}`}, 5, 4, now(), now())`.execute(db)
    expect(await compare(last)).toEqual({ subjects: [`0x1 ${OURS}`], found: [], last })
  })

  it('[I8] prove nothing when one source alone lacks them', async () => {
    await paid('0x1')
    second.nodeState.mined.delete('0x1')
    expect(await differing()).toEqual([])
  })
})
