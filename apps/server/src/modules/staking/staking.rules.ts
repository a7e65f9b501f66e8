import type { StakeWallet } from '@tizara/contract/staking'
import { dailyReward, isRounded, type Units } from '@tizara/money'

/** The wallet that a stake's wire name stands for (API-47, VA-70). */
export const walletOf = { nativewallet: 'nativeWallet', mywallet: 'icoWallet' } as const satisfies Record<StakeWallet, string>

/** The figures of a plan that the client repeats. */
export interface EchoedFigures {
  planName: string
  duration: number
  /** Units of percent. */
  apy: Units
  /** Coin units a day, exact or rounded to 2 decimals as the screen shows it. */
  dailyRoy: Units
}

export interface PlanFigures {
  name: string
  duration_days: number
  apy: Units
}

/**
 * Whether the repeated figures still are those of the plan (VA-67, VA-89).
 * @param stakeAmount coin units
 */
export function figuresMatch(plan: PlanFigures, stakeAmount: Units, echoed: EchoedFigures): boolean {
  const exact = dailyReward(stakeAmount, plan.apy, plan.duration_days)
  return (
    echoed.planName === plan.name && echoed.duration === plan.duration_days && echoed.apy === plan.apy && isRounded(echoed.dailyRoy, exact)
  )
}
