import type { effectRow } from '@tizara/contract/staff-changes'
import { mulDiv, ONE, type Units } from '@tizara/money'
import { sql } from 'kysely'
import type { InferOutput } from 'valibot'
import type { Db } from '../../../../platform/db/database.ts'
import { coverageOf, currentProgramme, promiseOf, type Sale } from '../../../rewards/index.ts'
import type { Change } from './change-subjects.ts'
import { figure, grouped, percentText } from '../../access/figures.ts'

type EffectRow = InferOutput<typeof effectRow>

/** What an effect is worked out from: all fields before and after, and the days of the past. */
export interface Grounds {
  before: unknown
  after: Record<string, unknown>
  /** The first moment of the days, and the first one behind them. */
  from: Date
  to: Date
  at: Date
}

/** What a change does, line by line; null where the change says it all itself. */
export async function rowsOf(db: Db, change: Change, grounds: Grounds): Promise<EffectRow[] | null> {
  switch (change.subject) {
    case 'price':
      return ofPrice(db, grounds)
    case 'plan':
      return ofPlan(db, change.value.planId, grounds)
    case 'nft':
      return ofNft(db, change.value.nftId, grounds)
    case 'limits':
      return ofLimits(db, grounds)
    case 'settings':
      return ofSettings(db, grounds)
    case 'popup':
      return [{ label: 'Members see it', after: change.value.isActive ? 'when they come in' : 'no longer' }]
    case 'programme':
    case 'cover':
      return []
    case 'credit':
    case 'fund':
    case 'undo':
    case 'cancel-rewards':
    case 'reversal':
    case 'chain-answer':
    case 'staff':
    case 'status':
    case 'special':
    case 'rank':
    case 'sessions':
    case 'second-factor':
    case 'lift-stop':
      return null
  }
}

const read = (holds: unknown, key: string): Units => figure(typeof holds === 'object' && holds !== null ? Reflect.get(holds, key) : 0)

async function ofPrice(db: Db, { before, after, from, to }: Grounds): Promise<EffectRow[]> {
  const [old, next] = [read(before, 'coinPrice'), read(after, 'coinPrice')]
  const coinsFor = (usd: Units, price: Units) => grouped(mulDiv(usd, ONE, price, 'down'))
  const found = await sql<{ purchases: number; usd: Units }>`
    select count(*)::int as purchases, coalesce(sum(charged), 0)::bigint as usd from coin_purchase
    where created_at >= ${from} and created_at < ${to} and undone_at is null`.execute(db)
  const { purchases = 0, usd = 0n } = found.rows[0] ?? {}
  return [
    { label: '100 USD buy', before: coinsFor(100n * ONE, old), after: coinsFor(100n * ONE, next), unit: 'coin' },
    {
      label: `Coin for the ${purchases} purchase${purchases === 1 ? '' : 's'} of 30 days`,
      before: coinsFor(usd, old),
      after: coinsFor(usd, next),
      unit: 'coin',
    },
    // The house sells at the one and buys back at the other: whoever reads what is planned can do that without a risk.
    ...(next <= old
      ? []
      : [
          {
            label: 'Coin of 100 USD, sold after it, brings',
            after: grouped(mulDiv(100n * next, ONE, old, 'down')),
            unit: 'USD',
            good: false,
          },
        ]),
    { label: 'Converting the NFT wallet is at', after: `${grouped(read(after, 'convertRate'), 8)} USD` },
    { label: 'Open quotes', after: 'keep the price that they name, or are refused' },
  ]
}

interface SoldStakes {
  running: number
  sold: number
  below: number
  total: Units
  typical: Units
}

async function ofPlan(db: Db, planId: string | undefined, { before, after, from, to, at }: Grounds): Promise<EffectRow[]> {
  const [oldApy, apy, days] = [read(before, 'apy'), read(after, 'apy'), Number(after['duration'])]
  const found = await sql<SoldStakes>`
    with plan as (select id from stake_plan where public_id = ${planId ?? ''}), lately as materialized (
      select amount from stake where started_at >= ${from} and started_at < ${to} and plan_id = (select id from plan))
    select (select count(*)::int from stake where plan_id = (select id from plan) and status = 'ACTIVE') as running, count(*)::int as sold,
      count(*) filter (where amount < ${read(after, 'minimum')})::int as below, coalesce(sum(amount), 0)::bigint as total,
      coalesce(percentile_disc(0.5) within group (order by amount), 0)::bigint as typical
    from lately`.execute(db)
  const { running = 0, sold = 0, below = 0, total = 0n, typical = 0n } = found.rows[0] ?? {}
  const stake = typical > 0n ? typical : read(after, 'minimum')
  const earns = (percent: Units) => grouped(mulDiv(stake, percent, 100n * ONE, 'down'))
  const sale = (percent: Units, duration: number): Sale => ({ kind: 'stake', amount: total, apy: percent, durationDays: duration })
  const rows: EffectRow[] = [
    ...(before === null ? [] : [{ label: 'Running stakes', after: `${running}, all keep their figures` }]),
    {
      label: `Typical stake, ${grouped(stake)} coin, earns`,
      ...(before === null ? {} : { before: earns(oldApy) }),
      after: earns(apy),
      unit: 'coin',
    },
  ]
  if (sold === 0) return rows
  const promises = [sale(oldApy, Number(Reflect.get(Object(before), 'duration'))), sale(apy, days)] as const
  return [
    ...rows,
    ...(await promiseRows(db, 'COIN', promises, at)),
    { label: 'Stakes of 30 days below the new minimum', after: `${below} of ${sold}` },
  ]
}

