import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import { testDatabase } from '../../test/database.ts'
import { inTransaction } from '../platform/db/database.ts'
import { ledgerChecks } from './audit-checks.ts'
import { systemAccountId } from './chart-of-accounts.ts'
import {
  type AccountRef,
  balanceOfSystemAccount,
  balancesOf,
  isRejected,
  openAccounts,
  openAccountsOf,
  post,
  postBatch,
  type Posting,
  receiptsOfPosting,
  runAudit,
  type Transfer,
  walletKinds,
} from './index.ts'

const database = await testDatabase(30)
const { db } = database
const at = new Date('2026-03-01T10:00:00Z')
const cause = { type: 'test', id: '1' }
let nextOwner = 1n

const wallet = (owner: bigint, kind: (typeof walletKinds)[number] = 'depositWallet'): AccountRef => ({ owner, kind })
const deposits = { system: 'SYS-DEPOSIT', asset: 'USD' } as const
const posting = (transfers: Transfer[], rest: Partial<Posting> = {}): Posting => ({ kind: 'test', cause, at, transfers, ...rest })
const pay = (from: AccountRef, to: AccountRef, amount: bigint, key?: string) => posting([{ from, to, amount }], { key })

async function member(deposit = 0n): Promise<bigint> {
  const owner = nextOwner
  nextOwner += 1n
  await openAccounts(db, owner)
  if (deposit > 0n) await post(db, pay(deposits, wallet(owner), deposit))
  return owner
}

async function expectSound() {
  const results = await runAudit(db, ledgerChecks)
  expect(results.filter((result) => result.broken > 0)).toEqual([])
}

let a = 0n
let b = 0n
beforeEach(async () => {
  a = await member(100n)
  b = await member()
})

describe('post', () => {
  it('moves an amount and returns both balances', async () => {
    const posted = await post(db, pay(wallet(a), wallet(b), 30n))
    expect(posted.transfers).toMatchObject([{ fromBalance: 70n, toBalance: 30n }])
    expect(posted.repeated).toBe(false)
    expect((await balancesOf(db, a)).depositWallet).toBe(70n)
    expect((await balancesOf(db, b)).depositWallet).toBe(30n)
  })

  it('[RW-13] rejects an amount above the balance and leaves no trace', async () => {
    const count = async () => (await sql<{ n: bigint }>`select count(*) as n from ledger_transfer`.execute(db)).rows[0]?.n
    const before = await count()
    await expect(post(db, pay(wallet(a), wallet(b), 101n))).rejects.toMatchObject({ code: 'INSUFFICIENT_BALANCE' })
    await expect(post(db, pay(wallet(a), wallet(b), 101n, 'with-key'))).rejects.toMatchObject({ code: 'INSUFFICIENT_BALANCE' })
    expect(await count()).toBe(before)
    expect((await balancesOf(db, a)).depositWallet).toBe(100n)
  })

  it('[RW-13] posts linked transfers in order, all or none', async () => {
    const stock = { system: 'SYS-COIN', asset: 'COIN' } as const
    const buy = (usd: bigint) =>
      posting([
        { from: stock, to: wallet(a, 'newIcoWallet'), amount: 5n },
        { from: wallet(a), to: { system: 'SYS-SALES', asset: 'USD' }, amount: usd },
      ])
    const before = await balanceOfSystemAccount(db, 'SYS-COIN', 'COIN')
    await expect(post(db, buy(101n))).rejects.toMatchObject({ code: 'INSUFFICIENT_BALANCE' })
    expect(await balanceOfSystemAccount(db, 'SYS-COIN', 'COIN')).toBe(before)
    const posted = await post(db, buy(100n))
    expect(posted.transfers).toHaveLength(2)
    expect(await balanceOfSystemAccount(db, 'SYS-COIN', 'COIN')).toBe(before - 5n)
    expect((await receiptsOfPosting(db, posted.postingId)).map((receipt) => receipt.transferId)).toEqual(posted.transfers.map((t) => t.id))
  })

  it('[RW-13] posts once per key, and returns the first result to a repeat', async () => {
    const key = `once-${a}`
    const first = await post(db, pay(wallet(a), wallet(b), 10n, key))
    const again = await post(db, pay(wallet(a), wallet(b), 10n, key))
    expect(again).toEqual({ ...first, repeated: true })
    await expect(post(db, pay(wallet(a), wallet(b), 11n, key))).rejects.toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' })
    await expect(post(db, pay(wallet(b), wallet(a), 10n, key))).rejects.toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' })
    expect((await balancesOf(db, a)).depositWallet).toBe(90n)
  })

  it('throws on an invalid posting', async () => {
    await expect(post(db, pay(wallet(a), wallet(b), 0n))).rejects.toThrow(RangeError)
    await expect(post(db, pay(wallet(a), wallet(b), -1n))).rejects.toThrow(RangeError)
    await expect(post(db, pay(wallet(a), wallet(a), 1n))).rejects.toThrow(RangeError)
    await expect(post(db, pay(wallet(a), wallet(a, 'icoWallet'), 1n))).rejects.toThrow(/no transfer/)
    await expect(post(db, pay(wallet(a), wallet(a, 'icoWallet'), 1n, 'mixed'))).rejects.toThrow(/no transfer/)
    await expect(post(db, pay(wallet(a), wallet(999_999n), 1n))).rejects.toThrow()
    await expect(post(db, pay(wallet(999_999n), wallet(a), 1n))).rejects.toThrow(/no such account/)
    await expect(post(db, posting([]))).rejects.toThrow(RangeError)
    expect((await balancesOf(db, a)).depositWallet).toBe(100n)
  })

  it('rolls back with the surrounding transaction', async () => {
    await expect(
      inTransaction(db, async (tx) => {
        await post(tx, pay(wallet(a), wallet(b), 60n))
        throw new Error('the use case failed')
      }),
    ).rejects.toThrow('the use case failed')
    expect((await balancesOf(db, a)).depositWallet).toBe(100n)
  })

  it('opens the wallets of many members at once, and has no effect when repeated', async () => {
    const owners = [nextOwner, nextOwner + 1n, a]
    nextOwner += 2n
    await openAccountsOf(db, owners)
    expect(await balancesOf(db, owners[1] ?? 0n)).toEqual(Object.fromEntries(walletKinds.map((kind) => [kind, 0n])))
    expect((await balancesOf(db, a)).depositWallet).toBe(100n)
  })
})

