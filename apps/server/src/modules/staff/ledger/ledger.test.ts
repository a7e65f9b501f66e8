import { ONE } from '@tizara/money'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { fund } from '../../../../test/members.ts'
import { type Person, type StaffInstance, staffInstance } from '../../../../test/staff-instance.ts'
import { DAY_MS } from '../../../platform/runtime/clock.ts'
import { inTransaction } from '../../../platform/db/database.ts'
import { buyToken } from '../../coin/index.ts'
import { currentSettings } from '../../settings/index.ts'

interface EntryRow {
  id: string
  amount: number
  balanceAfter: number
  kind: string
  text: string
  other: { name: string; member?: { email: string } }
}

let instance: StaffInstance
let buyer: Person
let purchase: string
const get = async (path: string) => (await instance.get(path, instance.support)).body.data
const entries = async (number: string | bigint, query = ''): Promise<EntryRow[]> =>
  (await get(`/staff/ledger/accounts/${number}/entries${query}`)).data

beforeAll(async () => {
  instance = await staffInstance()
  buyer = await instance.person({ sponsorId: (await instance.person()).id })
  await fund(instance.at.db, buyer.id, 'depositWallet', 100n * ONE)
  const { coinPrice } = await currentSettings(instance.at.db, instance.at.clock.now())
  const input = { memberId: buyer.id, coinAmount: 1000n * ONE, coinPrice, totalPrice: 1000n * coinPrice }
  purchase = await inTransaction(instance.at.db, (tx) => buyToken(tx, instance.at.deps, input))
})

