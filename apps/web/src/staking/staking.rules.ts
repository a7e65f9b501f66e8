import { STAKE_ABOVE } from '@tizara/contract'
import type { StakePlan, StakeRow, StakeWallet } from '@tizara/contract/staking'
import type { Balances } from '@tizara/contract/wallets'
import { dailyReward, type Units } from '@tizara/money'

const DAY_MS = 86_400_000

/** Wallet for each stake wire name (API-47, VA-70). */
export const walletOf = { nativewallet: 'nativeWallet', mywallet: 'icoWallet' } as const satisfies Record<StakeWallet, keyof Balances>

export type StakeRejection = 'wallet' | 'tooSmall' | 'insufficient'

/**
 * Validates a stake in requirement row order (VA-63 to VA-66, VA-70).
 * @param amount coin units; an empty field counts as 0
 * @param balances undefined while unknown; the server then decides
 */
export function rejectStake(wallet: StakeWallet | '', amount: Units, balances: Balances | undefined): StakeRejection | undefined {
  if (wallet === '') return 'wallet'
  if (amount <= STAKE_ABOVE) return 'tooSmall'
  if (balances !== undefined && amount > balances[walletOf[wallet]]) return 'insufficient'
  return undefined
}

/** A stake's projected return, in coin units. */
export interface Estimate {
  daily: Units
  /** Daily rewards summed, at most amount × apy ÷ 100. */
  total: Units
  firstAt: Date
  maturesAt: Date
}

/**
 * Computes a stake's return like the server (VA-67, VA-68, RW-03): daily reward rounded down to 8 decimals.
 * @param amount coin units
 */
export function estimateStake(plan: Pick<StakePlan, 'apy' | 'duration'>, amount: Units, from: Date): Estimate {
  const days = Math.max(1, plan.duration)
  const daily = dailyReward(amount, plan.apy, days)
  return {
    daily,
    total: daily * BigInt(days),
    firstAt: new Date(from.getTime() + DAY_MS),
    maturesAt: new Date(from.getTime() + days * DAY_MS),
  }
}

export interface StakeProgress {
  doneDays: number
  /** The completed days are either paid according to the server, or elapsed. */
  counted: 'paid' | 'run'
  days: number
  maturesAt: Date
}

/**
 * Returns a stake's completed days.
 * @param stake a row; without paid days and maturity if the server implements only the specification
 */
export function stakeProgress(stake: StakeRow, now: Date): StakeProgress {
  const startedAt = (stake.startDate ?? stake.createdAt).getTime()
  const passed = Math.floor((now.getTime() - startedAt) / DAY_MS)
  return {
    doneDays: Math.min(stake.duration, Math.max(0, stake.paidDays ?? passed)),
    counted: stake.paidDays === undefined ? 'run' : 'paid',
    days: stake.duration,
    maturesAt: stake.maturesAt ?? new Date(startedAt + stake.duration * DAY_MS),
  }
}
