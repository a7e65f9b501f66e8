/**
 * Trust: liabilities, coverage, and the proof of balances (docs/proof.md).
 * - Wire: `GET /trust`, `GET /trust/history`, `GET /trust/inviter`, `GET /trust/my-proof`.
 * - Owns: `trust_tree`, `trust_leaf`, `trust_node`, `trust_statement`, `trust_signature`, `trust_digest_transaction`; reads the ledger and the rewards.
 * - Rules: figures come from the ledger unchanged. A day is published only if its trees add up to these figures, to the unit.
 */
export { importedRoot } from './imported-root.ts'
export { trustChecks } from './audit-checks.ts'
export { type DigestChain, hasWaitingDigest } from './publish-digests.ts'
export { trustJobs } from './trust.jobs.ts'
export { trustRoutes } from './trust.routes.ts'
export { noReserves, type ReserveSource } from './reserve-source.ts'
