import type { StakeWallet } from '@tizara/contract/staking'
import { dailyReward, isRounded, type Units } from '@tizara/money'

/** Wallets by the names of a stake's wallets in the API (API-47, VA-70). */
export const walletOf = { nativewallet: 'nativeWallet', mywallet: 'icoWallet' } as const satisfies Record<StakeWallet, string>

/** Terms of the plan that the client sends back. */
export interface EchoedFigures {
  planName: string
  duration: number
  /** Units of percent. */
  apy: Units
  /** Coin units per day, exact or rounded to 2 decimals as on screen. */
  dailyRoy: Units
}

export interface PlanFigures {
  name: string
  duration_days: number
  apy: Units
}

/**
 * Returns true if the terms that the client sent match the plan (VA-67, VA-89).
 * @param stakeAmount coin units
 */
export function figuresMatch(plan: PlanFigures, stakeAmount: Units, echoed: EchoedFigures): boolean {
  const exact = dailyReward(stakeAmount, plan.apy, plan.duration_days)
  return (
    echoed.planName === plan.name && echoed.duration === plan.duration_days && echoed.apy === plan.apy && isRounded(echoed.dailyRoy, exact)
  )
}
