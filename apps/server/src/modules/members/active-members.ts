import { DAY_MS } from '../../platform/runtime/clock.ts'
import type { Db } from '../../platform/db/database.ts'

/** Days after a coin purchase in which its buyer counts as active (EN-10). */
const PURCHASE_DAYS = 30

/**
 * Functions of modules of higher tiers. Each returns those of the given members who are active by its rule. `main` passes the functions
 * in.
 */
export interface ActivityPorts {
  withRunningStake(db: Db, memberIds: readonly bigint[]): Promise<bigint[]>
  withActiveNft(db: Db, memberIds: readonly bigint[], now: Date): Promise<bigint[]>
  withCoinPurchase(db: Db, memberIds: readonly bigint[], since: Date): Promise<bigint[]>
}

/**
 * Returns the active members: with a running stake, an active NFT or a coin purchase in the last 30 days (EN-10). A blocked member can be
 * active here; the account status is separate.
 */
export async function activeMembers(db: Db, ports: ActivityPorts, memberIds: readonly bigint[], now: Date): Promise<ReadonlySet<bigint>> {
  const found = await Promise.all([
    ports.withRunningStake(db, memberIds),
    ports.withActiveNft(db, memberIds, now),
    ports.withCoinPurchase(db, memberIds, new Date(now.getTime() - PURCHASE_DAYS * DAY_MS)),
  ])
  return new Set(found.flat())
}
