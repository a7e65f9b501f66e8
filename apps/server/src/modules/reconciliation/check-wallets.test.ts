import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import { chainRows } from '../../../test/chain-rows.ts'
import { testDatabase } from '../../../test/database.ts'
import { inTransaction } from '../../platform/db/database.ts'
import { compareReserves, readReserves } from './check-wallets.ts'
import { type Checkpoint, NOTHING_SUMMED } from './checkpoint.ts'

const { db } = await testDatabase()
const now = new Date('2026-03-02T09:00:00Z')
const { ago, write, forget } = chainRows(db, now)
beforeEach(() => forget('signed_transaction', 'payout_sending', 'hot_wallet_empty', 'hot_wallet', 'chain_reserve', 'chain_incident'))

describe('hot wallet balances', () => {
  const WHOLE = 10n ** 30n
  const wallet = (address: string, chain_id = 1n) => db.insertInto('hot_wallet').values({ chain_id, address, next_nonce: 0n }).execute()
  let sent = 0
  const send = (amount: bigint, state: string, ended: Date | null, more: { wallet?: string; chain?: number; token?: string } = {}) =>
    write((tx) =>
      sql`insert into payout_sending (request_id, chain_id, token, to_address, exact_amount, approval_mac, queued_at, state, wallet, nonce, signed_at,
          cancel_asked_at, ended_at)
        values (${(sent += 1)}, ${more.chain ?? 1}, ${more.token ?? '0xc0'}, '0x1', ${String(amount)}::numeric, '', ${now}, ${state}, ${more.wallet ?? '0xw'},
          ${sent}, ${now}, ${now}, ${ended})`.execute(tx),
    )
  const spent = (hash: string, price: number, paid: bigint | null) =>
    write((tx) =>
      sql`insert into signed_transaction (hash, request_id, purpose, raw, gas_price, made_at, block, block_hash, gas_paid)
        values (${hash}, ${sent}, 'PAYMENT', '', ${price}, ${now}, ${paid === null ? null : 1}, ${paid === null ? null : '0x'},
          ${paid === null ? null : String(paid)}::numeric)`.execute(tx),
    )
  const node = { tokenOf: () => Promise.resolve(WHOLE), nativeBalanceOf: () => Promise.resolve(5n) }
  const read = async (since: Checkpoint = NOTHING_SUMMED) => {
    const { reserves, checkpoint } = await readReserves((query) => query(db), { chainId: 1, tokens: ['0xc0'], node }, now, since)
    return { of: Object.fromEntries(reserves.map((one) => [`${one.wallet} ${one.token}`, [one.min, one.max]])), reserves, checkpoint }
  }

  it('[I7] decreased by at least the mined and at most the signed payouts of their chain and tokens', async () => {
    await wallet('0xw')
    await wallet('0xv')
    await wallet('0xz', 2n)
    await send(1n, 'SIGNED', null)
    await spent('0x1', 7, null)
    await spent('0x2', 9, null)
    await send(2n, 'MINED', null)
    await spent('0x3', 7, 100n)
    await spent('0x4', 9, null)
    await send(4n, 'DONE', ago(25))
    await spent('0x5', 1, 1_000n)
    await send(8n, 'DONE', ago(24))
    await send(16n, 'FAILED', ago(25))
    await spent('0x6', 1, 10_000n)
    await send(32n, 'CANCELLED', ago(24))
    await send(64n, 'SIGNED', null, { wallet: '0xother' })
    await send(128n, 'DONE', ago(25), { chain: 2 })
    await send(256n, 'SIGNED', null, { chain: 2 })
    await send(512n, 'DONE', ago(25), { token: '0xe0' })
    await send(1024n, 'DONE', ago(25), { wallet: '0xother' })
    await send(2048n, 'DONE', ago(25), { wallet: '0xv' })
    const { of, reserves, checkpoint } = await read()
    const gas = [11_100n, 11_100n + 9n * 120_000n]
    expect(of).toEqual({ '0xv 0xc0': [2048n, 2048n], '0xv native': [0n, 0n], '0xw 0xc0': [14n, 15n], '0xw native': gas })
    expect(reserves.map(({ balance }) => balance)).toEqual([WHOLE, 5n, WHOLE, 5n])
    expect(Object.fromEntries([...checkpoint.sums].filter(([, sum]) => sum > 0n))).toEqual({
      '0xv 0xc0 min': 2048n,
      '0xv 0xc0 max': 2048n,
      '0xw 0xc0 min': 4n,
      '0xw 0xc0 max': 4n,
      '0xw native min': 11_000n,
      '0xw native max': 11_000n,
    })
    const sums = new Map([['0xw 0xc0 min', 3n]])
    expect((await read({ until: ago(25), untilBlock: -1n, sums })).of['0xw 0xc0']).toEqual([17n, 15n])
    expect((await read({ until: ago(25, 1), untilBlock: -1n, sums })).of['0xw 0xc0']).toEqual([13n, 11n])
  })

  it('[I7] decreased by the gas of adopted transactions without a payout', async () => {
    await wallet('0xw')
    await wallet('0xw', 2n)
    const empty = (hash: string, gas_paid: string, ended_at: Date, chain_id = 1n) =>
      db
        .insertInto('hot_wallet_empty')
        .values({ hash, chain_id, wallet: '0xw', nonce: BigInt(hash), raw: '', gas_paid, ended_at })
        .execute()
    await empty('0x1', '100', ago(25))
    await empty('0x2', '20', ago(24))
    await empty('0x3', '3', ago(25), 2n)
    const { of, checkpoint } = await read()
    expect([of['0xw native'], checkpoint.sums.get('0xw native min')]).toEqual([[120n, 120n], 100n])
    expect((await read(checkpoint)).of['0xw native']).toEqual([120n, 120n])
  })

  it('[I7] covers every wallet, however many were used', async () => {
    for (let number = 10; number < 32; number += 1) await wallet(`0x${number}`)
    expect((await read()).reserves.filter(({ token }) => token === 'native')).toHaveLength(22)
  })

  it('[I7] are compared with the last check per chain, wallet and token, to the unit, with each tolerance used once', async () => {
    const reserve = (balance: bigint, min: bigint, max = min, more: object = {}) => ({
      wallet: '0xw',
      token: '0xc0',
      balance,
      min,
      max,
      ...more,
    })
    const compare = (...of: ReturnType<typeof reserve>[]) => inTransaction(db, (tx) => compareReserves(tx, { chainId: 1 }, of, now))
    const rows = async () => ({
      reserves: await db
        .selectFrom('chain_reserve')
        .select(['chain_id', 'wallet', 'token', 'balance', 'paid'])
        .orderBy('chain_id')
        .orderBy('wallet')
        .orderBy('token')
        .execute(),
      incidents: await db.selectFrom('chain_incident').select(['kind', 'noted_at', 'from_block', 'transfers']).orderBy('id').execute(),
    })
    const others = [
      { chain_id: 1n, wallet: '0xv', token: '0xc0' },
      { chain_id: 1n, wallet: '0xw', token: '0xd0' },
      { chain_id: 2n, wallet: '0xw', token: '0xc0' },
    ].map((one) => ({ ...one, balance: '900', paid: '90' }))
    for (const one of others)
      await db
        .insertInto('chain_reserve')
        .values({ ...one, seen_at: now })
        .execute()
    const stands = async (balance: string, paid: string, lacks: string[] = []) =>
      expect(await rows()).toEqual({
        reserves: expect.arrayContaining([...others, { chain_id: 1n, wallet: '0xw', token: '0xc0', balance, paid }]),
        incidents: lacks.map((one) => ({
          kind: 'WALLET_SPENT',
          noted_at: now,
          from_block: 0n,
          transfers: [{ wallet: '0xw', token: '0xc0', lacks: one }],
        })),
      })
    expect(await compare(reserve(100n, 10n))).toBe(0)
    await stands('100', '10')
    expect(await compare(reserve(95n, 10n, 15n))).toBe(0)
    await stands('95', '15')
    expect(await compare(reserve(94n, 10n, 15n))).toBe(1)
    await stands('94', '10', ['1'])
    expect(await compare(reserve(200n, 12n, 20n))).toBe(0)
    await stands('200', '12', ['1'])
    expect(await compare(reserve(190n, 20n, 25n), reserve(1n, 1n, 1n, { token: '0xf0' }))).toBe(0)
    expect((await rows()).reserves).toHaveLength(5)
  })
})
