import { expect, it } from 'vitest'
import { testDatabase } from '../../../test/database.ts'
import { inTransaction } from './database.ts'
import { insertRows } from './insert-rows.ts'

const { db } = await testDatabase()
const at = new Date('2026-03-02T09:00:00.123Z')
const mail = (id: string, encrypted: Buffer | null) => ({
  public_id: id,
  recipient: `"o'Neil" \\ ${id} €@gmail.com`,
  template: 'payout',
  encrypted,
  next_attempt_at: at,
  not_after: at,
  created_at: at,
})

it('writes texts, bytes, times and 64-bit integers exactly, and leaves missing columns to their defaults', async () => {
  const every = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte))
  const ids = await inTransaction(db, (tx) =>
    insertRows(tx, 'mail_outbox', [mail('a', every), mail('b', null), mail('c', Buffer.alloc(0))], { returning: ['id', 'public_id'] }),
  )
  expect(ids.map((row) => row.public_id)).toEqual(['a', 'b', 'c'])
  expect(ids.map((row) => row.id)).toEqual(ids.map((row) => row.id).toSorted((a, b) => Number(a - b)))
  const rows = await db.selectFrom('mail_outbox').selectAll().orderBy('id').execute()
  expect(
    rows.map(({ recipient, encrypted, created_at, status, attempts }) => ({ recipient, encrypted, created_at, status, attempts })),
  ).toEqual(
    [
      ['a', every],
      ['b', null],
      ['c', Buffer.alloc(0)],
    ].map(([id, encrypted]) => ({
      recipient: `"o'Neil" \\ ${String(id)} €@gmail.com`,
      encrypted,
      created_at: at,
      status: 'WAITING',
      attempts: 0,
    })),
  )
  const large = 9_223_372_036_854_775_807n
  await inTransaction(db, (tx) =>
    insertRows(tx, 'reward_liability_pending', [{ kind: 'x', step: 'day', starts_at: at, steps: 1, amount: large }]),
  )
  expect(await db.selectFrom('reward_liability_pending').select(['amount', 'starts_at']).execute()).toEqual([
    { amount: large, starts_at: at },
  ])
})

it('inserts nothing for no rows', async () => {
  expect(await inTransaction(db, (tx) => insertRows(tx, 'mail_outbox', [], { returning: ['public_id'] }))).toEqual([])
})
