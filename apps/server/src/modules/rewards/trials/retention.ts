import type { Retention } from '../../../jobs/retention.ts'

/** Figures of a trial that was taken back or failed. */
export const trialRetention: readonly Retention[] = [{ table: 'reward_trial', moment: 'begun_at', days: 1 }]
