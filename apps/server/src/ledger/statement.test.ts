import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { testDatabase } from '../../test/database.ts'
import { accountOf, systemAccountId, rewardShard, walletId } from './chart-of-accounts.ts'
import {
  balancesOf,
  systemBalances,
  openAccounts,
  post,
  receiptOf,
  statement,
  type StatementCursor,
  type StatementLine,
  walletKinds,
} from './index.ts'

const { db } = await testDatabase(4)
const at = new Date('2026-03-01T10:00:00Z')
const cause = { type: 'test', id: '1' }
await openAccounts(db, 1n)
await openAccounts(db, 2n)
const native = (owner: bigint) => ({ owner, kind: 'nativeWallet' }) as const
const ico = (owner: bigint) => ({ owner, kind: 'icoWallet' }) as const
await post(db, {
  kind: 'tokenDeposit',
  cause,
  at,
  transfers: [{ from: { system: 'SYS-DEPOSIT', asset: 'COIN' }, to: native(1n), amount: 1_000n }],
})
for (let index = 0; index < 6; index += 1) {
  await post(db, {
    kind: 'swapNative',
    cause: { type: 'swapNative', id: String(index) },
    at,
    ruleVersion: 2,
    transfers: [{ from: native(1n), to: ico(1n), amount: 10n }],
  })
  await post(db, { kind: 'pay', cause, at, transfers: [{ from: ico(1n), to: native(2n), amount: 1n }] })
}

async function pages(limit: number): Promise<StatementLine[]> {
  const all: StatementLine[] = []
  let before: StatementCursor | undefined
  for (;;) {
    const page = await statement(db, 1n, { limit, before })
    all.push(...page)
    const last = page.at(-1)
    if (last === undefined) return all
    before = { transferId: last.transferId, wallet: last.wallet }
  }
}

it("lists both sides of a transfer between a member's wallets, newest first, with continuous balances", async () => {
  const lines = await statement(db, 1n, { limit: 100 })
  expect(lines).toHaveLength(1 + 6 * 3)
  expect(lines[0]).toMatchObject({
    kind: 'pay',
    wallet: 'icoWallet',
    amount: -1n,
    balanceBefore: 55n,
    balanceAfter: 54n,
    counterparty: native(2n),
  })
  expect(lines.filter((line) => line.kind === 'swapNative').slice(0, 2)).toMatchObject([
    { wallet: 'icoWallet', amount: 10n, cause: { type: 'swapNative', id: '5' }, ruleVersion: 2 },
    { wallet: 'nativeWallet', amount: -10n, counterparty: ico(1n) },
  ])
  const balances = await balancesOf(db, 1n)
  for (const wallet of walletKinds) {
    const own = lines.filter((line) => line.wallet === wallet).toReversed()
    const end = own.reduce((balance, line) => (expect(line.balanceBefore).toBe(balance), line.balanceAfter), 0n)
    expect(end).toBe(balances[wallet])
  }
})

it.each([1, 2, 3, 7])('lists each entry once in pages of %i', async (limit) => {
  expect(await pages(limit)).toEqual(await statement(db, 1n, { limit: 100 }))
})

it('filters by wallet and kind, and shows no entries of other members', async () => {
  expect(await statement(db, 1n, { limit: 100, wallets: ['icoWallet'], kinds: ['pay'] })).toHaveLength(6)
  expect(await statement(db, 2n, { limit: 100 })).toHaveLength(6)
  expect(await statement(db, 3n, { limit: 100 })).toEqual([])
})

it('returns a receipt with both sides', async () => {
  const [line] = await statement(db, 1n, { limit: 1 })
  expect(await receiptOf(db, line?.transferId ?? 0n)).toMatchObject({
    amount: 1n,
    from: { account: ico(1n), balanceBefore: 55n, balanceAfter: 54n },
    to: { account: native(2n), balanceBefore: 5n, balanceAfter: 6n },
    kind: 'pay',
    at,
  })
  expect(await receiptOf(db, 987_654n)).toBeUndefined()
})

it('[RW-13] [CO-21] lists the system accounts, with the whole supply of 15 B coin in stock', async () => {
  const systemAccounts = await systemBalances(db)
  expect(new Set(systemAccounts.map((row) => row.system))).toEqual(
    new Set([
      'SYS-DEPOSIT',
      'SYS-WITHDRAW',
      'SYS-BRIDGE',
      'SYS-FEE',
      'SYS-SALES',
      'SYS-COIN',
      'SYS-CONVERT',
      'SYS-REWARD',
      'SYS-ISSUE',
      'SYS-HOLD',
      'SYS-OPERATOR',
      'SYS-GAS',
      'SYS-LOSS',
      'SYS-IMPORT',
    ]),
  )
  expect(systemAccounts.find((row) => row.system === 'SYS-COIN')?.balance).toBe(1_500_000_000_000_000_000n)
  expect(systemAccounts.find((row) => row.system === 'SYS-ISSUE')?.balance).toBe(-1_500_000_000_000_000_000n)
})

it('numbers accounts like the database', async () => {
  const rows = await sql<{
    id: bigint
    owner_id: bigint | null
    kind: string
    asset: string
    shard: number
  }>`select id, owner_id, kind, asset, shard from ledger_account`.execute(db)
  expect(rows.rows.length).toBe(265 + 14)
  for (const row of rows.rows) {
    const account = accountOf(row.id)
    if ('system' in account) {
      const { system, asset } = account
      const number = system === 'SYS-REWARD' ? rewardShard(asset, row.shard) : systemAccountId(system, asset, BigInt(row.shard))
      expect([system, asset, number]).toEqual([row.kind, row.asset, row.id])
    } else expect([account.kind, account.owner, walletId(account.owner, account.kind)]).toEqual([row.kind, row.owner_id, row.id])
  }
})
