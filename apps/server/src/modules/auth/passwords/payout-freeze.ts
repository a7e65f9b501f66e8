import type { Tx } from '../../../platform/db/database.ts'
import { HOUR_MS } from '../../../platform/runtime/clock.ts'
import { type FreezeCause, freezePayouts } from '../../members/index.ts'
import { currentSettings } from '../../settings/index.ts'

/** Freezes a member's payouts for the configured hours, so that the member has time to notice an attack. */
export async function startPayoutFreeze(tx: Tx, memberId: bigint, cause: FreezeCause, now: Date): Promise<void> {
  const { payoutHoldHours } = await currentSettings(tx, now)
  if (payoutHoldHours > 0)
    await freezePayouts(tx, { id: memberId, at: now, until: new Date(now.getTime() + payoutHoldHours * HOUR_MS), cause })
}
