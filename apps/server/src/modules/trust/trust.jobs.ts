import type { Job } from '../../jobs/job.ts'
import { takeSnapshot } from './take-snapshot.ts'

export const trustJobs: Job[] = [{ name: 'trust-snapshot', everySeconds: 30, run: takeSnapshot }]
