import { sql } from 'kysely'
import { AppError } from '../../platform/runtime/app-error.ts'
import type { Tx } from '../../platform/db/database.ts'
import type { Deps } from '../../platform/runtime/deps.ts'
import { currentSettings, sameFigures, type Settings } from './settings.queries.ts'

/** An approved change. Omitted fields stay unchanged. */
export interface SettingsChange {
  changes: Partial<Omit<Settings, 'version' | 'startsAt'>>
  /** The staff member who proposed it; null for the system. */
  actorId: bigint | null
  reason: string
}

/**
 * Inserts a new version of the settings, in force at once.
 * @returns the new version's number
 * @throws AppError CONVERT_RATE_TOO_LOW if the convert rate is below the coin price (CO-15), INVALID_INPUT if the values contradict each
 * other
 */
export async function applySettings(tx: Tx, deps: Deps, input: SettingsChange): Promise<number> {
  await holdSettings(tx)
  const now = deps.clock.now()
  return enter(tx, { ...(await currentSettings(tx, now)), ...input.changes }, { startsAt: now, at: now, ...input })
}

export interface PlannedSettings extends SettingsChange {
  startsAt: Date
}

/**
 * Rebuilds the planned versions from the current settings and these steps. Each start with changed values gets a new version. A cancelled
 * step is superseded, because versions are never deleted.
 * @param steps future steps, ordered by start
 * @throws AppError as `applySettings`, if the values at any start contradict each other
 */
export async function scheduleSettings(tx: Tx, deps: Deps, steps: readonly PlannedSettings[]): Promise<void> {
  await holdSettings(tx)
  const now = deps.clock.now()
  const known = await tx.selectFrom('setting').select('starts_at').distinct().where('starts_at', '>', now).execute()
  const starts = [...new Set([...known.map((row) => row.starts_at.getTime()), ...steps.map((step) => step.startsAt.getTime())])]
  let holds = await currentSettings(tx, now)
  for (const start of starts.toSorted((a, b) => a - b)) {
    const startsAt = new Date(start)
    const due = steps.filter((step) => step.startsAt.getTime() === start)
    const next = due.reduce((figures, { changes }) => ({ ...figures, ...changes }), holds)
    const planned = await currentSettings(tx, startsAt)
    const last = due.at(-1)
    if (!sameFigures(planned, next) || planned.startsAt.getTime() !== start)
      await enter(tx, next, { startsAt, at: now, actorId: last?.actorId ?? null, reason: last?.reason ?? 'What was planned is taken back' })
    holds = next
  }
}

/** Serializes version inserts. */
const holdSettings = (tx: Tx) => sql`lock table setting in share row exclusive mode`.execute(tx)

async function enter(tx: Tx, next: Settings, entry: { startsAt: Date; at: Date; actorId: bigint | null; reason: string }): Promise<number> {
  if (next.convertRate < next.coinPrice) throw new AppError('CONVERT_RATE_TOO_LOW')
  if (next.maxCoin < next.minCoin) throw new AppError('INVALID_INPUT', {}, [{ path: 'maxCoin', message: 'Must not be below minCoin' }])
  if (next.platformFeePercent + next.networkFeePercent > 10_000_000_000n) {
    throw new AppError('INVALID_INPUT', {}, [{ path: 'platformFeePercent', message: 'Fees must not be above 100 percent' }])
  }
  const { version } = await tx
    .insertInto('setting')
    .values({
      starts_at: entry.startsAt,
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
      payout_target_hours: next.payoutTargetHours,
      deposit_target_hours: next.depositTargetHours,
      change_target_hours: next.changeTargetHours,
      answer_target_hours: next.answerTargetHours,
      unconfirmed_transfer_day_usd: next.unconfirmedTransferDayUsd,
      payout_day_usd: next.payoutDayUsd,
      payout_day_coin: next.payoutDayCoin,
      payout_day_total_usd: next.payoutDayTotalUsd,
      payout_day_total_coin: next.payoutDayTotalCoin,
      allowed_email_domains: next.allowedEmailDomains,
      created_at: entry.at,
      created_by: entry.actorId,
      reason: entry.reason,
    })
    .returning('version')
    .executeTakeFirstOrThrow()
  return version
}
