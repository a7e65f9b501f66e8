import { expect, it } from 'vitest'
import { testDatabase } from '../../../../test/database.ts'
import { inTransaction } from '../../../platform/db/database.ts'
import { nextOf, openMoves, unsweptBalances } from './moves.queries.ts'
import { recordAttempts } from './token-sweep-problems.queries.ts'

const { db } = await testDatabase()
const at = new Date('2026-03-02T09:00:00Z')
const after = (seconds: number) => new Date(at.getTime() + seconds * 1000)

it('lists the signed, not final moves of the chain, in their order, with all transactions', async () => {
  for (const keyIndex of [1, 2, 3, 4])
    await db
      .insertInto('chain_address')
      .values({ address: `0xa${keyIndex}`, key_index: BigInt(keyIndex), invoice_id: `invoice-${keyIndex}` })
      .execute()
  const move = async (keyIndex: number, nonce: bigint, more: object = {}) =>
    (
      await db
        .insertInto('chain_move')
        .values({
          chain_id: 1n,
          kind: 'SWEEP',
          wallet: '0xw',
          nonce,
          address: `0xa${keyIndex}`,
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
  const insertTransaction = (move_id: bigint, hash: string, seconds: number, gas: number, sent_at: Date | null = null) =>
    db
      .insertInto('signed_transaction')
      .values({ hash, move_id, raw: `raw ${hash}`, gas_price: String(gas), made_at: after(seconds), sent_at })
      .execute()
  const ended = { ended_at: at }
  const first = await move(1, 4n)
  await move(2, 5n, { state: 'DONE', ...ended })
  await move(3, 6n, { state: 'FAILED', ...ended })
  await move(4, 9n, { chain_id: 2n })
  const second = await move(2, 7n, { kind: 'GAS', token: null, amount: String(10n ** 20n) })
  await insertTransaction(first, '0x3', 5, 1)
  await insertTransaction(first, '0x2', 0, 9, after(1))
  await insertTransaction(first, '0x1', 0, 5)
  await insertTransaction(second, '0x9', 0, 2)
  const common = { wallet: '0xw', to: '0xt' }
  const one = (hash: string, seconds: number, gasPrice: bigint, sentAt: Date | null = null) => ({
    hash,
    raw: `raw ${hash}`,
    purpose: 'PAYMENT',
    gasPrice,
    madeAt: after(seconds),
    sentAt,
  })
  expect(await openMoves(db, 1)).toEqual([
    {
      ...common,
      id: first,
      label: `move ${first}`,
      kind: 'SWEEP',
      nonce: 4,
      address: '0xa1',
      keyIndex: 1,
      token: '0xc0',
      amount: 7n,
      transactions: [one('0x1', 0, 5n), one('0x2', 0, 9n, after(1)), one('0x3', 5, 1n)],
    },
    {
      ...common,
      id: second,
      label: `move ${second}`,
      kind: 'GAS',
      nonce: 7,
      address: '0xa2',
      keyIndex: 2,
      token: null,
      amount: 10n ** 20n,
      transactions: [one('0x9', 0, 2n)],
    },
  ])
  expect([await nextOf(db, 1, '0xw'), await nextOf(db, 2, '0xw'), await nextOf(db, 1, '0xother')]).toEqual([8, 10, undefined])
})

it('lists final balances at addresses without an open move or a recent failure', async () => {
  const ask = (more: object = {}) =>
    unsweptBalances(db, { chainId: 3, minAmounts: new Map([['0xd0', 10n]]), limit: 9, failedSince: at, ...more })
  const issue = async (number: number) => {
    const address = `0xb${number}`
    await db
      .insertInto('chain_address')
      .values({ address, key_index: BigInt(number), invoice_id: `lies-${number}` })
      .execute()
    return address
  }
  let hashes = 0
  const came = async (address: string, exact: number, more: object = {}) => {
    const row = { chain_id: 3n, tx_hash: `0x${(hashes += 1)}`, address, ordinal: 0, token: '0xd0', exact_amount: String(exact) }
    await db
      .insertInto('chain_transfer')
      .values({ ...row, amount: 1n, block: 1n, block_time: at, state: 'FINAL', ...more })
      .execute()
  }
  let nonces = 0n
  const move = async (address: string, more: object) => {
    const row = {
      chain_id: 3n,
      kind: 'SWEEP',
      wallet: '0xw',
      nonce: (nonces += 1n),
      address,
      to_address: '0xt',
      token: '0xd0',
      amount: '1',
    }
    const { id } = await db
      .insertInto('chain_move')
      .values({ ...row, made_at: at, state: 'SIGNED', ...more })
      .returning('id')
      .executeTakeFirstOrThrow()
    return id
  }
  const failed = (ended_at: Date) => ({ state: 'FAILED', ended_at })
  const second = await issue(12)
  const first = await issue(11)
  await came(second, 10)
  for (const half of [4, 6]) await came(first, half)
  // Ineligible balances: another token, another chain, not final, or swept before.
  const little = await issue(13)
  await came(little, 9)
  const done = await move(little, { state: 'DONE', ended_at: at })
  for (const more of [{ token: '0xe0' }, { chain_id: 4n }, { state: 'SEEN' }, { state: 'GONE' }, { swept_by: done }])
    await came(little, 90, more)
  const busy = await issue(14)
  await came(busy, 50)
  await move(busy, {})
  const late = await issue(15)
  await came(late, 50)
  await move(late, failed(after(1)))
  const rested = await issue(16)
  await came(rested, 50)
  await move(rested, failed(at))
  await move(rested, { chain_id: 4n })
  const found = (number: number, amount: bigint) => ({ address: `0xb${number}`, keyIndex: number, token: '0xd0', amount })
  expect(await ask()).toEqual([found(11, 10n), found(12, 10n), found(16, 50n)])
  expect(await ask({ limit: 2 })).toEqual([found(11, 10n), found(12, 10n)])
  expect(await ask({ minAmounts: new Map([['0xd0', 11n]]) })).toEqual([found(16, 50n)])
  expect(await ask({ failedSince: after(-1) })).toEqual([found(11, 10n), found(12, 10n)])
  // A second token: one balance per address, and a failed sweep of the first token does not delay it.
  for (const address of [late, second]) await came(address, 7, { token: '0xe0' })
  const both = new Map([
    ['0xd0', 10n],
    ['0xe0', 7n],
  ])
  const other = { ...found(15, 7n), token: '0xe0' }
  expect(await ask({ minAmounts: both })).toEqual([
    found(11, 10n),
    found(12, 10n),
    { ...found(13, 90n), token: '0xe0' },
    other,
    found(16, 50n),
  ])
  // Balances tried longest ago come first, and an address offers its other token.
  const tried = (number: number, token: string, seconds: number) =>
    inTransaction(db, (tx) => recordAttempts(tx, 3, [{ address: `0xb${number}`, token, problem: 'none' }], after(seconds)))
  await tried(11, '0xd0', 3)
  await tried(12, '0xd0', 2)
  expect(await ask({ minAmounts: both, limit: 3 })).toEqual([
    { ...found(12, 7n), token: '0xe0' },
    { ...found(13, 90n), token: '0xe0' },
    other,
  ])
  await tried(12, '0xe0', 4)
  expect((await ask({ minAmounts: both })).map(({ address }) => address)).toEqual([13, 15, 16, 12, 11].map((number) => `0xb${number}`))
})
