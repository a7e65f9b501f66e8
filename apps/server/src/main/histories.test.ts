import type { ListQuery, Route } from '@tizara/contract'
import { allRoutes } from '@tizara/contract/all-routes'
import type { HistoryKind } from '@tizara/contract/history-kinds'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { testDatabase } from '../../test/database.ts'
import { createTestMember, type TestMember } from '../../test/members.ts'
import { runAudit } from '../ledger/index.ts'
import { type History, findReceipt, listCounters, readHistory, sumByStatus, counterCheck } from '../modules/histories/index.ts'
import type { Db } from '../platform/db/database.ts'
import { histories } from './histories.ts'

/** Returns the receipt kinds of a list's rows; empty if the rows have no receipts. Walks the schema: reply, data, row, receipt, kind. */
function receiptKinds(route: Route): string[] {
  const entry = (schema: unknown, name: string): unknown => Reflect.get(Object(Reflect.get(Object(schema), 'entries')), name)
  const inner = (schema: unknown, name: string): unknown => Reflect.get(Object(schema), name)
  const page = entry(entry(route.reply, 'data'), 'meta') === undefined ? route.reply : entry(route.reply, 'data')
  const receipt = inner(inner(entry(inner(entry(page, 'data'), 'item'), 'receipt'), 'wrapped'), 'entries')
  const options = inner(inner(receipt, 'kind'), 'options')
  return Array.isArray(options) ? options.map(String) : []
}

/** Compares the lists of the wire with the declared histories. */
function mismatchesOf(routes: readonly Route[], declared: readonly History[]): string[] {
  const shown = new Map(declared.flatMap((one) => one.lists.map((route) => [route.name, one] as const)))
  return routes.flatMap((route) => {
    const [kinds, history] = [receiptKinds(route), shown.get(route.name)]
    if (route.history === undefined) return kinds.length === 0 ? [] : [`${route.name} has receipts and is no history`]
    if (history?.kind !== route.history) return [`${route.name} lists ${route.history}, which no module declares`]
    const explained = typeof history.receipt === 'function'
    return kinds.includes(route.history) === explained ? [] : [`${route.name} and ${route.history} differ about receipts`]
  })
}

/** The NFT catalogue has rows shaped like purchases, but no receipts. */
const lists = allRoutes.filter((route) => route.name !== 'activeNfts')

describe('histories', () => {
  it('cover all lists of the contract, each once', () => {
    expect(mismatchesOf(lists, histories)).toEqual([])
    expect(new Set(histories.map(({ kind }) => kind)).size).toBe(histories.length)
    for (const one of histories) {
      const others = histories.filter((other) => other !== one)
      expect(mismatchesOf(lists, others), one.kind).toHaveLength(one.lists.length)
    }
  })

  it('report a list with receipts but without a history', () => {
    const exchanges = lists.find((route) => route.history === 'exchange')
    if (exchanges === undefined) throw new Error('no list of exchanges')
    const { history: _, ...unnamed } = exchanges
    expect(mismatchesOf([unnamed], histories)).toEqual(['exchangeHistory has receipts and is no history'])
    expect(mismatchesOf([{ ...exchanges, history: 'ticket' }], histories)).toEqual([
      'exchangeHistory lists ticket, which no module declares',
    ])
  })

  it('name only GET calls of members', () => {
    const known = new Set(allRoutes)
    for (const { kind, lists: own, also = [] } of histories) {
      expect(own.length, kind).toBeGreaterThan(0)
      for (const read of [...own, ...also]) expect([known.has(read), read.method, read.access], read.name).toEqual([true, 'GET', 'member'])
    }
  })

  it('have receipts, or a reason for having none', () => {
    const without = histories.flatMap(({ kind, receipt }) => (typeof receipt === 'function' ? [] : [[kind, receipt.none]]))
    expect(without).toEqual([['ticket', 'no money has moved']])
  })
})

const anySetting = sql`(select min(version) from setting)`
const at = sql`'2026-01-01'::timestamptz`

