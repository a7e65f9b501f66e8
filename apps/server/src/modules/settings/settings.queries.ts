import type { Units } from '@tizara/money'
import { sql, type Selectable } from 'kysely'
import { isDeepStrictEqual } from 'node:util'
import { queryDeferred, type Db, type Tx } from '../../platform/db/database.ts'
import type { SettingTable } from '../../platform/db/tables.generated.ts'
import type { PriceStep } from './trade-prices.rules.ts'

/**
 * Settings in one version (the contract's `staff-values.ts` explains each). Prices are USD units per coin, percentages are percent units.
 * Members trade at `buyPrice`, `sellPrice` and `buyRate` only (`TradePrices`). `coinPrice` and `convertRate` are set by the operator.
 * `allowedEmailDomains` is null where the configuration applies.
 */
export type Settings = ReturnType<typeof toSettings>

/** SQL for a version text of the current and the planned settings. */
export const settingsMark = (at: Date) =>
  sql<string>`(select version || ' ' || (select max(version) from setting) from setting where starts_at <= ${at}::timestamptz
    order by starts_at desc, version desc limit 1)`

const WALLETS = ['newIcoWallet', 'icoWallet', 'nativeWallet'] as const

function toSettings(row: Selectable<SettingTable>) {
  return {
    version: row.version,
    startsAt: row.starts_at,
    coinPrice: row.coin_price,
    minCoin: row.min_coin,
    maxCoin: row.max_coin,
    convertRate: row.convert_rate,
    buyPrice: row.buy_price,
    sellPrice: row.sell_price,
    buyRate: row.buy_rate,
    exchangeLimit: row.exchange_limit,
    exchangeCooldownHours: row.exchange_cooldown_hours,
    platformFeePercent: row.platform_fee_percent,
    networkFeePercent: row.network_fee_percent,
    bridgeFeePercent: row.bridge_fee_percent,
    bridgeMinimum: row.bridge_minimum,
    buyTokenCreditWallet: WALLETS.find((wallet) => wallet === row.buy_token_credit_wallet) ?? 'newIcoWallet',
    rewardHoldDays: row.reward_hold_days,
    reversalDays: row.reversal_days,
    boundWarningPercent: row.bound_warning_percent,
    fourEyesAboveUsd: row.four_eyes_above_usd,
    fourEyesAboveCoin: row.four_eyes_above_coin,
    openInvoices: row.open_invoices,
    payoutConfirmHours: row.payout_confirm_hours,
    addressDelayHours: row.address_delay_hours,
    payoutHoldHours: row.payout_hold_hours,
    provenDelayHours: row.proven_delay_hours,
    proofAboveUsd: row.proof_above_usd,
    proofAboveCoin: row.proof_above_coin,
    payoutDayCount: row.payout_day_count,
    payoutTargetHours: row.payout_target_hours,
    depositTargetHours: row.deposit_target_hours,
    changeTargetHours: row.change_target_hours,
    answerTargetHours: row.answer_target_hours,
    personalPagesPerHour: row.personal_pages_per_hour,
    revealsPerHour: row.reveals_per_hour,
    unconfirmedTransferDayUsd: row.unconfirmed_transfer_day_usd,
    payoutDayUsd: row.payout_day_usd,
    payoutDayCoin: row.payout_day_coin,
    payoutDayTotalUsd: row.payout_day_total_usd,
    payoutDayTotalCoin: row.payout_day_total_coin,
    allowedEmailDomains: row.allowed_email_domains,
  }
}

/** Returns the settings in force at a given time. Later versions are ignored. */
export async function currentSettings(db: Db, at: Date): Promise<Settings> {
  return toSettings(await inForce(db, at).executeTakeFirstOrThrow())
}

/**
 * Returns the settings that a trade uses now. A change without a planned start applies to all processes once it is committed, whatever
 * their clocks. Otherwise two processes could buy and sell at different prices (docs/decisions/0022-price-change-notice.md).
 */
export async function tradeSettings(db: Db, now: Date): Promise<Settings> {
  return toSettings(await forTrades(db, now).executeTakeFirstOrThrow())
}

/** Reads the same settings with the transaction's next statement (`queryDeferred`). */
export async function deferTradeSettings(tx: Tx, now: Date): Promise<() => Settings> {
  const found = await queryDeferred(tx, forTrades(tx, now).compile())
  return () => {
    const [row] = found()
    if (row === undefined) throw new Error('no settings')
    return toSettings(row)
  }
}

const newestFirst = (db: Db) => db.selectFrom('setting').selectAll().orderBy('starts_at', 'desc').orderBy('version', 'desc').limit(1)
const inForce = (db: Db, at: Date) => newestFirst(db).where('starts_at', '<=', at)
const forTrades = (db: Db, now: Date) =>
  newestFirst(db).where((row) => row.or([row('starts_at', '<=', now), row('starts_at', '=', row.ref('created_at'))]))

/** Maximum number of planned changes, because members see all of them. */
export const MAX_PLANNED_SETTINGS = 100

/** Prices and fees that members trade by. */
const TRADED = sql`array[coin_price, min_coin, max_coin, convert_rate, platform_fee_percent, network_fee_percent, bridge_fee_percent, bridge_minimum]`

