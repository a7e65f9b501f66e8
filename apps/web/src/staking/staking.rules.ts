import { STAKE_ABOVE } from '@tizara/contract'
import type { StakePlan, StakeRow, StakeWallet } from '@tizara/contract/staking'
import type { Balances } from '@tizara/contract/wallets'
import { dailyReward, type Units } from '@tizara/money'

const DAY_MS = 86_400_000

/** The wallet that a stake's wire name stands for (API-47, VA-70). */
export const walletOf = { nativewallet: 'nativeWallet', mywallet: 'icoWallet' } as const satisfies Record<StakeWallet, keyof Balances>

export type StakeRefusal = 'wallet' | 'tooSmall' | 'insufficient'

/**
 * The checks before the call, in the order of their rows (VA-63 to VA-66, VA-70).
 * @param amount coin units; an empty field counts as 0
 * @param balances undefined while they are not known: then the server decides
 */
export function refuseStake(wallet: StakeWallet | '', amount: Units, balances: Balances | undefined): StakeRefusal | undefined {
  if (wallet === '') return 'wallet'
  if (amount <= STAKE_ABOVE) return 'tooSmall'
  if (balances !== undefined && amount > balances[walletOf[wallet]]) return 'insufficient'
  return undefined
}

/** What a stake would bring; all amounts in coin units. */
export interface Estimate {
  daily: Units
  /** Every day's reward together: never more than amount × apy ÷ 100. */
  total: Units
  firstAt: Date
  maturesAt: Date
}

/**
 * Reckons a stake as the server does (VA-67, VA-68, RW-03): the day's reward rounded down at the eighth decimal.
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

/** How far a stake has come. */
export interface StakeProgress {
  doneDays: number
  /** What the done days are: paid as the server says, or only gone by. */
  counted: 'paid' | 'run'
  days: number
  maturesAt: Date
}

/**
 * How many of its days a stake has behind it.
 * @param stake a row; another server leaves the days paid and the maturity out
 */
export function stakeProgress(stake: StakeRow, now: Date): StakeProgress {
  const begun = (stake.startDate ?? stake.createdAt).getTime()
  const passed = Math.floor((now.getTime() - begun) / DAY_MS)
  return {
    doneDays: Math.min(stake.duration, Math.max(0, stake.paidDays ?? passed)),
    counted: stake.paidDays === undefined ? 'run' : 'paid',
    days: stake.duration,
    maturesAt: stake.maturesAt ?? new Date(begun + stake.duration * DAY_MS),
  }
}
