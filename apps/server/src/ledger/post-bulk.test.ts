import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { testDatabase } from '../../test/database.ts'
import { inTransaction } from '../platform/db/database.ts'
import { ledgerChecks } from './audit-checks.ts'
import { balanceOfSystemAccount, balancesOf, type BulkInput, openAccountsOf, post, postBulk, runAudit, statement } from './index.ts'

const { db } = await testDatabase(8)
const at = new Date('2026-03-01T10:00:00Z')
const cause = { type: 'test', id: '1' }
const MEMBERS = 2_000
await openAccountsOf(
  db,
  Array.from({ length: MEMBERS }, (_, index) => BigInt(index + 1)),
)
const fund = (amount: bigint) =>
  post(db, {
    kind: 'fund',
    cause,
    at,
    transfers: [{ from: { system: 'SYS-OPERATOR', asset: 'COIN' }, to: { system: 'SYS-REWARD', asset: 'COIN' }, amount }],
  })
await fund(10_000_000n)

const run = (input: Partial<BulkInput> & Pick<BulkInput, 'total' | 'source'>) =>
  inTransaction(db, (tx) =>
    postBulk(tx, { from: 'SYS-REWARD', to: 'nativeWallet', kind: 'dailyReward', causeType: 'stake', at, ruleVersion: 3, ...input }),
  )
const everyone = (amount: number, keys = sql`null::text`) =>
  sql`select n::bigint as owner_id, ${amount}::bigint as amount, 'stake-' || n as cause_id, ${keys} as key from generate_series(1, ${MEMBERS}::int) n`
const pool = () => balanceOfSystemAccount(db, 'SYS-REWARD', 'COIN')

async function expectSound() {
  expect((await runAudit(db, ledgerChecks)).filter((result) => result.broken > 0)).toEqual([])
}

it('credits every member of a run in one call', async () => {
  const before = await pool()
  const done = await run({ total: 10n * BigInt(MEMBERS), source: everyone(10) })
  expect(done).toEqual({ transfers: MEMBERS, total: 20_000n })
  expect(await pool()).toBe(before - 20_000n)
  expect((await balancesOf(db, 1_234n)).nativeWallet).toBe(10n)
  expect(await statement(db, 1_234n, { limit: 5 })).toMatchObject([
    { amount: 10n, balanceBefore: 0n, balanceAfter: 10n, kind: 'dailyReward', cause: { type: 'stake', id: 'stake-1234' }, ruleVersion: 3 },
  ])
  await expectSound()
})

it('runs twice in one transaction, and posts nothing for an empty source', async () => {
  const before = await pool()
  await inTransaction(db, async (tx) => {
    const input = { from: 'SYS-REWARD', to: 'icoWallet', kind: 'dailyReward', causeType: 'stake', at } as const
    await postBulk(tx, { ...input, total: 1n * BigInt(MEMBERS), source: everyone(1) })
    await postBulk(tx, { ...input, total: 2n * BigInt(MEMBERS), source: everyone(2) })
    expect(await postBulk(tx, { ...input, total: 0n, source: sql`${everyone(1)} limit 0` })).toEqual({ transfers: 0, total: 0n })
  })
  expect(await pool()).toBe(before - 3n * BigInt(MEMBERS))
  expect((await balancesOf(db, 7n)).icoWallet).toBe(3n)
  await expectSound()
})

it('rejects the whole run for another sum, a repeated member, a zero amount, an unknown member, a used key or a short budget', async () => {
  const before = await pool()
  const members = BigInt(MEMBERS)
  await expect(run({ total: members + 1n, source: everyone(1) })).rejects.toThrow(/add up/)
  await expect(run({ total: 2n * members, source: sql`(${everyone(1)}) union all (${everyone(1)})` })).rejects.toThrow(/members add up/)
  await expect(run({ total: 0n, source: everyone(0) })).rejects.toThrow(/check/)
  await expect(
    run({ total: 5n, source: sql`select 9999999::bigint as owner_id, 5::bigint as amount, 'x' as cause_id, null::text as key` }),
  ).rejects.toThrow(/have the wallet/)
  await expect(run({ total: 20_000n * members, source: everyone(20_000) })).rejects.toMatchObject({ code: 'NOT_COVERED' })
  expect(await pool()).toBe(before)
  const keys = sql`'day-1-' || n`
  await run({ total: members, source: everyone(1, keys) })
  await expect(run({ total: members, source: everyone(1, keys) })).rejects.toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' })
  expect(await pool()).toBe(before - members)
  await expectSound()
})

it('does not deadlock with parallel payments between members', async () => {
  const pay = (from: bigint, to: bigint) =>
    inTransaction(db, (tx) =>
      post(tx, {
        kind: 'pay',
        cause,
        at,
        transfers: [{ from: { owner: from, kind: 'nativeWallet' }, to: { owner: to, kind: 'nativeWallet' }, amount: 1n }],
      }),
    )
  const payments = Array.from({ length: 300 }, (_, index) =>
    pay(BigInt((index * 37) % MEMBERS) + 1n, BigInt((index * 91 + 5) % MEMBERS) + 1n),
  )
  const runs = [1, 2, 3].map(() => run({ total: BigInt(MEMBERS), source: everyone(1) }))
  await Promise.all([...payments, ...runs])
  await expectSound()
})
