import { ONE } from '@tizara/money'
import { describe, expect, it } from 'vitest'
import { type TestApp, testApp } from '../../../test/app.ts'
import { testDatabase } from '../../../test/database.ts'
import { createTestMember } from '../../../test/members.ts'
import { outside } from '../../../test/outside.ts'
import { movementSums, post, type Posting, walletKinds } from '../../ledger/index.ts'
import { allTransfers } from '../../main/all-checks.ts'
import { DAY_MS } from '../../platform/runtime/clock.ts'
import { findDepositsOnChain } from '../deposits/decisions/find-on-chain.ts'
import { findPayoutsOnChain } from '../withdrawals/decisions/find-on-chain.ts'
import { walletRoutes, walletJobs } from './index.ts'

const { db } = await testDatabase()
const none = { dailyBonusCount: 0n, transactionHistoryCount: 0n, dailyStakeLogsBonus: 0n }
/** Row with a receipt in a list, as a module declares it. */
const listed = { id: 'row_1', transfer: '' }
const at: TestApp = await testApp(db, {
  routes: (bind) =>
    walletRoutes(bind, {
      rewardTotals: () => Promise.resolve(none),
      outside,
      transfers: allTransfers,
      histories: [
        {
          kind: 'exchange',
          lists: [],
          findOnChain: (from, memberId, text) =>
            Promise.all([findDepositsOnChain(from, memberId, text), findPayoutsOnChain(from, memberId, text)]).then((found) =>
              found.flat(),
            ),
          receipt: (_db, memberId, id) =>
            Promise.resolve(
              id === listed.id && memberId === owner.id
                ? {
                    kind: 'exchange' as const,
                    id,
                    title: 'Exchange',
                    asset: 'coin' as const,
                    amount: 0n,
                    from: { label: '' },
                    to: { label: '' },
                    transferId: listed.transfer,
                    createdAt: new Date(0),
                    lines: [],
                  }
                : undefined,
            ),
        },
      ],
    }),
  jobs: walletJobs,
})
at.clock.set('2026-03-10T09:00:00Z')
const owner = await createTestMember(db)
const other = await createTestMember(db)
const coin = (kind: 'nativeWallet' | 'icoWallet' | 'newIcoWallet', id = owner.id) => ({ owner: id, kind })
const usd = (kind: 'depositWallet' | 'nftWallet', id = owner.id) => ({ owner: id, kind })

const move = async (kind: Posting['kind'], transfers: Posting['transfers'], cause = '1') =>
  String((await post(db, { kind, cause: { type: 'test', id: cause }, at: at.clock.now(), transfers })).transfers[0]?.id)
const search = async (query: Record<string, string> = {}, id = owner.id) =>
  at.call('GET', `/movements?${new URLSearchParams(query).toString()}`, { token: (await at.signIn(id)).token })
const found = async (query: Record<string, string> = {}, id = owner.id) => (await search(query, id)).body.data
const amounts = ({ rows }: { rows: { direction: string; amount: number }[] }) => rows.map((row) => `${row.direction} ${row.amount}`)

const deposit = await move(
  'deposit',
  [{ from: { system: 'SYS-DEPOSIT', asset: 'USD' }, to: usd('depositWallet'), amount: 100n * ONE }],
  'dep_1',
)
const bought = await move('buyToken', [
  { from: usd('depositWallet'), to: { system: 'SYS-SALES', asset: 'USD' }, amount: 8n * ONE },
  { from: { system: 'SYS-COIN', asset: 'COIN' }, to: coin('newIcoWallet'), amount: 1000n * ONE },
])
listed.transfer = await move('exchange', [{ from: coin('newIcoWallet'), to: coin('icoWallet'), amount: 100n * ONE }], listed.id)
await move('userToUser', [{ from: usd('depositWallet'), to: usd('depositWallet', other.id), amount: 2n * ONE }])

