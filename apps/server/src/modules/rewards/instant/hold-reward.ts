import type { Units } from '@tizara/money'
import type { Asset } from '../../../ledger/index.ts'
import { DAY_MS } from '../../../platform/runtime/clock.ts'
import { executeDeferred, type Tx } from '../../../platform/db/database.ts'
import { asJson } from '../../../platform/db/insert-rows.ts'
import type { UnearnedReason } from '../programme/referral.rules.ts'
import { INSTANT_PROPERTIES, type InstantKind, type ProgrammeRules } from '../programme/rewards.rules.ts'
import { type NewSource, type Source, sourcesAsJson } from '../sources/source.ts'

/** A reward's cause: another module's row, a `reward_source`, or a rank with an id derived from its name. */
export interface Cause {
  type: 'coin_purchase' | 'source' | 'rank'
  id: bigint
  /** The cause's public id, and the amount bought or staked, in units. */
  publicId?: string
  amount?: Units
}

/** A reward made by a single event. */
export interface InstantReward {
  kind: InstantKind
  beneficiaryId: bigint
  /** The buyer or staker; null for a rank. */
  sourceMemberId: bigint | null
  cause: Cause
  /** 1 to 5; 0 for kinds without levels. */
  level: number
  /** The share's base in units, and the share in percent units; null for a fixed amount. */
  base: Units
  /** New money in a referral reward's base, in USD units. */
  newMoney?: Units
  percent: Units | null
  amount: Units
  version: number
  rank?: string
}

/** $1: rows as JSON; $2: their release time. */
const HOLD = `with held as (
    insert into reward_instant (kind, beneficiary_id, source_member_id, cause_type, cause_id, cause_public_id, cause_amount, level, base, new_money,
      percent, amount, asset, programme_version, rank, status, created_at, release_at)
    select kind, beneficiary_id, source_member_id, cause_type, cause_id, cause_public_id, cause_amount, level, base, new_money,
      percent, amount, asset, programme_version, rank, 'held', created_at, release_at
    from json_populate_recordset(null::reward_instant, $1) on conflict do nothing returning kind, amount
  )
  insert into reward_liability_pending (kind, step, starts_at, steps, amount)
  select kind, 'day', $2::timestamptz - interval '24 hours', 1, sum(amount)::bigint from held group by kind`

/**
 * Adds rewards that stay pending for `holdDays` days, and records the liabilities; the release job pays the rewards. An existing reward
 * with the same kind, cause, beneficiary and level stays unchanged (invariant I10).
 */
export async function holdRewards(tx: Tx, at: Date, holdDays: number, rewards: readonly InstantReward[]): Promise<void> {
  const real = rewards.filter((one) => one.amount > 0n)
  if (real.length === 0) return
  const releaseAt = new Date(at.getTime() + holdDays * DAY_MS)
  const rows = real.map((one) => ({
    kind: one.kind,
    beneficiary_id: one.beneficiaryId,
    source_member_id: one.sourceMemberId,
    cause_type: one.cause.type,
    cause_id: one.cause.id,
    cause_public_id: one.cause.publicId ?? null,
    cause_amount: one.cause.amount ?? null,
    level: one.level,
    base: one.base,
    new_money: one.newMoney ?? null,
    percent: one.percent,
    amount: one.amount,
    asset: INSTANT_PROPERTIES[one.kind].asset satisfies Asset,
    programme_version: one.version,
    rank: one.rank ?? null,
    created_at: at,
    release_at: releaseAt,
  }))
  await executeDeferred(tx, HOLD, [asJson(rows), releaseAt])
}

/** Coin purchase without a referral reward, with the reason. */
export interface UnearnedPurchase {
  memberId: bigint
  purchaseId: bigint
  publicId: string
  /** Coin units. */
  coinAmount: Units
  reason: UnearnedReason
}

/** Adds a row without an amount to the lists of the buyers' sponsors (RW-01). A member without a sponsor gets none. */
export async function recordUnearned(
  tx: Tx,
  at: Date,
  programme: Pick<ProgrammeRules, 'referralPercent'> & { version: number },
  purchases: readonly UnearnedPurchase[],
): Promise<void> {
  if (purchases.length === 0) return
  const rows = purchases.map((one) => ({
    source_member_id: one.memberId,
    cause_id: one.purchaseId,
    cause_public_id: one.publicId,
    cause_amount: one.coinAmount,
    percent: programme.referralPercent,
    programme_version: programme.version,
    unearned_reason: one.reason,
    created_at: at,
  }))
  await executeDeferred(tx, 'select reward_record_unearned($1)', [asJson(rows)])
}

/**
 * Inserts sold sources, the pending level rewards and the liabilities (functions.sql). The level rewards of a stake are due at maturity
 * (RW-02), those of an NFT with the first month (RW-07).
 */
export async function holdLevels(tx: Tx, at: Date, sources: readonly (NewSource & Pick<Source, 'bounty' | 'rankBudget'>)[]): Promise<void> {
  if (sources.length === 0) return
  await executeDeferred(tx, 'select reward_open_sources($1, $2)', [sourcesAsJson(sources), at])
}
