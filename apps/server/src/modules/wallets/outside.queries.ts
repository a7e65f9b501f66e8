import type { Units } from '@tizara/money'
import type { Db } from '../../platform/db/database.ts'

/** Reads of higher tiers about money outside the seven wallets, which `main` passes in. All amounts are units of 10^-8. */
export interface OutsidePorts {
  /** Open holds just before each of these times. */
  heldAt(db: Db, memberId: bigint, times: readonly Date[]): Promise<{ usd: Units; coin: Units }[]>
  /** USD prices paid for running NFTs just before each of these times. */
  nftValueAt(db: Db, memberId: bigint, times: readonly Date[]): Promise<Units[]>
  /** Amounts that left the holds from a time on, by UTC day. */
  paidOutSince(db: Db, memberId: bigint, since: Date): Promise<{ day: string; asset: 'USD' | 'COIN'; amount: Units }[]>
}

/** Amounts outside the wallets: holds, and NFTs at the price paid. */
export interface HeldOutside {
  heldUsd: Units
  heldCoin: Units
  nfts: Units
}

/** Returns the amounts that a member holds outside the wallets just before each of these times. */
export async function heldOutsideAt(db: Db, memberId: bigint, times: readonly Date[], ports: OutsidePorts): Promise<HeldOutside[]> {
  const [held, nfts] = await Promise.all([ports.heldAt(db, memberId, times), ports.nftValueAt(db, memberId, times)])
  return times.map((_, index) => ({ heldUsd: held[index]?.usd ?? 0n, heldCoin: held[index]?.coin ?? 0n, nfts: nfts[index] ?? 0n }))
}

/** Returns the amounts that a member holds outside the wallets now. */
export async function heldOutside(db: Db, memberId: bigint, now: Date, ports: OutsidePorts): Promise<HeldOutside> {
  const [outside] = await heldOutsideAt(db, memberId, [justAfter(now)], ports)
  return outside ?? { heldUsd: 0n, heldCoin: 0n, nfts: 0n }
}

/** Returns the time before which everything up to now has happened. */
export const justAfter = (now: Date): Date => new Date(now.getTime() + 1)
