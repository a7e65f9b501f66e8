import type { Retention } from '../../../jobs/retention.ts'

/** Figures from a cancelled or failed simulation. */
export const simulationRetention: readonly Retention[] = [{ table: 'reward_simulation', moment: 'begun_at', days: 1 }]