describe('postBatch', () => {
  it('posts the others when one is rejected, and later postings may spend the money of earlier ones', async () => {
    const c = await member()
    const results = await postBatch(db, [
      pay(wallet(a), wallet(b), 80n),
      pay(wallet(a), wallet(c), 80n),
      pay(wallet(b), wallet(c), 75n),
      pay(wallet(c), wallet(a), 75n, `chain-${c}`),
      pay(wallet(c), wallet(a), 75n, `chain-${c}`),
    ])
    expect(results.map((result) => (isRejected(result) ? result.refused : result.repeated))).toEqual([
      false,
      'INSUFFICIENT_BALANCE',
      false,
      false,
      true,
    ])
    expect(await Promise.all([a, b, c].map(async (owner) => (await balancesOf(db, owner)).depositWallet))).toEqual([95n, 5n, 0n])
  })

  it('[RW-13] pays from all shards of a system account together, and reports an exhausted stock', async () => {
    const stock = { system: 'SYS-COIN', asset: 'COIN' } as const
    const before = await balanceOfSystemAccount(db, 'SYS-COIN', 'COIN')
    const most = pay(stock, wallet(a, 'icoWallet'), before - 7n)
    await post(db, most)
    expect(await balanceOfSystemAccount(db, 'SYS-COIN', 'COIN')).toBe(7n)
    await expect(post(db, pay(stock, wallet(b, 'icoWallet'), 8n))).rejects.toMatchObject({ code: 'COIN_SOLD_OUT' })
    await post(db, pay(wallet(a, 'icoWallet'), stock, before - 7n))
    expect(await balanceOfSystemAccount(db, 'SYS-COIN', 'COIN')).toBe(before)
    await expectSound()
  })

  it('rejects different content under one key, also within a batch', async () => {
    const key = `twice-${a}`
    const results = await postBatch(db, [pay(wallet(a), wallet(b), 10n, key), pay(wallet(a), wallet(b), 11n, key)])
    expect(results[0]).toMatchObject({ repeated: false })
    expect(results[1]).toMatchObject({ refused: 'IDEMPOTENCY_KEY_REUSED' })
    expect((await balancesOf(db, b)).depositWallet).toBe(10n)
  })

  it('[RW-13] rejects a key that was used with another system account', async () => {
    const fee = { system: 'SYS-FEE', asset: 'USD' } as const
    const [first, second] = [pay(deposits, fee, 10n, `other-${a}`), pay(deposits, { ...fee, system: 'SYS-CONVERT' }, 10n, `other-${a}`)]
    await post(db, first)
    await expect(post(db, second)).rejects.toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' })
    const batch = [first, second].map((one) => ({ ...one, key: `both-${a}` }))
    expect((await postBatch(db, batch))[1]).toMatchObject({ refused: 'IDEMPOTENCY_KEY_REUSED' })
  })

  it('rejects rewards above the budget', async () => {
    await expect(post(db, pay({ system: 'SYS-REWARD', asset: 'COIN' }, wallet(a, 'nativeWallet'), 1n))).rejects.toMatchObject({
      code: 'NOT_COVERED',
    })
  })
})