/** How a test adds and changes rows of a list. The amount of row n is n plus a constant. */
interface Sample {
  insert(db: Db, member: bigint, first: number, last: number): Promise<unknown>
  /** Moves the member's first row into another group of the counter. */
  change?: ReturnType<typeof sql>
}
const numbers = (first: number, last: number) => sql`generate_series(${first}::int, ${last}::int) n`
const payout = (kind: 'withdrawal' | 'bridge'): Sample => ({
  insert: (db, member, first, last) =>
    sql`
    insert into payout_request (public_id, kind, member_id, amount, platform_fee, network_fee, received, address, network, hold_id, settings_version, created_at, confirm_by, owner_mac)
    select ${kind} || ${member}::text || '-' || n, ${kind}, ${member}, n + 9, 1, 1, n + 7, 'address', 0, ${member} * 1000 + n + ${kind === 'bridge' ? 500 : 0}, ${anySetting}, ${at}, ${at}, ''
    from ${numbers(first, last)}`.execute(db),
  change: sql`update payout_request set status = 'APPROVED', decided_at = ${at}, confirmed_at = ${at}, confirmed_how = 'book' where kind = ${kind}`,
})
const stake = (omega: boolean): Sample => ({
  insert: (db, member, first, last) =>
    sql`
    insert into stake (public_id, member_id, plan_id, plan_name, is_omega, wallet, amount, apy, duration_days, daily_reward, programme_version, started_at)
    select 's' || ${omega} || ${member}::text || '-' || n, ${member}, (select min(id) from stake_plan), 'Plan', ${omega}, 'mywallet', 200000000 + n, 1, 30, 0, 1, ${at}
    from ${numbers(first, last)}`.execute(db),
  change: sql`update stake set status = 'COMPLETED', matured_at = '2026-02-01' where is_omega = ${omega}`,
})

/** A sample of every counted list. A test finds a missing one. */
const samples = {
  deposit: {
    insert: (db, member, first, last) =>
      sql`
      insert into deposit (public_id, member_id, method, description, amount, usd_amount, created_at)
      select gen_random_uuid()::text, ${member}, 'hosted', 'USDT', n, n, ${at} from ${numbers(first, last)}`.execute(db),
    change: sql`update deposit set status = 'APPROVE', usd_amount = usd_amount + 5 where true`,
  },
  withdrawal: payout('withdrawal'),
  bridge: payout('bridge'),
  'buy-token': {
    insert: (db, member, first, last) =>
      sql`
      insert into coin_purchase (public_id, member_id, coin_amount, coin_price, total_price, charged, settings_version, posting_id, created_at)
      select 'c' || ${member}::text || '-' || n, ${member}, n, 1, 1, 1, ${anySetting}, 1, ${at} from ${numbers(first, last)}`.execute(db),
    change: sql`update coin_purchase set reversed_at = ${at} where true`,
  },
  exchange: {
    insert: (db, member, first, last) =>
      sql`
      insert into wallet_exchange (public_id, member_id, amount, settings_version, posting_id, created_at)
      select 'x' || ${member}::text || '-' || n, ${member}, n, ${anySetting}, 1, ${at} from ${numbers(first, last)}`.execute(db),
  },
  stake: stake(false),
  'stake-log': stake(true),
  'nft-purchase': {
    insert: (db, member, first, last) =>
      sql`
      insert into nft_purchase (public_id, member_id, nft_id, kind, name, price, paid_from, paid_asset, paid_amount, duration_months, total_percent, monthly_reward, programme_version, purchased_at)
      select 'q' || ${member}::text || '-' || n, ${member}, (select min(id) from nft), 'land', 'Land', n, 'depositwallet', 'usd', 5, 12, 1, 0, 1, ${at}
      from ${numbers(first, last)}`.execute(db),
    change: sql`update nft_purchase set status = 'REVERSED', reversed_at = ${at} where true`,
  },
  ticket: {
    insert: (db, member, first, last) =>
      sql`
      insert into ticket (public_id, member_id, title, description, created_at, last_message_at)
      select 't' || ${member}::text || '-' || n, ${member}, 'Title', 'Text', ${at}, ${at} from ${numbers(first, last)}`.execute(db),
  },
} satisfies Partial<Record<HistoryKind, Sample>>

const countedHistories = histories.flatMap((one) => (one.counted === undefined ? [] : [{ ...one, counted: one.counted }]))

