import type { Sweep } from '../../jobs/sweep.ts'
import { takeSnapshot } from './take-snapshot.ts'

export const trustSweeps: Sweep[] = [{ name: 'trust-snapshot', everySeconds: 30, run: takeSnapshot }]
