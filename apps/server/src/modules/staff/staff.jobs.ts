import type { Sweep } from '../../jobs/sweep.ts'
import { watchHouse } from './watch-house.ts'
import { noteSharedTraces } from './shared-traces.ts'

/** The recurring jobs of staff. */
export const staffSweeps: Sweep[] = [
  { name: 'shared-traces', everySeconds: 30, run: noteSharedTraces },
  { name: 'house-watch', everySeconds: 10, run: watchHouse },
]