describe('list counters', async () => {
  const { db } = await testDatabase()
  const check = counterCheck(histories)
  const broken = async () => (await runAudit(db, [check]))[0]?.broken
  let ann: TestMember
  let bob: TestMember

  beforeAll(async () => {
    ann = await createTestMember(db)
    bob = await createTestMember(db)
    await sql`insert into stake_plan (public_id, name, duration_days, minimum, apy, status, created_at) values ('plan', 'Plan', 30, 0, 1, 'ACTIVE', ${at})`.execute(
      db,
    )
    await sql`insert into nft (public_id, kind, name, price, duration_months, total_percent, status, created_at)
      values ('n', 'land', 'Land', 5, 12, 1, 'ACTIVE', ${at})`.execute(db)
  })

  it('[I3] have a sample for every list', () => {
    expect(countedHistories.map(({ kind }) => kind).toSorted()).toEqual(Object.keys(samples).toSorted())
  })

  it.each(countedHistories.map(({ kind }) => kind as keyof typeof samples))(
    '[I3] of %s change with the rows of one member, and roll back with them',
    async (kind) => {
      const { insert, change }: Sample = samples[kind]
      const figures = async (of: TestMember) => listCounters(db, of.id, kind)
      const added = (await figures(bob)).total
      await insert(db, ann.id, 1, 4)
      await insert(db, ann.id, 5, 5)
      await insert(db, bob.id, 1, 1)
      const before = await figures(ann)
      expect([before.total, (await figures(bob)).total - added, await broken()]).toEqual([5, 1, 0])
      if (change === undefined) return
      const alone = sql`${change} and member_id = ${ann.id}`
      const rolledBack = db.transaction().execute(async (tx) => {
        await alone.execute(tx)
        throw new Error('and back')
      })
      await expect(rolledBack).rejects.toThrow('and back')
      expect(await figures(ann)).toEqual(before)
      await alone.execute(db)
      const [after, other] = [await figures(ann), await figures(bob)]
      expect([after.total, await broken()]).toEqual([5, 0])
      expect(Object.keys(after.buckets)).not.toEqual(Object.keys(before.buckets))
      expect(Object.keys(other.buckets)).toEqual(Object.keys(before.buckets))
      expect(await findReceipt(histories, db, bob.id, { kind, id: '1' })).toBeUndefined()
    },
  )

  it.each(countedHistories)('[API-08] [API-09] $kind pages newest first from either end, and filters by days', async (history) => {
    const dora = await createTestMember(db)
    await samples[history.kind as keyof typeof samples].insert(db, dora.id, 1, 5)
    const ids = async (query: ListQuery) =>
      (await readHistory(db, history, dora.id, query)).rows.map((row) => Number(Reflect.get(row, 'id')))
    const all = await ids({})
    expect([all.length, all]).toEqual([5, all.toSorted((a, b) => b - a)])
    expect([await ids({ page: 1, limit: 2 }), await ids({ page: 2, limit: 2 }), await ids({ page: 3, limit: 2 })]).toEqual([
      all.slice(0, 2),
      all.slice(2, 4),
      all.slice(4),
    ])
    expect(await ids({ from: '2026-01-01', to: '2026-01-01' })).toEqual(all)
    expect((await readHistory(db, history, dora.id, { from: '2026-01-02' })).meta.total).toBe(0)
    expect((await readHistory(db, history, dora.id, { to: '2025-12-31' })).meta).toEqual({ total: 0, page: 1, limit: 1000 })
  })

  it('[I3] count rows and amounts by status, also when an amount changes', async () => {
    const cleo = await createTestMember(db)
    await samples.deposit.insert(db, cleo.id, 1, 5)
    await sql`update deposit set status = 'APPROVE', usd_amount = 100 where member_id = ${cleo.id} and amount <= 2`.execute(db)
    await sql`update deposit set next_check_at = '2026-01-02' where member_id = ${cleo.id}`.execute(db)
    expect(await listCounters(db, cleo.id, 'deposit')).toMatchObject({ total: 5, sum: 212n })
    expect(sumByStatus(await listCounters(db, cleo.id, 'deposit'))).toEqual({ PENDING: 12n, APPROVE: 200n })
    expect(await listCounters(db, cleo.id, 'exchange')).toEqual({ total: 0, sum: 0n, buckets: {} })
  })

  it('[I3] are not written by changes of unrelated columns', async () => {
    const versions = () =>
      sql<{ mark: string }>`select string_agg(xmin::text, ',' order by list, bucket) as mark from member_list_counter`.execute(db)
    const before = (await versions()).rows
    await sql`update stake set plan_name = plan_name || ' renamed' where status = 'ACTIVE'`.execute(db)
    await sql`update nft_purchase set name = name || ' renamed' where status = 'ACTIVE'`.execute(db)
    expect((await versions()).rows).toEqual(before)
  })

  it('[I3] are compared with the rows by the audit', async () => {
    await sql`update member_list_counter set rows = rows + 1 where member_id = ${bob.id} and list = 'deposit'`.execute(db)
    expect(await broken()).toBe(1)
  })
})