async function ofNft(db: Db, nftId: string | undefined, { before, after, from, to, at }: Grounds): Promise<EffectRow[]> {
  const found = await sql<{ sold: number; held: number }>`
    select count(*) filter (where ${inDays(sql`b.purchased_at`, from, to)})::int as sold, count(*)::int as held
    from nft_purchase b join nft n on n.id = b.nft_id where n.public_id = ${nftId ?? ''} and b.status = 'ACTIVE' and b.purchased_at < ${to}`.execute(
    db,
  )
  const { sold = 0, held = 0 } = found.rows[0] ?? {}
  const brings = (of: unknown) => grouped(mulDiv(read(of, 'price'), read(of, 'dailyRoi'), 100n * ONE, 'down'))
  const rows: EffectRow[] = [
    ...(before === null ? [] : [{ label: 'Held by members', after: `${held}, all keep their figures` }]),
    { label: 'One brings in all', ...(before === null ? {} : { before: brings(before) }), after: brings(after), unit: 'USD' },
  ]
  if (sold === 0 || before === null) return rows
  const sale = (of: unknown): Sale => ({
    kind: 'nft',
    price: read(of, 'price') * BigInt(sold),
    totalPercent: read(of, 'dailyRoi'),
    durationMonths: Number(Reflect.get(Object(of), 'duration')),
  })
  return [...rows, ...(await promiseRows(db, 'USD', [sale(before), sale(after)], at))]
}

/** What the sales of 30 days promise, and how far the pool and the commitment cover it with what was promised before. */
async function promiseRows(db: Db, asset: 'COIN' | 'USD', [old, next]: readonly [Sale, Sale], at: Date): Promise<EffectRow[]> {
  const rules = await currentProgramme(db, at)
  const [before, after] = [promiseOf(old, rules), promiseOf(next, rules)]
  const { committed, promised, owed } = await coverageOf(db, asset)
  const unit = asset === 'COIN' ? 'coin' : 'USD'
  const share = promised + owed > 0n ? mulDiv(after - before, 100n * ONE, promised + owed + committed, 'down') : 0n
  return [
    { label: 'Promised for 30 days of such sales', before: grouped(before), after: grouped(after), unit, good: after <= before },
    ...(share === 0n ? [] : [{ label: 'Of everything that is promised or committed now', after: percentText(share), good: share < 0n }]),
  ]
}

async function ofLimits(db: Db, { before, after, from, to }: Grounds): Promise<EffectRow[]> {
  const above = async (kind: 'withdrawal' | 'bridge', limit: Units) => {
    const { rows } = await sql<{ above: number; all: number }>`
      select count(*) filter (where amount > ${limit})::int as above, count(*)::int as all from payout_request
      where kind = ${kind} and status = 'APPROVED' and ${inDays(sql`decided_at`, from, to)}`.execute(db)
    return { above: rows[0]?.above ?? 0, all: rows[0]?.all ?? 0 }
  }
  const rows: EffectRow[] = []
  for (const [kind, key, name] of [
    ['withdrawal', 'fourEyesAboveUsd', 'USD payouts'],
    ['bridge', 'fourEyesAboveCoin', 'Coin payouts'],
  ] as const) {
    if (read(before, key) === read(after, key)) continue
    const [old, next] = [await above(kind, read(before, key)), await above(kind, read(after, key))]
    const lines = { before: `${old.above} of ${old.all}`, after: `${next.above} of ${next.all}` }
    rows.push({ label: `${name} of 30 days that two people decide`, ...lines, good: next.above >= old.above })
  }
  return rows
}

async function ofSettings(db: Db, { before, after, from, to }: Grounds): Promise<EffectRow[]> {
  const rows: EffectRow[] = []
  const fees = async (kind: 'withdrawal' | 'bridge', name: string, keys: readonly string[]) => {
    const [old, next] = [before, after].map((holds) => keys.reduce((sum, key) => sum + read(holds, key), 0n))
    if (old === undefined || next === undefined || old === next) return
    const found = await sql<{ total: Units }>`
      select coalesce(sum(amount), 0)::bigint as total from payout_request
      where kind = ${kind} and status = 'APPROVED' and ${inDays(sql`decided_at`, from, to)}`.execute(db)
    const of = (percent: Units) => grouped(mulDiv(found.rows[0]?.total ?? 0n, percent, 100n * ONE, 'down'))
    rows.push({
      label: `Fees of 30 days of ${name}`,
      before: of(old),
      after: of(next),
      unit: kind === 'bridge' ? 'coin' : 'USD',
      good: next > old,
    })
  }
  await fees('withdrawal', 'USD payouts', ['platformFeePercent', 'networkFeePercent'])
  await fees('bridge', 'coin payouts', ['bridgeFeePercent'])
  if (read(before, 'minCoin') !== read(after, 'minCoin') || read(before, 'maxCoin') !== read(after, 'maxCoin')) {
    const found = await sql<{ outside: number; all: number }>`
      select count(*) filter (where coin_amount not between ${read(after, 'minCoin')} and ${read(after, 'maxCoin')})::int as outside, count(*)::int as all
      from coin_purchase where ${inDays(sql`created_at`, from, to)}`.execute(db)
    rows.push({
      label: 'Purchases of 30 days outside the new bounds',
      after: `${found.rows[0]?.outside ?? 0} of ${found.rows[0]?.all ?? 0}`,
    })
  }
  return rows
}

const inDays = (column: ReturnType<typeof sql>, from: Date, to: Date) => sql<boolean>`(${column} >= ${from} and ${column} < ${to})`
