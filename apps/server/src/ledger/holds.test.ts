import { beforeEach, describe, expect, it } from 'vitest'
import { testDatabase } from '../../test/database.ts'
import { inTransaction } from '../platform/db/database.ts'
import { ledgerChecks } from './audit-checks.ts'
import { balanceOfSystemAccount, balancesOf, hold, openAccounts, post, receiptOf, release, runAudit, settle } from './index.ts'

const database = await testDatabase(12)
const { db } = database
const at = new Date('2026-03-01T10:00:00Z')
const cause = { type: 'withdrawal', id: '7' }
let owner = 0n

beforeEach(async () => {
  owner += 1n
  await openAccounts(db, owner)
  await post(db, {
    kind: 'deposit',
    cause,
    at,
    transfers: [{ from: { system: 'SYS-DEPOSIT', asset: 'USD' }, to: { owner, kind: 'depositWallet' }, amount: 100n }],
  })
})

const holdOf = (amount: bigint, key?: string) =>
  hold(db, { from: { owner, kind: 'depositWallet' }, amount, kind: 'withdrawal', cause, at, key })
const payout = (amount: bigint, fee: bigint) => [
  { to: { system: 'SYS-WITHDRAW', asset: 'USD' } as const, amount },
  { to: { system: 'SYS-FEE', asset: 'USD' } as const, amount: fee, kind: 'platformFee' } as const,
]
const end = { kind: 'payout', cause, at } as const
const deposit = async () => (await balancesOf(db, owner)).depositWallet

async function expectSound() {
  expect((await runAudit(db, ledgerChecks)).filter((result) => result.broken > 0)).toEqual([])
}

describe('two-phase transfers', () => {
  it('[MF-03] debit at once, then pay out with the fee to the fee account', async () => {
    const paid = await balanceOfSystemAccount(db, 'SYS-WITHDRAW', 'USD')
    const fees = await balanceOfSystemAccount(db, 'SYS-FEE', 'USD')
    const held = await holdOf(60n)
    expect(held).toMatchObject({ fromBalance: 40n, repeated: false })
    expect(await deposit()).toBe(40n)
    expect(await balanceOfSystemAccount(db, 'SYS-HOLD', 'USD')).toBe(60n)
    await expectSound()
    const settled = await settle(db, { ...end, holdId: held.holdId, legs: payout(55n, 5n) })
    expect(await balanceOfSystemAccount(db, 'SYS-HOLD', 'USD')).toBe(0n)
    expect(await balanceOfSystemAccount(db, 'SYS-WITHDRAW', 'USD')).toBe(paid + 55n)
    expect(await balanceOfSystemAccount(db, 'SYS-FEE', 'USD')).toBe(fees + 5n)
    expect(await receiptOf(db, settled.transfers[1]?.id ?? 0n)).toMatchObject({ kind: 'platformFee', resolves: held.holdId, amount: 5n })
    await expectSound()
  })

  it('[MF-03] [MF-04] return the whole amount on release', async () => {
    const held = await holdOf(60n)
    await release(db, { ...end, holdId: held.holdId })
    expect(await deposit()).toBe(100n)
    await expectSound()
  })

  it('end once, whatever is called afterwards', async () => {
    const paid = await holdOf(60n)
    await settle(db, { ...end, holdId: paid.holdId, legs: payout(60n - 1n, 1n) })
    await expect(settle(db, { ...end, holdId: paid.holdId, legs: payout(60n - 1n, 1n) })).rejects.toMatchObject({ code: 'ALREADY_DECIDED' })
    await expect(release(db, { ...end, holdId: paid.holdId })).rejects.toMatchObject({ code: 'ALREADY_DECIDED' })
    const returned = await holdOf(20n)
    await release(db, { ...end, holdId: returned.holdId })
    await expect(release(db, { ...end, holdId: returned.holdId })).rejects.toMatchObject({ code: 'ALREADY_DECIDED' })
    await expect(settle(db, { ...end, holdId: returned.holdId, legs: payout(19n, 1n) })).rejects.toMatchObject({ code: 'ALREADY_DECIDED' })
    expect(await deposit()).toBe(40n)
    await expectSound()
  })

  it('accept one of many parallel endings', async () => {
    const held = await holdOf(60n)
    const results = await Promise.allSettled(
      Array.from({ length: 12 }, (_, index) =>
        inTransaction(db, (tx) =>
          index % 2 === 0
            ? release(tx, { ...end, holdId: held.holdId })
            : settle(tx, { ...end, holdId: held.holdId, legs: payout(50n, 10n) }),
        ),
      ),
    )
    expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(1)
    expect(results.filter((result) => result.status === 'rejected').map((result) => result.reason.code)).toEqual(
      Array(11).fill('ALREADY_DECIDED'),
    )
    await expectSound()
  })

  it('reject a hold above the balance, legs that do not add up, and a transfer that is no hold', async () => {
    await expect(holdOf(101n)).rejects.toMatchObject({ code: 'INSUFFICIENT_BALANCE' })
    const held = await holdOf(60n)
    await expect(settle(db, { ...end, holdId: held.holdId, legs: payout(60n, 5n) })).rejects.toThrow(RangeError)
    await expect(settle(db, { ...end, holdId: held.holdId, legs: [] })).rejects.toThrow(RangeError)
    await expect(release(db, { ...end, holdId: 1n })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(release(db, { ...end, holdId: 987_654n })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect(await deposit()).toBe(40n)
  })

  it('hold once per key', async () => {
    const first = await holdOf(60n, `hold-${owner}`)
    const again = await holdOf(60n, `hold-${owner}`)
    expect(again).toEqual({ ...first, repeated: true })
    expect(await deposit()).toBe(40n)
  })
})
