import type { Job } from '../../jobs/job.ts'
import { serveSellRequests } from './serve-sell-requests.ts'

/** The recurring job of transfers: it serves sell requests. */
export const transferJobs: Job[] = [{ name: 'sell-requests', everySeconds: 15, run: serveSellRequests }]
