import { sql } from 'kysely'
import { AppError } from '../../platform/app-error.ts'
import type { Tx } from '../../platform/database.ts'
import type { Deps } from '../../platform/deps.ts'
import { currentSettings, type Settings } from './settings.queries.ts'

/** A change that was approved: what is left out stays as it is. */
export interface SettingsChange {
  changes: Partial<Omit<Settings, 'version' | 'startsAt'>>
  /** Staff member who stands for it; null for the house itself. */
  actorId: bigint | null
  reason: string
}

/**
 * Enters a new version of the settings, in force at once.
 * @returns the new version's number
 * @throws AppError CONVERT_RATE_TOO_LOW when the convert rate would be below the coin price (CO-15), INVALID_INPUT when
 *   the figures contradict each other
 */
export async function applySettings(tx: Tx, deps: Deps, input: SettingsChange): Promise<number> {
  await sql`lock table setting in share row exclusive mode`.execute(tx)
  const now = deps.clock.now()
  const next = { ...(await currentSettings(tx, now)), ...input.changes }
  if (next.convertRate < next.coinPrice) throw new AppError('CONVERT_RATE_TOO_LOW')
  if (next.maxCoin < next.minCoin) throw new AppError('INVALID_INPUT', {}, [{ path: 'maxCoin', message: 'Must not be below minCoin' }])
  if (next.platformFeePercent + next.networkFeePercent > 10_000_000_000n) {
    throw new AppError('INVALID_INPUT', {}, [{ path: 'platformFeePercent', message: 'Fees must not be above 100 percent' }])
  }
  const { version } = await tx
    .insertInto('setting')
    .values({
      starts_at: now,
      coin_price: next.coinPrice,
      min_coin: next.minCoin,
      max_coin: next.maxCoin,
      convert_rate: next.convertRate,
      exchange_limit: next.exchangeLimit,
      exchange_cooldown_hours: next.exchangeCooldownHours,
      platform_fee_percent: next.platformFeePercent,
      network_fee_percent: next.networkFeePercent,
      bridge_fee_percent: next.bridgeFeePercent,
      bridge_minimum: next.bridgeMinimum,
      buy_token_credit_wallet: next.buyTokenCreditWallet,
      reward_hold_days: next.rewardHoldDays,
      four_eyes_above_usd: next.fourEyesAboveUsd,
      four_eyes_above_coin: next.fourEyesAboveCoin,
      open_invoices: next.openInvoices,
      payout_confirm_hours: next.payoutConfirmHours,
      address_delay_hours: next.addressDelayHours,
      payout_hold_hours: next.payoutHoldHours,
      payout_day_count: next.payoutDayCount,
      payout_day_usd: next.payoutDayUsd,
      payout_day_coin: next.payoutDayCoin,
      payout_day_total_usd: next.payoutDayTotalUsd,
      payout_day_total_coin: next.payoutDayTotalCoin,
      allowed_email_domains: next.allowedEmailDomains,
      created_at: now,
      created_by: input.actorId,
      reason: input.reason,
    })
    .returning('version')
    .executeTakeFirstOrThrow()
  return version
}
