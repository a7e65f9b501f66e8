import type { Sweep } from '../../jobs/sweep.ts'
import { takeSnapshot } from './take-snapshot.ts'

/** The recurring jobs of trust. */
export const trustSweeps: Sweep[] = [{ name: 'trust-snapshot', everySeconds: 30, run: takeSnapshot }]
