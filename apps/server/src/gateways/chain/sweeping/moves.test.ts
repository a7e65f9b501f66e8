import { expect, it } from 'vitest'
import { testDatabase } from '../../../../test/database.ts'
import { nextOf, openMoves } from './moves.queries.ts'

const { db } = await testDatabase()
const at = new Date('2026-03-02T09:00:00Z')
const after = (seconds: number) => new Date(at.getTime() + seconds * 1000)

it('moves that are under way are those of the chain that are signed and not final, in their order, with all their transactions', async () => {
  for (const place of [1, 2, 3, 4])
    await db
      .insertInto('chain_address')
      .values({ address: `0xa${place}`, place, invoice_id: `invoice-${place}` })
      .execute()
  const move = async (place: number, nonce: bigint, more: object = {}) =>
    (
      await db
        .insertInto('chain_move')
        .values({
          chain_id: 1n,
          kind: 'SWEEP',
          wallet: '0xw',
          nonce,
          address: `0xa${place}`,
          to_address: '0xt',
          token: '0xc0',
          amount: '7',
          state: 'SIGNED',
          made_at: at,
          ...more,
        })
        .returning('id')
        .executeTakeFirstOrThrow()
    ).id
  const made = (move_id: bigint, hash: string, seconds: number, gas: number, sent_at: Date | null = null) =>
    db
      .insertInto('chain_move_transaction')
      .values({ hash, move_id, raw: `raw ${hash}`, gas_price: String(gas), made_at: after(seconds), sent_at })
      .execute()
  const ended = { ended_at: at, mined_hash: '0xm', gas_paid: '1' }
  const first = await move(1, 4n)
  await move(2, 5n, { state: 'DONE', ...ended })
  await move(3, 6n, { state: 'FAILED', ...ended, mined_hash: '0xn' })
  await move(4, 9n, { chain_id: 2n })
  const second = await move(2, 7n, { kind: 'GAS', token: null, amount: String(10n ** 20n) })
  await made(first, '0x3', 5, 1)
  await made(first, '0x2', 0, 9, after(1))
  await made(first, '0x1', 0, 5)
  await made(second, '0x9', 0, 2)
  const common = { wallet: '0xw', to: '0xt' }
  const one = (hash: string, seconds: number, gasPrice: bigint, sentAt: Date | null = null) => ({
    hash,
    raw: `raw ${hash}`,
    gasPrice,
    madeAt: after(seconds),
    sentAt,
  })
  expect(await openMoves(db, 1)).toEqual([
    {
      ...common,
      id: first,
      kind: 'SWEEP',
      nonce: 4,
      place: 1,
      token: '0xc0',
      amount: 7n,
      transactions: [one('0x1', 0, 5n), one('0x2', 0, 9n, after(1)), one('0x3', 5, 1n)],
    },
    { ...common, id: second, kind: 'GAS', nonce: 7, place: 2, token: null, amount: 10n ** 20n, transactions: [one('0x9', 0, 2n)] },
  ])
  expect([await nextOf(db, 1, '0xw'), await nextOf(db, 2, '0xw'), await nextOf(db, 1, '0xother')]).toEqual([8, 10, undefined])
})