describe('parallel postings', () => {
  it('[RW-13] allow exactly one of 24 spends of 80 from 100', async () => {
    for (const key of [undefined, 'spend']) {
      const owner = await member(100n)
      const results = await Promise.allSettled(
        Array.from({ length: 24 }, (_, index) =>
          inTransaction(db, (tx) => post(tx, pay(wallet(owner), wallet(b), 80n, key && `${key}-${owner}-${index}`))),
        ),
      )
      expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(1)
      expect(results.filter((result) => result.status === 'rejected').map((result) => result.reason.code)).toEqual(
        Array(23).fill('INSUFFICIENT_BALANCE'),
      )
      expect((await balancesOf(db, owner)).depositWallet).toBe(20n)
    }
  })

  it('[RW-13] post once when 16 calls race with one key', async () => {
    const results = await Promise.all(
      Array.from({ length: 16 }, () => inTransaction(db, (tx) => post(tx, pay(wallet(a), wallet(b), 10n, `race-${a}`)))),
    )
    expect(results.filter((result) => !result.repeated)).toHaveLength(1)
    expect(new Set(results.map((result) => result.postingId)).size).toBe(1)
    expect((await balancesOf(db, a)).depositWallet).toBe(90n)
  })

  it('never deadlock when A pays B while B pays A, singly, linked and in batches', async () => {
    await post(db, pay(deposits, wallet(a), 100_000n))
    await post(db, pay(deposits, wallet(b), 100_000n))
    const before = await deadlocks()
    const jobs = Array.from({ length: 240 }, (_, index) => {
      const [from, to] = index % 2 === 0 ? [a, b] : [b, a]
      const fee = { from: wallet(to), to: { system: 'SYS-FEE', asset: 'USD' }, amount: 1n } as const
      const coin = pay({ system: 'SYS-COIN', asset: 'COIN' }, wallet(from, 'icoWallet'), 1n)
      return inTransaction<unknown>(db, (tx) => {
        if (index % 3 === 0) return post(tx, pay(wallet(from), wallet(to), 1n))
        if (index % 3 === 1) return post(tx, posting([{ from: wallet(from), to: wallet(to), amount: 2n }, fee]))
        return postBatch(tx, [pay(wallet(from), wallet(to), 1n), pay(wallet(to), wallet(from), 1n), coin])
      })
    })
    await Promise.all(jobs)
    expect(await deadlocks()).toBe(before)
    await expectSound()
  })
})

// The embedded database has one session, so no shard is locked by another.
if (database.url !== undefined) {
  describe('locked shards', () => {
    const stock = { system: 'SYS-COIN', asset: 'COIN' } as const
    const shardOf = (owner: bigint) => systemAccountId('SYS-COIN', 'COIN', owner)
    const holding = (shard: bigint, work: () => Promise<void>) =>
      inTransaction(db, async (tx) => {
        await sql`select from ledger_account where id = ${shard} for update`.execute(tx)
        await work()
      })
    const shards = [...new Set(Array.from({ length: 100 }, (_, spread) => shardOf(BigInt(spread))))]
    const total = () => balanceOfSystemAccount(db, 'SYS-COIN', 'COIN')

    it.each(shards)('cause a retryable rejection, not a final one: account %s', async (shard) => {
      const payee = shard === shardOf(b) ? a : b
      const most = (await total()) + 1n
      const key = `beyond-${payee}`
      const attempts = [undefined, key].map((each) => () => post(db, pay(stock, wallet(payee, 'icoWallet'), most, each)))
      await holding(shard, async () => {
        for (const attempt of attempts) await expect(attempt()).rejects.toMatchObject({ code: 'BUSY' })
      })
      for (const attempt of attempts) await expect(attempt()).rejects.toMatchObject({ code: 'COIN_SOLD_OUT' })
      expect([await total(), (await balancesOf(db, payee)).icoWallet]).toEqual([most - 1n, 0n])
    })

    it('[I5] let the same call succeed under its key once they are free', async () => {
      await post(db, pay(stock, wallet(a, 'icoWallet'), 5n))
      await post(db, pay(wallet(a, 'icoWallet'), stock, 5n))
      const all = await total()
      const call = () => post(db, pay(stock, wallet(b, 'icoWallet'), all, `all-${b}`))
      await holding(shardOf(a), async () => {
        await expect(call()).rejects.toMatchObject({ code: 'BUSY' })
      })
      const first = await call()
      expect(first.transfers).toHaveLength(1)
      expect(await call()).toEqual({ ...first, repeated: true })
      expect([await total(), (await balancesOf(db, b)).icoWallet]).toEqual([0n, all])
      await post(db, pay(wallet(b, 'icoWallet'), stock, all))
      await expectSound()
    })
  })
}

async function deadlocks(): Promise<bigint | undefined> {
  await sql`select pg_stat_force_next_flush()`.execute(db)
  const found = await sql<{ deadlocks: bigint }>`select deadlocks from pg_stat_database where datname = current_database()`.execute(db)
  return found.rows[0]?.deadlocks
}
