import type { Units } from '@tizara/money'
import type { Asset } from '../../../ledger/index.ts'
import { DAY_MS } from '../../../platform/clock.ts'
import type { Tx } from '../../../platform/database.ts'
import { insertRows } from '../../../platform/insert-rows.ts'
import { currentSettings } from '../../settings/index.ts'
import { noteHeld } from '../pool/promises.ts'
import { INSTANT_FACTS, type InstantKind } from '../programme/rewards.rules.ts'

/** What a reward rests on: a row of another module, a `reward_source`, or a rank by a number for its name. */
export interface Cause {
  type: 'coin_purchase' | 'source' | 'rank'
  id: bigint
  /** As members know it, and how much was bought or staked, in units. */
  publicId?: string
  amount?: Units
}

/** A reward that an event makes at once. */
export interface InstantReward {
  kind: InstantKind
  beneficiaryId: bigint
  /** Whose purchase it rests on; null for a rank. */
  sourceMemberId: bigint | null
  cause: Cause
  /** 1 to 5; 0 where there is no level. */
  level: number
  /** What the share was taken of, in units, and the share in units of percent; null for a fixed amount. */
  base: Units
  percent: Units | null
  amount: Units
  version: number
  rank?: string
}

/**
 * Holds rewards for the days that the settings name; the release sweep pays them. A reward that exists already (same
 * kind, cause, beneficiary and level) is left as it is (invariant I10).
 */
export async function holdRewards(tx: Tx, at: Date, rewards: readonly InstantReward[]): Promise<void> {
  const real = rewards.filter((one) => one.amount > 0n)
  if (real.length === 0) return
  const releaseAt = await releaseOf(tx, at)
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
    percent: one.percent,
    amount: one.amount,
    asset: INSTANT_FACTS[one.kind].asset satisfies Asset,
    programme_version: one.version,
    rank: one.rank ?? null,
    status: 'held',
    created_at: at,
    release_at: releaseAt,
    // The clock of a rank bonus starts when coin stands for it (stand-ranks.ts).
    waits_ms: one.kind === 'rank' ? BigInt(releaseAt.getTime() - at.getTime()) : null,
  }))
  const held = await insertRows(tx, 'reward_instant', rows, { skipKnown: true, returning: ['kind', 'amount'] })
  await noteHeld(
    tx,
    held.map((one) => ({ ...one, releaseAt })),
  )
}

/** When a reward of a moment leaves its hold. */
export async function releaseOf(tx: Tx, at: Date): Promise<Date> {
  const { rewardHoldDays } = await currentSettings(tx, at)
  return new Date(at.getTime() + rewardHoldDays * DAY_MS)
}
