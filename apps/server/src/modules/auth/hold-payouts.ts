import type { Tx } from '../../platform/db/database.ts'
import { type HoldCause, holdPayouts } from '../members/index.ts'
import { currentSettings } from '../settings/index.ts'

const HOUR_MS = 3_600_000

/** Lets a member's payouts rest for the hours of the settings: the owner has that long to notice what happened. */
export async function restPayouts(tx: Tx, memberId: bigint, cause: HoldCause, now: Date): Promise<void> {
  const { payoutHoldHours } = await currentSettings(tx, now)
  if (payoutHoldHours > 0) await holdPayouts(tx, { id: memberId, until: new Date(now.getTime() + payoutHoldHours * HOUR_MS), cause })
}
