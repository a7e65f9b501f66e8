/** Data about a person across all modules: the copy for the member, the obstacles to a closing, and the erasure after it. */
export { closingObstacles } from './closing-obstacles.ts'
export { eraseAccountsJob } from './erasure/erase-accounts.job.ts'
export { erasureChecks } from './erasure/erasure-checks.ts'
export { ownDataJob } from './own-data/own-data.job.ts'
