import { describe, expect, it } from 'vitest'
import { testDatabase } from '../../test/database.ts'
import { DAY_MS } from '../platform/runtime/clock.ts'
import { systemAccountId, walletId } from './chart-of-accounts.ts'
import { type EntrySearch, entriesOf, shardsOfAccount } from './explore.ts'
import { openAccounts, post } from './index.ts'

const { db } = await testDatabase(4)
const FIRST = new Date('2026-03-01T10:00:00Z')
const day = (n: number) => new Date(FIRST.getTime() + n * DAY_MS)
await openAccounts(db, 1n)
// A frequent and a rare kind, each with one transfer in and one out per day.
for (const kind of ['buyToken', 'swapNative'] as const)
  for (let n = 0; n < 6; n += 1) {
    const [wallet, system] = [{ owner: 1n, kind: 'icoWallet' } as const, { system: 'SYS-DEPOSIT', asset: 'COIN' } as const]
    const [from, to] = n % 2 === 0 ? [system, wallet] : [wallet, system]
    await post(db, {
      kind,
      cause: { type: 'test', id: String(n) },
      at: day(n),
      transfers: [{ from, to, amount: n % 2 === 0 ? 100n : 10n }],
    })
  }

const WALLET = walletId(1n, 'icoWallet')
const found = async (search: Partial<EntrySearch>, account = WALLET) =>
  (await entriesOf(db, account, { limit: 100, ...search })).map(({ kind, cause, amount }) => `${kind} ${cause.id} ${amount}`)

describe('entries of an account', () => {
  it('are sorted newest first, and the limit keeps the newest', async () => {
    const all = ['5 -10', '4 100', '3 -10', '2 100', '1 -10', '0 100']
    expect(await found({})).toEqual([...all.map((one) => `swapNative ${one}`), ...all.map((one) => `buyToken ${one}`)])
    expect(await found({ limit: 2 })).toEqual(['swapNative 5 -10', 'swapNative 4 100'])
  })

  it.each(['buyToken', 'swapNative'])(
    'are filtered by kind and by time, with an inclusive start and an exclusive end: %s',
    async (kind) => {
      expect(await found({ kind, limit: 3 })).toEqual([`${kind} 5 -10`, `${kind} 4 100`, `${kind} 3 -10`])
      expect(await found({ kind, since: day(2) })).toEqual([`${kind} 5 -10`, `${kind} 4 100`, `${kind} 3 -10`, `${kind} 2 100`])
      expect(await found({ kind, until: day(2) })).toEqual([`${kind} 1 -10`, `${kind} 0 100`])
      expect(await found({ kind, since: day(1), until: day(3) })).toEqual([`${kind} 2 100`, `${kind} 1 -10`])
    },
  )

  it.each(['buyToken', 'swapNative'])('continue before a row, and stay within a range of ids: %s', async (kind) => {
    const rows = await entriesOf(db, WALLET, { kind, limit: 100 })
    const [, second, third, , fifth] = rows.map((row) => row.transferId)
    expect(await found({ kind, before: second })).toEqual([`${kind} 3 -10`, `${kind} 2 100`, `${kind} 1 -10`, `${kind} 0 100`])
    expect(await found({ kind, afterId: fifth, upToId: third })).toEqual([`${kind} 3 -10`, `${kind} 2 100`])
  })

  it('of a system account cover all shards with opposite signs, and each has the balance of all shards', async () => {
    const system = systemAccountId('SYS-DEPOSIT', 'COIN')
    const shards = await shardsOfAccount(db, system)
    expect(shards.map((shard) => shard.number)).toEqual(Array.from({ length: 16 }, (_, spread) => system - BigInt(spread)))
    expect(shards.reduce((sum, shard) => sum + shard.balance, 0n)).toBe(-540n)
    const rows = await entriesOf(db, system, { limit: 100 })
    expect(rows.map((row) => row.amount)).toEqual([10n, -100n, 10n, -100n, 10n, -100n, 10n, -100n, 10n, -100n, 10n, -100n])
    expect(rows.map((row) => row.balanceAfter)).toEqual([-540n, -550n, -450n, -460n, -360n, -370n, -270n, -280n, -180n, -190n, -90n, -100n])
    expect(rows.map((row) => row.other)).toEqual(rows.map(() => WALLET))
  })
})