/**
 * Returns the future settings at each start that changes a value for trades, nearest first. Other scheduled or superseded versions do not
 * count towards the limit.
 */
export async function plannedSettings(db: Db, now: Date): Promise<Settings[]> {
  const { rows } = await sql<Selectable<SettingTable>>`
    select * from (select *, lag(${TRADED}) over (order by starts_at) as before, ${TRADED} as next
      from ((select * from setting where starts_at <= ${now} order by starts_at desc, version desc limit 1)
        union all (select distinct on (starts_at) * from setting where starts_at > ${now} order by starts_at, version desc)) s) steps
    where starts_at > ${now} and next <> before order by starts_at limit ${MAX_PLANNED_SETTINGS}`.execute(db)
  return rows.map(toSettings)
}

/** Returns true if two versions have equal values. */
export const sameFigures = (one: Settings, other: Settings): boolean =>
  isDeepStrictEqual({ ...one, version: 0, startsAt: 0 }, { ...other, version: 0, startsAt: 0 })

/** A step of the prices in the past. */
interface PastPriceStep extends PriceStep {
  /**
   * Time in ms since when the price has been planned for this start without interruption; the start itself if the price was not announced.
   */
  knownSince: number
}

/** Returns the prices in force from `from` to `to` (inclusive), in order. The first one applies at `from`. */
export async function pricesWithin(db: Db, from: Date, to: Date): Promise<PastPriceStep[]> {
  const { rows } = await sql<{ at: Date; coinPrice: Units; convertRate: Units; announced: boolean; known: Date }>`
    with at_start as (
      select starts_at, created_at, coin_price, convert_rate, min(created_at) over w < starts_at as announced,
        (coin_price, convert_rate) = (first_value(coin_price) over (w order by version desc),
          first_value(convert_rate) over (w order by version desc)) as is_final, version
      from setting where starts_at > ${from} and starts_at <= ${to} window w as (partition by starts_at)
    )
    (select starts_at as at, coin_price as "coinPrice", convert_rate as "convertRate", false as announced, starts_at as known
      from setting where starts_at <= ${from} order by starts_at desc, version desc limit 1)
    union all (select distinct on (s.starts_at) s.starts_at, s.coin_price, s.convert_rate, s.announced,
      (select min(f.created_at) from at_start f where f.starts_at = s.starts_at and f.is_final and f.version > coalesce(
        (select max(o.version) from at_start o where o.starts_at = s.starts_at and not o.is_final), 0))
      from at_start s order by s.starts_at, s.version desc)`.execute(db)
  return rows.map(({ at, known, announced, ...prices }) => ({
    ...prices,
    at: at.getTime(),
    isAnnounced: announced,
    knownSince: known.getTime(),
  }))
}

/** Returns the version at each future start, nearest first. Of several versions with one start, only the newest is returned. */
export async function futureSettings(db: Db, now: Date): Promise<Settings[]> {
  const found = await db
    .selectFrom('setting')
    .selectAll()
    .distinctOn('starts_at')
    .where('starts_at', '>', now)
    .orderBy('starts_at')
    .orderBy('version', 'desc')
    .execute()
  return found.map(toSettings)
}

/** Returns true if members buy and sell coin at one price. */
const hasOnePrice = ({ buyPrice, sellPrice, buyRate, convertRate }: Settings): boolean => buyPrice === sellPrice && buyRate === convertRate

/** Returns the time from which members trade at one price again; undefined if they do now. */
export async function bothPricesUntil(db: Db, current: Settings, now: Date): Promise<Date | undefined> {
  return hasOnePrice(current) ? undefined : (await futureSettings(db, now)).find(hasOnePrice)?.startsAt
}

/** SQL: the hold period of rewards in days, in force at a given time. */
export const rewardHoldDays = (at: Date) =>
  sql<number>`(select reward_hold_days from setting where starts_at <= ${at} order by starts_at desc, version desc limit 1)`

/** Reads the settings of one version, for actions that reference this version. */
export async function settingsOf(db: Db, version: number): Promise<Settings> {
  return toSettings(await db.selectFrom('setting').selectAll().where('version', '=', version).executeTakeFirstOrThrow())
}

/** Returns the coin price at the end of each UTC day, oldest first. The last row is the current price. */
export async function coinPriceDays(db: Db, now: Date, days: number): Promise<{ day: string; coinPrice: Units }[]> {
  const { rows } = await sql<{ day: string; coin_price: bigint }>`
    select to_char(d.day, 'YYYY-MM-DD') as day, p.coin_price
    from generate_series(date_trunc('day', ${now}::timestamptz at time zone 'UTC') - make_interval(days => ${days - 1}),
      date_trunc('day', ${now}::timestamptz at time zone 'UTC'), interval '1 day') d (day)
    cross join lateral (
      select coin_price from setting
      where starts_at <= least((d.day + interval '1 day') at time zone 'UTC' - interval '1 millisecond', ${now}::timestamptz)
      order by starts_at desc, version desc limit 1) p
    order by d.day`.execute(db)
  return rows.map((row) => ({ day: row.day, coinPrice: row.coin_price }))
}
