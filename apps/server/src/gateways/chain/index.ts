/**
 * The chain that in-app invoices are paid on (BEP20): where a payment has to go, and what has arrived there.
 *
 * - `ChainGateway` is the port that the deposits module uses.
 * - `createEvmChain` is a real chain as web processes see it, `chainSweeps` the watcher that reads it.
 * - `createSandboxChain` is the play chain of the sandbox: payments are made with play money, blocks follow the clock.
 */
export type { ChainGateway, ChainTransfer } from './chain.ts'
export { type ChainSettings, chainSweeps } from './chain.jobs.ts'
export { chainHealth, checkSources } from './chain-health.ts'
export { createEvmChain } from './evm-chain.ts'
export { createSandboxChain, type SandboxChain } from './sandbox-chain.ts'
