import type { Units } from '@tizara/money'
import { sql, type Selectable } from 'kysely'
import type { Db } from '../../platform/database.ts'
import type { SettingTable } from '../../platform/tables.generated.ts'

/** The settings of a version. Prices in USD units for one coin, percentages in percent units. */
export interface Settings {
  version: number
  startsAt: Date
  coinPrice: Units
  minCoin: Units
  maxCoin: Units
  /** USD units for one coin when the NFT wallet is converted; never below coinPrice (CO-15). */
  convertRate: Units
  exchangeLimit: Units
  exchangeCooldownHours: number
  platformFeePercent: Units
  networkFeePercent: Units
  bridgeFeePercent: Units
  bridgeMinimum: Units
  buyTokenCreditWallet: 'newIcoWallet' | 'icoWallet' | 'nativeWallet'
  rewardHoldDays: number
  /** Payouts above these need a second staff member. */
  fourEyesAboveUsd: Units
  fourEyesAboveCoin: Units
  /** In-app invoices that a member may have open at once. */
  openInvoices: number
  /** Hours that a payout waits for its owner's confirmation. */
  payoutConfirmHours: number
  /** Hours after its confirmation until payouts to an address of the book need none. */
  addressDelayHours: number
  /** Hours that payouts rest after a new password, another second factor or a new device. */
  payoutHoldHours: number
  /** Most units paid out within 24 hours: to one member, and to all. */
  payoutDayCount: number
  /** Hours in which staff want to decide or first answer. */
  payoutTargetHours: number
  depositTargetHours: number
  changeTargetHours: number
  answerTargetHours: number
  payoutDayUsd: Units
  payoutDayCoin: Units
  payoutDayTotalUsd: Units
  payoutDayTotalCoin: Units
  /** Null: those of the configuration. */
  allowedEmailDomains: string[] | null
}

/** SQL for which settings hold at a moment. */
export const settingsMark = (at: Date) =>
  sql<string>`(select version::text from setting where starts_at <= ${at}::timestamptz order by starts_at desc, version desc limit 1)`

const WALLETS = ['newIcoWallet', 'icoWallet', 'nativeWallet'] as const

function toSettings(row: Selectable<SettingTable>): Settings {
  return {
    version: row.version,
    startsAt: row.starts_at,
    coinPrice: row.coin_price,
    minCoin: row.min_coin,
    maxCoin: row.max_coin,
    convertRate: row.convert_rate,
    exchangeLimit: row.exchange_limit,
    exchangeCooldownHours: row.exchange_cooldown_hours,
    platformFeePercent: row.platform_fee_percent,
    networkFeePercent: row.network_fee_percent,
    bridgeFeePercent: row.bridge_fee_percent,
    bridgeMinimum: row.bridge_minimum,
    buyTokenCreditWallet: WALLETS.find((wallet) => wallet === row.buy_token_credit_wallet) ?? 'newIcoWallet',
    rewardHoldDays: row.reward_hold_days,
    fourEyesAboveUsd: row.four_eyes_above_usd,
    fourEyesAboveCoin: row.four_eyes_above_coin,
    openInvoices: row.open_invoices,
    payoutConfirmHours: row.payout_confirm_hours,
    addressDelayHours: row.address_delay_hours,
    payoutHoldHours: row.payout_hold_hours,
    payoutDayCount: row.payout_day_count,
    payoutTargetHours: row.payout_target_hours,
    depositTargetHours: row.deposit_target_hours,
    changeTargetHours: row.change_target_hours,
    answerTargetHours: row.answer_target_hours,
    payoutDayUsd: row.payout_day_usd,
    payoutDayCoin: row.payout_day_coin,
    payoutDayTotalUsd: row.payout_day_total_usd,
    payoutDayTotalCoin: row.payout_day_total_coin,
    allowedEmailDomains: row.allowed_email_domains,
  }
}

/** The settings in force at a moment; a version that starts later does not count yet. */
export async function currentSettings(db: Db, at: Date): Promise<Settings> {
  const row = await db
    .selectFrom('setting')
    .selectAll()
    .where('starts_at', '<=', at)
    .orderBy('starts_at', 'desc')
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  return toSettings(row)
}

/** The settings of one version, for what was done under them. */
export async function settingsOf(db: Db, version: number): Promise<Settings> {
  return toSettings(await db.selectFrom('setting').selectAll().where('version', '=', version).executeTakeFirstOrThrow())
}

/** The coin price at the end of each UTC day, oldest first; the last row is the price now. */
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
