import type { Job } from '../../../jobs/job.ts'
import { closeBusinessDays } from './close-business-days.ts'

/** Closes the past UTC days of the business figures. */
export const businessDaysJob: Job = {
  name: 'business-days',
  everySeconds: 30,
  run: (lease, deps) => lease.inTransaction((tx) => closeBusinessDays(tx, deps.clock.now())),
}
