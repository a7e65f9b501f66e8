import { sql } from 'kysely'
import { isDeepStrictEqual } from 'node:util'
import { AppError } from '../../platform/runtime/app-error.ts'
import type { Tx } from '../../platform/db/database.ts'
import type { Deps } from '../../platform/runtime/deps.ts'
import { currentSettings, futureSettings, pricesWithin, sameFigures, type Settings, tradeSettings } from './settings.queries.ts'
import { BOTH_PRICES_MS, changesPrice, type PriceStep, type TradePrices, tradePricesAt } from './trade-prices.rules.ts'

/** Fields that a change of settings can set. Prices for trades are computed from these fields. */
type ChangedSettings = Omit<Settings, 'version' | 'startsAt' | keyof TradePrices>

/** An approved change. Omitted fields stay unchanged. */
export interface SettingsChange {
  changes: Partial<ChangedSettings>
  /** The staff member who proposed it; null for the system. */
  actorId: bigint | null
  reason: string
}

export interface PlannedSettings extends SettingsChange {
  startsAt: Date
}

/**
 * Inserts a new version of the settings, in force at once. The changes of planned versions are kept.
 * @returns the new version's number
 * @throws AppError CONVERT_RATE_TOO_LOW if the convert rate is below the coin price (CO-15), INVALID_INPUT if the values contradict each
 * other
 */
export async function applySettings(tx: Tx, deps: Deps, input: SettingsChange): Promise<number> {
  await holdSettings(tx)
  const now = await versionTime(tx, deps)
  const [held, future] = [await currentSettings(tx, now), await futureSettings(tx, now)]
  const steps = future.map((next, index) => ({
    ...SYSTEM,
    startsAt: next.startsAt,
    changes: changesBetween(future[index - 1] ?? held, next),
  }))
  const { version } = await writeVersions(tx, now, { held, future, change: input, steps })
  return version
}

/**
 * Rebuilds the planned versions from the current settings and these steps. Each start with changed values gets a new version. A cancelled
 * step is superseded, because versions are never deleted.
 * @param steps future steps, ordered by start
 * @throws AppError as `applySettings`, if the values at any start contradict each other
 */
export async function scheduleSettings(tx: Tx, deps: Deps, steps: readonly PlannedSettings[]): Promise<void> {
  await holdSettings(tx)
  const now = await versionTime(tx, deps)
  await writeVersions(tx, now, { held: await currentSettings(tx, now), future: await futureSettings(tx, now), steps })
}

const SYSTEM = { actorId: null, reason: 'Required by an earlier or a cancelled change' }

function changesBetween(one: Settings, other: Settings): Partial<ChangedSettings> {
  const changed = Object.entries(other).filter(([name, value]) => !isDeepStrictEqual(value, Reflect.get(one, name)))
  const {
    version: _,
    startsAt: __,
    buyPrice: ___,
    sellPrice: ____,
    buyRate: _____,
    ...changes
  } = Object.fromEntries(changed) as Partial<Settings>
  return changes
}

/**
 * Writes the versions that result from a change and from the planned changes, each with the prices for trades. No other function writes
 * versions. A version starts now, at each planned start, and at each time from which only the new price of an announced change applies.
 * @returns the version in force now
 */
async function writeVersions(
  tx: Tx,
  now: Date,
  {
    held,
    future,
    change,
    steps,
  }: { held: Settings; future: readonly Settings[]; change?: SettingsChange; steps: readonly PlannedSettings[] },
): Promise<{ version: number }> {
  const current = { ...held, ...change?.changes }
  const starts = [...future, ...steps].map(({ startsAt }) => startsAt.getTime())
  const points: { at: number; figures: Settings; entry: Pick<SettingsChange, 'actorId' | 'reason'> }[] = []
  for (const at of [...new Set(starts)].toSorted((a, b) => a - b)) {
    const due = steps.filter((step) => step.startsAt.getTime() === at)
    const figures = due.reduce((before, { changes }) => ({ ...before, ...changes }), points.at(-1)?.figures ?? current)
    points.push({ at, figures, entry: due.at(-1) ?? SYSTEM })
  }
  const path: PriceStep[] = [
    ...(await pricesWithin(tx, new Date(now.getTime() - BOTH_PRICES_MS), now)),
    { at: now.getTime(), coinPrice: current.coinPrice, convertRate: current.convertRate, isAnnounced: false },
    ...points.map(({ at, figures: { coinPrice, convertRate } }) => ({ at, coinPrice, convertRate, isAnnounced: true })),
  ]
  const ends = path.flatMap((step, index) => (step.isAnnounced && changesPrice(path, index) ? [step.at + BOTH_PRICES_MS] : []))
  const planned = new Map(future.map((version) => [version.startsAt.getTime(), version]))
  const present = { ...current, ...tradePricesAt(path, now.getTime()) }
  const isNew = change !== undefined || !sameFigures(held, present)
  const version = isNew ? await enter(tx, present, { ...(change ?? SYSTEM), startsAt: now, at: now }) : held.version
  for (const at of [...new Set([...starts, ...ends])].filter((time) => time > now.getTime()).toSorted((a, b) => a - b)) {
    const point = points.findLast((one) => one.at <= at)
    const next = { ...(point?.figures ?? current), ...tradePricesAt(path, at) }
    const known = planned.get(at)
    if (known === undefined || !sameFigures(known, next))
      await enter(tx, next, { ...(point?.at === at ? point.entry : SYSTEM), startsAt: new Date(at), at: now })
  }
  return { version }
}

/**
 * Returns the start of a version that takes effect at once: now, or the start of the version in force if this is later. Otherwise the later
 * decision would have no effect after a server with a clock ahead has written a version.
 */
async function versionTime(tx: Tx, { clock }: Pick<Deps, 'clock'>): Promise<Date> {
  const now = clock.now()
  const { startsAt } = await tradeSettings(tx, now)
  return startsAt > now ? startsAt : now
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
      buy_price: next.buyPrice,
      sell_price: next.sellPrice,
      buy_rate: next.buyRate,
      exchange_limit: next.exchangeLimit,
      exchange_cooldown_hours: next.exchangeCooldownHours,
      platform_fee_percent: next.platformFeePercent,
      network_fee_percent: next.networkFeePercent,
      bridge_fee_percent: next.bridgeFeePercent,
      bridge_minimum: next.bridgeMinimum,
      buy_token_credit_wallet: next.buyTokenCreditWallet,
      reward_hold_days: next.rewardHoldDays,
      reversal_days: next.reversalDays,
      bound_warning_percent: next.boundWarningPercent,
      four_eyes_above_usd: next.fourEyesAboveUsd,
      four_eyes_above_coin: next.fourEyesAboveCoin,
      open_invoices: next.openInvoices,
      payout_confirm_hours: next.payoutConfirmHours,
      address_delay_hours: next.addressDelayHours,
      payout_hold_hours: next.payoutHoldHours,
      proven_delay_hours: next.provenDelayHours,
      proof_above_usd: next.proofAboveUsd,
      proof_above_coin: next.proofAboveCoin,
      payout_day_count: next.payoutDayCount,
      payout_target_hours: next.payoutTargetHours,
      deposit_target_hours: next.depositTargetHours,
      change_target_hours: next.changeTargetHours,
      answer_target_hours: next.answerTargetHours,
      personal_pages_per_hour: next.personalPagesPerHour,
      reveals_per_hour: next.revealsPerHour,
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