describe('movements', () => {
  it('lists each movement of all wallets once, newest first, with the other side, and adds up the period', async () => {
    const page = await found()
    expect(amounts(page)).toEqual(['out 2', 'own 100', 'in 1000', 'out 8', 'in 100'])
    expect(page).toMatchObject({ from: '2026-02-09', to: '2026-03-10' })
    expect(page.rows[0]).toMatchObject({ group: 'transfer', wallet: 'depositWallet', other: { label: other.email } })
    expect(page.rows[1]).toMatchObject({
      title: 'Transfer to my wallet',
      wallet: 'newIcoWallet',
      other: { label: 'My Wallet', wallet: 'icoWallet' },
      receipt: { kind: 'exchange', id: listed.id },
    })
    expect(page.rows[4]).toMatchObject({ id: deposit, title: 'Deposit', receipt: { kind: 'deposit', id: 'dep_1' } })
    expect(page.sums).toEqual([
      { asset: 'usd', in: 100, out: 10 },
      { asset: 'coin', in: 1000, out: 0 },
    ])
    expect(amounts(await found({}, other.id))).toEqual(['in 2'])
  })

  it('counts a movement to another own wallet in and out when one wallet is chosen', async () => {
    const ico = await found({ wallet: 'icoWallet' })
    expect(amounts(ico)).toEqual(['in 100'])
    const fresh = await found({ wallet: 'newIcoWallet' })
    expect(amounts(fresh)).toEqual(['out 100', 'in 1000'])
    expect(fresh.sums[1]).toEqual({ asset: 'coin', in: 1000, out: 100 })
  })

  it('filters rows and sums by kind', async () => {
    const page = await found({ group: 'coin' })
    expect(amounts(page)).toEqual(['in 1000', 'out 8'])
    expect(page.sums).toEqual([
      { asset: 'usd', in: 0, out: 8 },
      { asset: 'coin', in: 1000, out: 0 },
    ])
  })

  it('finds a transfer with its whole posting, and a row by its receipt, for its member only', async () => {
    expect(amounts(await found({ reference: bought }))).toEqual(['in 1000', 'out 8'])
    expect(amounts(await found({ reference: String(BigInt(bought) + 1n) }))).toEqual(['in 1000', 'out 8'])
    expect(amounts(await found({ reference: listed.id }))).toEqual(['own 100'])
    for (const reference of [bought, listed.id, '999999999999', 'nothing'])
      expect(amounts(await found({ reference }, other.id))).toEqual([])
  })

  it('finds deposits and payouts by transaction hash or address, in any case, for their member only', async () => {
    const person = await createTestMember(db)
    const HASH = `0xAB${'c'.repeat(62)}`
    const OUT_HASH = `0xEF${'1'.repeat(62)}`
    const [IN_ADDRESS, OUT_ADDRESS] = [`0xA1${'b'.repeat(38)}`, `0xD2${'e'.repeat(38)}`]
    const credit = await move('deposit', [
      { from: { system: 'SYS-DEPOSIT', asset: 'USD' }, to: usd('depositWallet', person.id), amount: 50n * ONE },
    ])
    const held = await move('withdrawal', [
      { from: usd('depositWallet', person.id), to: { system: 'SYS-WITHDRAW', asset: 'USD' }, amount: 20n * ONE },
    ])
    const now = at.clock.now()
    const { id } = await db
      .insertInto('deposit')
      .values({
        public_id: 'on-chain',
        member_id: person.id,
        method: 'chain',
        description: 'Deposit',
        amount: 50n * ONE,
        credited: 50n * ONE,
        usd_amount: 50n * ONE,
        status: 'APPROVE',
        created_at: now,
        decided_at: now,
        address: IN_ADDRESS,
        expires_at: now,
        watched_until: now,
        state: 'paid',
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await db
      .insertInto('invoice_transfer')
      .values({
        transfer_key: 'on-chain',
        deposit_id: id,
        asset: 'USD',
        amount: 50n * ONE,
        tx_hash: HASH,
        block_time: now,
        confirmations: 12,
        credited_at: now,
        usd_amount: 50n * ONE,
        transfer_id: BigInt(credit),
      })
      .execute()
    await db
      .insertInto('payout_request')
      .values({
        public_id: 'on-chain',
        kind: 'withdrawal',
        member_id: person.id,
        amount: 20n * ONE,
        platform_fee: 0n,
        network_fee: 0n,
        received: 20n * ONE,
        address: OUT_ADDRESS,
        network: 0,
        hold_id: BigInt(held),
        settings_version: 1,
        created_at: now,
        confirm_by: now,
        owner_mac: Buffer.from('mac'),
        status: 'APPROVED',
        confirmed_at: now,
        confirmed_how: 'step-up',
        decided_by: other.id,
        decided_at: now,
        tx_hash: OUT_HASH,
      })
      .execute()
    for (const text of [HASH, HASH.toLowerCase(), IN_ADDRESS, IN_ADDRESS.toUpperCase().replace('0X', '0x')])
      expect(amounts(await found({ reference: text }, person.id)), text).toEqual(['in 50'])
    for (const text of [OUT_HASH, OUT_ADDRESS.toLowerCase()])
      expect(amounts(await found({ reference: text }, person.id)), text).toEqual(['out 20'])
    for (const text of [HASH, IN_ADDRESS, OUT_HASH, OUT_ADDRESS])
      expect(amounts(await found({ reference: text }, other.id)), text).toEqual([])
    expect((await search({ reference: `${HASH}'` }, person.id)).status).toBe(400)
  })

  it('reads pages of the requested length, also with a filter', async () => {
    const person = await createTestMember(db)
    for (let index = 1n; index <= 30n; index += 1n)
      await move('tokenDeposit', [
        { from: { system: 'SYS-DEPOSIT', asset: 'COIN' }, to: coin('nativeWallet', person.id), amount: index * ONE },
      ])
    expect((await found({}, person.id)).rows).toHaveLength(25)
    for (const query of [{ limit: '1000' }, { limit: '1000', group: 'deposit' }] as const) {
      const page = await found(query, person.id)
      expect([page.rows.length, page.next]).toEqual([30, undefined])
    }
    expect((await search({ limit: '1001' }, person.id)).status).toBe(400)
  })

  it('continues after the last row when new movements arrive between pages', async () => {
    const person = await createTestMember(db)
    const receive = (amount: bigint) =>
      move('tokenDeposit', [{ from: { system: 'SYS-DEPOSIT', asset: 'COIN' }, to: coin('nativeWallet', person.id), amount: amount * ONE }])
    const swap = (amount: bigint) =>
      move('swapNative', [{ from: coin('nativeWallet', person.id), to: coin('icoWallet', person.id), amount: amount * ONE }])
    for (let index = 1n; index <= 27n; index += 1n) await receive(index)
    const first = await found({}, person.id)
    await swap(1n)
    const second = await found({ before: first.next }, person.id)
    expect([...amounts(first), ...amounts(second)]).toEqual(Array.from({ length: 27 }, (_, index) => `in ${27 - index}`))
    expect(second.next).toBeUndefined()
    expect(second.sums).toBeNull()
    expect(amounts(await found({ group: 'transfer' }, person.id))).toEqual(['own 1'])
  })

  it('shows only the chosen days, which end at midnight UTC', async () => {
    const person = await createTestMember(db)
    const receive = () =>
      move('tokenDeposit', [{ from: { system: 'SYS-DEPOSIT', asset: 'COIN' }, to: coin('nativeWallet', person.id), amount: ONE }])
    at.clock.set('2026-04-01T23:59:59.999Z')
    await receive()
    at.clock.set('2026-04-02T00:00:00.000Z')
    await at.runJobs()
    await receive()
    at.clock.set('2026-04-05T00:00:00.000Z')
    await at.runJobs()
    const rowsIn = async (query: Record<string, string>) => (await found(query, person.id)).rows.length
    expect(await rowsIn({ from: '2026-04-01', to: '2026-04-01' })).toBe(1)
    expect(await rowsIn({ from: '2026-04-02', to: '2026-04-02' })).toBe(1)
    expect(await rowsIn({ from: '2026-04-03' })).toBe(0)
    expect(await rowsIn({ to: '2026-04-05' })).toBe(2)
    expect(await found({ from: '2020-01-01' }, person.id)).toMatchObject({ from: '2020-01-01', to: '2020-12-31', rows: [] })
  })

  it.each([
    { from: '2026-01-02', to: '2026-01-01' },
    { from: '2025-01-01', to: '2026-01-02' },
    { group: 'everything' },
    { wallet: 'SYS-HOLD' },
    { before: '-1' },
    { reference: "x' or 1=1" },
  ])('rejects %o', async (query) => {
    expect((await search(query)).status).toBe(400)
  })

  it('gives no sums above the maximum', async () => {
    const period = { since: new Date(at.clock.now().getTime() - 60 * DAY_MS), until: new Date(at.clock.now().getTime() + DAY_MS) }
    expect(await movementSums(db, owner.id, period, { max: 5 })).toBeDefined()
    expect(await movementSums(db, owner.id, period, { max: 4 })).toBeUndefined()
  })

  it('has a title and a group for every kind that moves a wallet', () => {
    const moving = Object.entries<(typeof allTransfers)[keyof typeof allTransfers]>(allTransfers).filter(([, { pairs }]) =>
      pairs.some((pair) => pair.some((side) => walletKinds.some((kind) => kind === side))),
    )
    expect(moving.length).toBeGreaterThan(25)
    expect(moving.filter(([, kind]) => !('receipt' in kind)).map(([name]) => name)).toEqual([])
  })
})
