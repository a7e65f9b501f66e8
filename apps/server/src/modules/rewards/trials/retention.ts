import type { Retention } from '../../../jobs/retention.ts'

/** Figures from a cancelled or failed simulation. */
export const trialRetention: readonly Retention[] = [{ table: 'reward_trial', moment: 'begun_at', days: 1 }]