describe('ledger views of staff', () => {
  it('[RW-13] sum the shards of each system account, so that each asset adds up to 0 with the members', async () => {
    const rows: { number: string; name: string; asset: string; balance: number }[] = await get('/staff/ledger/accounts')
    expect(rows.find((row) => row.name === 'SYS-COIN')).toMatchObject({ number: '-7200', asset: 'coin' })
    expect(new Set(rows.map((row) => row.number)).size).toBe(rows.length)
    for (const asset of ['usd', 'coin'] as const) {
      const of = rows.filter((row) => row.asset === asset).reduce((sum, row) => sum + row.balance, 0)
      const members = await sql<{ sum: number }>`
        select coalesce(sum(balance), 0)::float8 / 1e8 as sum from ledger_account where id > 0 and asset = ${asset.toUpperCase()}`.execute(
        instance.at.db,
      )
      expect(of + (members.rows[0]?.sum ?? 0)).toBeCloseTo(0, 4)
    }
    const account = await get('/staff/ledger/accounts/-7200')
    expect(account.shards).toHaveLength(16)
    expect(account.shards.reduce((sum: number, shard: { balance: number }) => sum + shard.balance, 0)).toBeCloseTo(account.balance, 4)
  })

  it('find the wallets of a member, with continuous balances', async () => {
    const wallets: { number: string; name: string; balance: number }[] = await get(
      `/staff/ledger/accounts?q=${encodeURIComponent(buyer.email)}`,
    )
    expect(wallets).toHaveLength(7)
    const deposit = wallets[0]
    const rows = await entries(deposit?.number ?? '')
    expect(rows.map((row) => [row.text, row.amount < 0])).toEqual([
      ['Coin purchase', true],
      ['Test funds', false],
    ])
    expect(rows[0]?.balanceAfter).toBe(deposit?.balance)
    expect(rows[0]?.other.name).toBe('SYS-SALES')
  })

  it('page through an account of many shards without gaps, with the balance of all shards in each row', async () => {
    for (let times = 0; times < 5; times += 1) {
      const who = await instance.person()
      await fund(instance.at.db, who.id, 'nativeWallet', 10n * ONE)
    }
    const all = await entries(-7200n, '?limit=200')
    const paged: EntryRow[] = []
    for (;;) {
      const before = paged.at(-1)?.id
      const page = await entries(-7200n, `?limit=4${before === undefined ? '' : `&before=${before}`}`)
      if (page.length === 0) break
      paged.push(...page)
    }
    expect(paged).toEqual(all)
    expect(all[0]?.balanceAfter).toBe((await get('/staff/ledger/accounts/-7200')).balance)
    all
      .slice(0, -1)
      .forEach((row, index) => expect(row.balanceAfter - row.amount).toBeCloseTo(all[index + 1]?.balanceAfter ?? Number.NaN, 4))
  })

  it('filter all rows by kind and days, not only the page', async () => {
    const { kinds } = await get('/staff/ledger/accounts/-6100')
    expect(kinds).toContainEqual({ kind: 'buyToken', text: 'Coin purchase' })
    expect((await entries(-6100n, '?kind=buyToken')).map((row) => row.kind)).toEqual(['buyToken'])
    expect(await entries(-6100n, '?kind=nftPurchase')).toEqual([])
    const today = instance.at.clock.now().toISOString().slice(0, 10)
    const before = new Date(instance.at.clock.now().getTime() - DAY_MS).toISOString().slice(0, 10)
    expect(await entries(-6100n, `?from=${today}&to=${today}`)).toHaveLength(1)
    expect(await entries(-6100n, `?to=${before}`)).toEqual([])
    // Daily marks narrow the search without skipping entries.
    await sql`insert into wallet_day (day, last_transfer_id, marked_at)
      select d::date, 1, d + interval '1 day' from generate_series('2026-02-20'::timestamptz, '2026-02-27', '1 day') d`.execute(
      instance.at.db,
    )
    expect(await entries(-6100n, `?from=${today}&to=${today}`)).toHaveLength(1)
  })

  it('show a transfer with both sides, its cause, and the other transfers of the cause', async () => {
    const [row] = await entries(-6100n, '?kind=buyToken')
    const transfer = await get(`/staff/ledger/transfers/${row?.id}`)
    expect(transfer).toMatchObject({
      text: 'Coin purchase',
      asset: 'usd',
      legs: [{ member: { email: buyer.email } }, { name: 'SYS-SALES' }],
    })
    for (const leg of transfer.legs) expect(leg.before + leg.amount).toBeCloseTo(leg.after, 6)
    expect(transfer.cause[0]).toMatchObject({ type: 'coin_purchase', id: purchase, text: 'Coin purchase' })
    // The next step shows the source of funds. It ends at a payment from outside.
    expect(transfer.cause.at(-1)).toMatchObject({ type: 'test' })
    expect(transfer.sameCause.map((one: { asset: string }) => one.asset)).toEqual(['coin'])
    const back = await get(`/staff/ledger/transfers/${transfer.sameCause[0].id}`)
    expect(back.sameCause.map((one: { id: string }) => one.id)).toEqual([row?.id])
  })

  it("show the member's receipt of a transfer, and none between system accounts", async () => {
    const [row] = await entries(-6100n, '?kind=buyToken')
    const [own, ...others] = await get(`/staff/ledger/transfers/${row?.id}/receipts`)
    expect(others).toEqual([])
    expect(own.member.email).toBe(buyer.email)
    const from = { label: 'Deposit Wallet', wallet: 'depositWallet' }
    expect(own.receipt).toMatchObject({ kind: 'transfer', title: 'Coin purchase', amount: 8, from, balanceBefore: 100, balanceAfter: 92 })
    const { rows } = await sql<{
      id: string
    }>`select id::text from ledger_transfer where debit_account < 0 and credit_account < 0 limit 1`.execute(instance.at.db)
    expect(await get(`/staff/ledger/transfers/${rows[0]?.id}/receipts`)).toEqual([])
    expect((await instance.get(`/staff/ledger/transfers/${row?.id}/receipts`, buyer)).status).toBe(404)
  })

  it('link a payout to its fees, and back', async () => {
    const id = await instance.withdrawal(await instance.person(), 100n)
    expect((await instance.post(`/staff/queues/withdrawals/${id}/approve`, instance.checker, { reason: 'as usual' })).status).toBe(200)
    const [fee] = await entries(-5100n)
    const transfer = await get(`/staff/ledger/transfers/${fee?.id}`)
    expect(transfer.cause[0]).toMatchObject({ type: 'payout_request', id, href: `/staff/payouts/${id}` })
    expect(transfer.sameCause.map((one: { text: string }) => one.text).toSorted()).toEqual(
      ['Payout', 'Platform fee', 'Withdrawal'].toSorted(),
    )
  })

  it.each([
    'accounts/-99100',
    'accounts/7',
    'accounts/-99100/entries',
    'transfers/999999999',
    'transfers/999999999/receipts',
    'transfers/x',
    'accounts/0',
  ])('answer 404 for %s', async (what) => {
    expect((await instance.get(`/staff/ledger/${what}`, instance.support)).status).toBe(404)
  })
})
