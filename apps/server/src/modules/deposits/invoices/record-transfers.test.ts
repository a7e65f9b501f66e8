import { ONE } from '@tizara/money'
import { expect, it } from 'vitest'
import { testDatabase } from '../../../../test/database.ts'
import { createTestMember } from '../../../../test/members.ts'
import { statementCounter } from '../../../../test/statement-counter.ts'
import type { ChainTransfer } from '../../../gateways/chain/index.ts'
import { inTransaction } from '../../../platform/db/database.ts'
import { recordTransfers } from './record-transfers.ts'

const { db } = await testDatabase()
const member = await createTestMember(db)
const at = new Date('2026-03-02T09:00:00Z')
const later = new Date(at.getTime() + 1000)
const times = { created_at: at, expires_at: at, watched_until: at }
const invoice = async (name: string) =>
  (
    await db
      .insertInto('deposit')
      .values({
        public_id: name,
        member_id: member.id,
        method: 'chain',
        asset: 'COIN',
        description: 'coin',
        amount: ONE,
        usd_amount: 0n,
        address: name,
        state: 'awaiting',
        ...times,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
  ).id
const shown = (more: Partial<ChainTransfer> = {}): ChainTransfer => ({
  key: 'one',
  txHash: '0x1',
  address: 'a',
  asset: 'COIN',
  amount: ONE,
  blockTime: at,
  balanceFits: true,
  confirmations: 3,
  ...more,
})
const rows = (id: bigint) =>
  db
    .selectFrom('invoice_transfer')
    .select(['transfer_key as key', 'asset', 'amount', 'block_time as at', 'confirmations as deep', 'is_live as live'])
    .where('deposit_id', '=', id)
    .orderBy('transfer_key')
    .execute()
const look = (id: bigint, ...arrived: ChainTransfer[]) => inTransaction(db, (tx) => recordTransfers(tx, id, arrived))

it('[I8] writes each changed fact, and nothing when nothing changed', async () => {
  const id = await invoice('a')
  const row = { key: 'one', asset: 'COIN', amount: ONE, at, deep: 3, live: true }
  expect([await look(id, shown()), await rows(id)]).toEqual([true, [row]])
  expect(await look(id, shown())).toBe(false)
  for (const [change, to] of [
    [{ confirmations: 4 }, { deep: 4 }],
    [{ blockTime: later }, { at: later }],
    [{ amount: 2n * ONE }, { amount: 2n * ONE }],
    [{ asset: 'USD' as const }, { asset: 'USD' }],
  ] as const) {
    expect([await look(id, shown(change)), await rows(id)]).toEqual([true, [{ ...row, ...to }]])
    expect([await look(id, shown(change)), await look(id, shown())]).toEqual([false, true])
  }
  // The row caps confirmations at 12.
  expect([await look(id, shown({ confirmations: 12 })), await look(id, shown({ confirmations: 40 }))]).toEqual([true, false])
  expect((await rows(id))[0]?.deep).toBe(12)
})

it('[I8] marks a missing transfer as not live until it appears again, and leaves others unchanged', async () => {
  const [id, other] = [await invoice('b'), await invoice('c')]
  await look(other, shown({ key: 'theirs' }))
  await look(id, shown({ key: 'first' }), shown({ key: 'second' }))
  expect(await look(id, shown({ key: 'second' }))).toBe(true)
  const [gone, stays] = await rows(id)
  expect([gone, stays]).toMatchObject([
    { key: 'first', live: false, deep: 0 },
    { key: 'second', live: true, deep: 3 },
  ])
  expect([await look(id, shown({ key: 'second' })), (await rows(other))[0]]).toMatchObject([false, { live: true, deep: 3 }])
  expect([await look(id, shown({ key: 'first' }), shown({ key: 'second' })), (await rows(id))[0]]).toMatchObject([
    true,
    { live: true, deep: 3 },
  ])
  // Zero is no transfer, and one unit is.
  expect(await look(id, shown({ key: 'first' }), shown({ key: 'second' }), shown({ key: 'none', amount: 0n }))).toBe(false)
  expect(await look(id, shown({ key: 'first' }), shown({ key: 'second' }), shown({ key: 'least', amount: 1n }))).toBe(true)
})

it('[I8] keeps amount and token of a credited transfer, whatever the chain reports', async () => {
  const id = await invoice('d')
  await look(id, shown({ key: 'paid', confirmations: 12 }))
  await db.updateTable('invoice_transfer').set({ credited_at: at, usd_amount: 0n }).where('transfer_key', '=', 'paid').execute()
  await look(id, shown({ key: 'paid', amount: 9n * ONE, asset: 'USD', blockTime: later }))
  expect(await rows(id)).toEqual([{ key: 'paid', asset: 'COIN', amount: ONE, at: later, deep: 3, live: true }])
})

it('[I8] re-evaluates a held transfer when it changes, unless staff has decided it', async () => {
  const id = await invoice('e')
  const heldPart = { held: 'TOO_LATE', held_at: at, usd_amount: 5n }
  const judged = () =>
    db
      .selectFrom('invoice_transfer')
      .select(['held', 'held_at', 'usd_amount', 'decided_at'])
      .where('deposit_id', '=', id)
      .orderBy('transfer_key')
      .execute()
  const all = (amount: bigint) => ['open', 'same', 'taken'].map((key) => shown({ key, amount: key === 'same' ? ONE : amount }))
  await look(id, ...all(ONE))
  await db.updateTable('invoice_transfer').set(heldPart).where('deposit_id', '=', id).execute()
  await db.updateTable('invoice_transfer').set({ decided_at: later }).where('transfer_key', '=', 'taken').execute()
  await look(id, ...all(2n * ONE))
  const [nothing, open] = [{ held: null, held_at: null, usd_amount: null }, { decided_at: null }]
  expect(await judged()).toEqual([
    { ...nothing, ...open },
    { ...heldPart, ...open },
    { ...heldPart, decided_at: later },
  ])
})

it('takes as many statements for 300 transfers as for one', async () => {
  const id = await invoice('many')
  const many = (count: number, more: Partial<ChainTransfer> = {}) =>
    Array.from({ length: count }, (_, index) => shown({ key: `many ${index}`, ...more }))
  const statements = async (arrived: readonly ChainTransfer[]) => {
    const { statements: counted, counting } = statementCounter()
    await inTransaction(db, (tx) => recordTransfers(counting(tx), id, arrived))
    return counted()
  }
  const counts = [
    await statements(many(1)),
    await statements(many(300)),
    await statements(many(300, { confirmations: 4 })),
    await statements([]),
  ]
  expect(counts).toEqual([2, 2, 2, 2])
  expect((await rows(id)).map(({ live }) => live)).toEqual(Array.from({ length: 300 }, () => false))
})
