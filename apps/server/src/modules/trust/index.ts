/**
 * Reserves: liabilities, coverage, and proofs of member balances.
 * - Wire: `GET /trust`, `GET /trust/my-proof`.
 * - Owns: `trust_snapshot`, `trust_leaf`, `trust_node`, `trust_reserve`; reads the ledger and the forecast of rewards.
 * - Rules: figures come from the ledger unchanged.
 */
export { trustJobs } from './trust.jobs.ts'
export { trustRoutes } from './trust.routes.ts'
export { type Holding, recordReserves, readReserves } from './reserve-statement.ts'
